<?php
/**
 * Stores files of sign-ups under wp-content/uploads, in a folder with a random name and without file extensions that a
 * server could run. WordPress serves them to users who may see the sign-up.
 */

namespace Pillion\Forms\Entries;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\Uncached;
use Pillion\Forms\Forms;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;
use WP_Error;
use WP_Post;

/**
 * An uploaded file: `sent` is the visitor's name of it, `name` the stored one, `path` PHP's temporary file.
 *
 * @phpstan-type Sent array{input: string, sent: string, name: string, type: string, path: string, size: int, error: int}
 */
final class EntryFiles {
	/** Meta key of an entry: folder and files, as JSON. */
	const META = '_pillion_files';

	const ACTION = 'pillion_entry_file';

	/** Below the uploads folder. */
	const FOLDER = 'pillion';

	/** Servers run these extensions anywhere in a file name. */
	const SERVER_EXECUTABLE = '/\.(php\d?|phps|pht|phtml|phar|asp|aspx|jsp|cgi|shtml|htaccess|htpasswd)(\.|$)/i';

	/** The operating system runs these files when a user opens them. */
	const USER_EXECUTABLE = '/\.(exe|com|bat|cmd|msi|scr|pif|cpl|dll|lnk|reg|hta|js|mjs|jse|vbs|vbe|wsf|wsh|ps1|sh|pl|py|rb|jar|app|apk|swf)$/i';

	/** Browsers could run scripts in these; allowed only if the form lists them. */
	const SCRIPTABLE = array( 'svg', 'svgz', 'html', 'htm', 'xhtml', 'xht', 'xml', 'xsl', 'mht', 'mhtml', 'css' );

	public function register(): void {
		add_action( 'admin_post_' . self::ACTION, array( $this, 'send_download' ) );
		add_action( 'before_delete_post', array( $this, 'delete_with_entry' ), 10, 2 );
	}

	/**
	 * Reads uploads file by file; PHP groups uploads of one control by property.
	 *
	 * @param array<string, array<string, mixed>> $sent As in `$_FILES`.
	 * @return Sent[] Without empty controls.
	 */
	public static function read( array $sent ): array {
		$files = array();
		foreach ( $sent as $input => $properties ) {
			foreach ( array_keys( (array) ( $properties['name'] ?? array() ) ) as $at ) {
				$file = array_map( static fn( $values ) => ( (array) $values )[ $at ] ?? '', $properties );
				if ( UPLOAD_ERR_NO_FILE !== (int) $file['error'] ) {
					$files[] = array(
						'input' => (string) $input,
						'sent'  => (string) $file['name'],
						'name'  => sanitize_file_name( (string) $file['name'] ),
						'type'  => sanitize_mime_type( (string) $file['type'] ),
						'path'  => (string) $file['tmp_name'],
						'size'  => (int) $file['size'],
						'error' => (int) $file['error'],
					);
				}
			}
		}
		return $files;
	}

	/**
	 * An upload that PHP did not accept. The site retries until the operator has fixed it.
	 *
	 * @param Sent[] $files
	 */
	public static function upload_error( array $files ): ?WP_Error {
		foreach ( $files as $file ) {
			if ( UPLOAD_ERR_OK !== $file['error'] ) {
				/* translators: %d: PHP's number of what went wrong with an upload */
				$message = sprintf( __( 'PHP did not accept an uploaded file (error %d). Check upload_max_filesize and post_max_size.', 'pillion' ), $file['error'] );
				return new WP_Error( 'pillion_upload', $message, array( 'status' => 503 ) );
			}
		}
		return null;
	}

	/**
	 * @param Sent[] $files
	 * @return Sent[]
	 */
	public static function of_field( array $field, array $files ): array {
		$input = 'input_' . $field['id'];
		return array_values( array_filter( $files, static fn( array $file ): bool => $file['input'] === $input ) );
	}

	/** @param Sent[] $files Of this field. */
	public static function problem( array $field, array $files ): ?string {
		$max_files = empty( $field['multipleFiles'] ) ? 1 : (int) ( $field['maxFiles'] ?? 0 );
		if ( $max_files > 0 && count( $files ) > $max_files ) {
			/* translators: %d: a number */
			return sprintf( __( 'You can send up to %d files here.', 'pillion' ), $max_files );
		}
		$max_bytes = (float) ( $field['maxFileSize'] ?? 0 ) * MB_IN_BYTES;
		foreach ( $files as $file ) {
			if ( 0 === $file['size'] ) {
				return __( 'The file is empty. Choose another file.', 'pillion' );
			}
			if ( $max_bytes > 0 && $file['size'] > $max_bytes ) {
				return __( 'The file is too large. Choose a smaller file.', 'pillion' );
			}
			// `sanitize_file_name` makes `x.php_.jpg` of `x.php.jpg`, and `x.bat` of `x.bat)`. Neither is allowed.
			if ( ! self::is_allowed( $field, $file['sent'] ) || ! self::is_allowed( $field, $file['name'] ) ) {
				return __( 'This type of file is not accepted. Choose another file.', 'pillion' );
			}
		}
		return null;
	}

	private static function is_allowed( array $field, string $name ): bool {
		if ( preg_match( self::SERVER_EXECUTABLE, $name ) || preg_match( self::USER_EXECUTABLE, $name ) ) {
			return false;
		}
		$allowed   = (array) preg_split( '/[\s,;]+/', (string) ( $field['allowedExtensions'] ?? '' ) );
		$allowed   = array_filter( array_map( array( self::class, 'normalize_extension' ), $allowed ) );
		$extension = self::normalize_extension( pathinfo( $name, PATHINFO_EXTENSION ) );
		return $allowed ? in_array( $extension, $allowed, true ) : ! in_array( $extension, self::SCRIPTABLE, true );
	}

	/** One spelling for all that mean the same: `jpg` for `.JPEG` and `*.jpg`. */
	private static function normalize_extension( string $extension ): string {
		$synonyms  = array( 'jpeg' => 'jpg', 'tiff' => 'tif', 'htm' => 'html' );
		$extension = strtolower( trim( $extension, " \t.*" ) );
		return $synonyms[ $extension ] ?? $extension;
	}

	/**
	 * Moves the files to the folder of the sign-up. Deletes files that an interrupted attempt left.
	 *
	 * @param Sent[] $files
	 * @return string|WP_Error JSON for an entry's `META`.
	 */
	public static function store( array $files, string $sign_up_id ) {
		$root = self::ensure_root();
		if ( '' !== $root && '' !== $sign_up_id ) {
			// The pattern is exact because one id may begin with another one.
			$folder_pattern = '#/' . preg_quote( $sign_up_id, '#' ) . '-[0-9a-f]{32}$#';
			array_map( array( self::class, 'delete_folder' ), (array) preg_grep( $folder_pattern, (array) glob( "$root/$sign_up_id-*", GLOB_ONLYDIR ) ) );
		}
		$folder    = $sign_up_id . '-' . bin2hex( random_bytes( 16 ) );
		$stored    = array();
		$is_stored = '' !== $root && wp_mkdir_p( "$root/$folder" );
		foreach ( $files as $at => $file ) {
			// Not wp_handle_upload(): it puts files into the media library's folders, where anyone can read them, under
			// their own names and extensions, and it refuses types that a form allows.
			$is_stored = $is_stored && move_uploaded_file( $file['path'], "$root/$folder/$at" );
			$stored[]  = array(
				'input' => str_replace( 'input_', '', $file['input'] ),
				'name'  => $file['name'],
				'type'  => $file['type'],
				'size'  => $file['size'],
			);
		}
		if ( ! $is_stored ) {
			self::delete_folder( "$root/$folder" );
			return new WP_Error( 'pillion_upload', __( 'WordPress cannot write to the uploads folder. Check its permissions.', 'pillion' ), array( 'status' => 503 ) );
		}
		return (string) wp_json_encode( array( 'folder' => $folder, 'files' => $stored ) );
	}

	/**
	 * Deletes files whose entry was not stored.
	 *
	 * @param string $json From `store`; empty: there are no files.
	 */
	public static function delete_stored( string $json ): void {
		self::delete_below_root( json_decode( $json, true )['folder'] ?? '' );
	}

	/** @return array{folder: string, files: array<int, array{input: string, name: string, type: string, size: int}>} Empty: no files. */
	public static function of_entry( int $entry_id ): array {
		$stored   = json_decode( (string) get_post_meta( $entry_id, self::META, true ), true );
		$is_valid = is_array( $stored ) && is_string( $stored['folder'] ?? null ) && preg_match( '/^[a-z0-9-]+$/', $stored['folder'] ) && is_array( $stored['files'] ?? null );
		return $is_valid ? $stored : array( 'folder' => '', 'files' => array() );
	}

	/** Links to the files of one field, for the screen of the entry. */
	public static function links( int $entry_id, string $input ): string {
		$links = array();
		foreach ( self::of_entry( $entry_id )['files'] as $at => $file ) {
			if ( $input === (string) $file['input'] ) {
				$query   = array( 'action' => self::ACTION, 'entry' => $entry_id, 'file' => $at );
				$url     = wp_nonce_url( add_query_arg( $query, admin_url( 'admin-post.php' ) ), self::ACTION . $entry_id );
				$links[] = '<a href="' . esc_url( $url ) . '">' . esc_html( $file['name'] ) . '</a> (' . esc_html( (string) size_format( $file['size'] ) ) . ')';
			}
		}
		return implode( '<br>', $links );
	}

	/** Sends one file as a download to a user who may see the sign-up. Browsers do not display it. */
	public function send_download(): void {
		$entry_id = (int) Input::query( 'entry' );
		$number   = '' === Input::query( 'file' ) ? -1 : (int) Input::query( 'file' );
		check_admin_referer( self::ACTION . $entry_id );
		$stored = self::of_entry( $entry_id );
		$file   = $stored['files'][ $number ] ?? null;
		$path   = self::ensure_root() . '/' . $stored['folder'] . '/' . $number;
		if ( Entries::TYPE !== get_post_type( $entry_id ) || ! current_user_can( Admin::capability() ) || ! $file || ! is_file( $path ) ) {
			wp_die( esc_html__( 'This file does not exist.', 'pillion' ), '', array( 'response' => 404 ) );
		}
		Uncached::forbid_caching();
		header( 'Content-Type: application/octet-stream' );
		header( 'Content-Disposition: attachment; filename="' . str_replace( '"', '', remove_accents( $file['name'] ) ) . '"; filename*=UTF-8\'\'' . rawurlencode( $file['name'] ) );
		header( 'Content-Length: ' . filesize( $path ) );
		header( 'X-Content-Type-Options: nosniff' );
		readfile( $path );
		exit;
	}

	public function delete_with_entry( int $post_id, WP_Post $post ): void {
		if ( Entries::TYPE === $post->post_type ) {
			self::delete_below_root( self::of_entry( $post_id )['folder'] );
		}
	}

	/** @param string $folder Name of a sign-up's folder; empty: it has no files. */
	private static function delete_below_root( string $folder ): void {
		if ( '' !== $folder ) {
			self::delete_folder( self::ensure_root() . '/' . $folder );
		}
	}

	/**
	 * @return string Path of the folder, created if missing and closed to web access on Apache; empty if it cannot be
	 * created.
	 */
	private static function ensure_root(): string {
		$uploads = wp_upload_dir( null, false );
		$root    = $uploads['basedir'] . '/' . self::FOLDER;
		if ( ! is_dir( $root ) ) {
			if ( ! wp_mkdir_p( $root ) ) {
				return '';
			}
			file_put_contents( "$root/.htaccess", "Require all denied\n" );
			file_put_contents( "$root/index.php", "<?php\n// Nothing to see.\n" );
		}
		return $root;
	}

	/** Address of a file in the folder that no client may read. The site tries to read it. Empty if no form takes files. */
	public static function check_file_url(): string {
		$fields = array_merge( array(), ...array_column( Forms::all(), 'fields' ) );
		$root   = Forms::is_fallback() && in_array( 'fileupload', array_column( $fields, 'type' ), true ) ? self::ensure_root() : '';
		if ( '' === $root ) {
			return '';
		}
		if ( ! is_file( "$root/check.txt" ) ) {
			file_put_contents( "$root/check.txt", "Files in this folder must not be readable from the web.\n" );
		}
		return wp_upload_dir( null, false )['baseurl'] . '/' . self::FOLDER . '/check.txt';
	}

	private static function delete_folder( string $folder ): void {
		array_map( 'unlink', (array) glob( "$folder/*" ) );
		if ( is_dir( $folder ) ) {
			rmdir( $folder );
		}
	}
}
