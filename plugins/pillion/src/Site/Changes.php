<?php
/**
 * Collects the changes of a request, one message per changed object, and queues them for the site.
 *
 * A plugin that stores data which the site shows can report a change: `do_action( 'pillion_changed', 'form', 7, null,
 * 'publish' );`
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Look;
use Pillion\Content\Routes;
use Pillion\Content\Strings;
use Pillion\Forms\Forms;
use Pillion\Forms\Gravity\GravityDescription;
use Pillion\Forms\Gravity\GravityForms;
use Pillion\Languages\Translations;
use Pillion\Lib\Input;
use Pillion\Lib\Language;
use WP_Post;

/** @phpstan-type Message array{id: int|string|null, type: string, path: string|null, status: string|null} */
final class Changes {
	/** More messages in one request are replaced by one that invalidates everything. */
	const MAX_MESSAGES = 20;

	/** Options of WordPress, Yoast SEO and Gravity Forms that affect pages. The currency can affect every form. */
	const SETTINGS = array( 'blogname', 'blogdescription', 'show_on_front', 'page_on_front', 'page_for_posts', 'permalink_structure', 'home', 'siteurl', 'site_icon', 'blog_public', 'WPLANG', 'stylesheet', 'wpseo_titles', 'rg_gforms_currency' );

	/** Option with Polylang's settings, including its menus. */
	const POLYLANG = 'polylang';

	/** Internal post meta of WordPress and this plugin. */
	const PRIVATE_META = '/^_(edit_|wp_trash_|wp_old_|wp_desired_|pingme|encloseme|oembed_|pillion_preview_|pillion_to_translate)/';

	/** @var array<string, Message> */
	private static $noted = array();

	/** @var array<int, string> Post type by id of each changed post. The path is read at the end of the request. */
	private static $changed_posts = array();

	/** @var array<int, string|null> Path on the site of each upload that was changed in this request. */
	private static $media_paths = array();

	/** @var array<int, string> Paths of published posts before the change. */
	private $old_paths = array();

	/** @var array<int, true> Uploads of this request, which no page shows yet. */
	private $uploaded = array();

	public function register(): void {
		ChangeQueue::register();
		add_action( 'pillion_changed', array( self::class, 'note' ), 10, 4 );
		foreach ( array( 'wp_trash_post', 'pre_post_update', 'before_delete_post' ) as $hook ) {
			add_action( $hook, array( $this, 'remember_path' ) );
		}
		add_action( 'before_delete_post', array( $this, 'note_children' ), 10, 2 );
		add_action( 'post_updated', array( $this, 'note_children' ), 10, 3 );
		add_action( 'transition_post_status', array( $this, 'note_post' ), 10, 3 );
		add_action( 'deleted_post', array( $this, 'note_deleted' ), 10, 2 );
		foreach ( array( 'added_post_meta', 'updated_post_meta', 'deleted_post_meta' ) as $hook ) {
			add_action( $hook, array( $this, 'note_meta' ), 10, 3 );
		}
		$this->register_media();
		$this->register_menus();
		$this->register_languages();
		$this->register_categories();
		$this->register_options();
		$this->register_gravity_forms();
		// Before the response, because the browser's next request can be for the receipt; all others at shutdown.
		add_filter( 'rest_post_dispatch', array( $this, 'queue_noted' ) );
		add_filter( 'wp_redirect', array( $this, 'queue_noted' ) );
		add_action( 'admin_footer', array( $this, 'queue_noted' ), 1 );
		add_action( 'shutdown', array( $this, 'send_queued' ), 1000 );
	}

	/**
	 * Notes a change. Repeated changes of an object count once per request.
	 *
	 * @param string $type `page`, `menu`, `strings`, `form`…; a type that the site does not know invalidates
	 * everything.
	 * @param int|string|null $id     Id of the object, if it has one.
	 * @param string|null     $path   Path on the site; rendered again before the receipt.
	 * @param string|null     $status `publish`, or the reason why it is offline: `trash`, `draft`, `delete`…; null if the object has no status.
	 */
	public static function note( string $type, $id = null, ?string $path = null, ?string $status = null ): void {
		self::$noted[ "$type:$id:$path" ] = compact( 'id', 'type', 'path', 'status' );
		self::add_header();
	}

	/** Tells scripts that save without a page load, such as quick edit, that a receipt will follow. */
	private static function add_header(): void {
		if ( ! headers_sent() ) {
			header( 'X-Pillion-Changed: 1' );
		}
	}

	private function register_media(): void {
		add_action(
			'add_attachment',
			function ( int $id ): void {
				$this->uploaded[ $id ] = true;
			}
		);
		foreach ( array( 'attachment_updated', 'delete_attachment' ) as $hook ) {
			add_action( $hook, static fn( int $id ) => self::note( 'media', $id, self::media_path( $id ) ) );
		}
	}

	/** Path of an upload on the site; null if the file is elsewhere. The path of the file also covers its sizes. */
	private static function media_path( int $id ): ?string {
		if ( ! array_key_exists( $id, self::$media_paths ) ) {
			// Read before the file is deleted, because its path is deleted with it.
			$file                     = get_post_meta( $id, '_wp_attached_file', true );
			$is_upload                = is_string( $file ) && '' !== $file && ! str_contains( $file, '://' );
			self::$media_paths[ $id ] = $is_upload ? '/media' . str_replace( '%2F', '/', rawurlencode( Addresses::path_in_uploads( $file ) ) ) : null;
		}
		return self::$media_paths[ $id ];
	}

	private function register_menus(): void {
		foreach ( array( 'wp_update_nav_menu', 'wp_update_nav_menu_item', 'wp_delete_nav_menu' ) as $hook ) {
			add_action( $hook, static fn() => self::note( 'menu' ) );
		}
	}

	/** Polylang stores languages and their pages as terms. A change of a language invalidates all addresses, menus and texts. */
	private function register_languages(): void {
		foreach ( array( 'created_language', 'edited_language', 'delete_language' ) as $hook ) {
			add_action( $hook, static fn() => self::note( 'languages' ) );
		}
		add_action( 'set_object_terms', array( $this, 'note_terms' ), 10, 6 );
	}

	/** A category can be part of the addresses of its posts. */
	private function register_categories(): void {
		foreach ( array( 'edited_category', 'delete_category' ) as $hook ) {
			add_action(
				$hook,
				static function (): void {
					if ( str_contains( (string) get_option( 'permalink_structure' ), '%category%' ) ) {
						self::note( 'anything' );
					}
				}
			);
		}
	}

	/**
	 * Notes that a post got another language or other translations (hook `set_object_terms`).
	 *
	 * @param int    $id       Of the post.
	 * @param array  $now      Ids of the post's terms, as is `$before`.
	 * @param string $taxonomy
	 * @param array  $before
	 */
	public function note_terms( $id, $terms, $now, $taxonomy, $append, $before ): void {
		if ( ! in_array( $taxonomy, array( 'language', 'post_translations' ), true ) || ! Translations::are_elsewhere() ) {
			return;
		}
		$post = get_post( $id );
		if ( ! $post || array_map( 'intval', $now ) === array_map( 'intval', $before ) ) {
			return;
		}
		if ( 'language' === $taxonomy && $before && self::is_shown( $post ) ) {
			// The path has changed, and the old path is unknown.
			self::note( 'languages' );
			return;
		}
		$this->note_post( $post->post_status, $post->post_status, $post );
	}

	private function register_options(): void {
		add_action( 'updated_option', fn( string $name, $old, $value ) => $this->note_option( $name, $old, $value ), 10, 3 );
		add_action( 'added_option', fn( string $name, $value ) => $this->note_option( $name, null, $value ), 10, 2 );
	}

	private function register_gravity_forms(): void {
		add_action( 'gform_after_save_form', static fn( $form ) => self::note( 'form', is_array( $form ) ? (int) ( $form['id'] ?? 0 ) : null ) );
		// Settings, confirmations, imports and changes by code.
		add_action(
			'gform_post_update_form_meta',
			static function ( $meta, $id, $name ): void {
				if ( 'notifications' !== $name ) {
					self::note( 'form', (int) $id );
				}
			},
			10,
			3
		);
		$this->register_limited_forms();
		// With a status, the site does not read the form again before the receipt.
		$status_by_hook = array(
			'after_delete_form'     => 'delete',
			'post_form_trashed'     => 'trash',
			'post_form_activated'   => null,
			'post_form_deactivated' => null,
			'post_form_restored'    => null,
		);
		foreach ( $status_by_hook as $hook => $status ) {
			add_action( "gform_$hook", static fn( $id ) => self::note( 'form', (int) $id, null, $status ) );
		}
	}

	/** A new or deleted entry can close or open a form with an entry limit. */
	private function register_limited_forms(): void {
		add_action(
			'gform_entry_created',
			static function ( $entry, $form ): void {
				if ( ! empty( $form['limitEntries'] ) && GravityDescription::closed_reason( (array) $form ) ) {
					self::note( 'form', (int) ( $form['id'] ?? 0 ) );
				}
			},
			20,
			2
		);
		foreach ( array( 'gform_update_status', 'gform_delete_entry' ) as $hook ) {
			add_action(
				$hook,
				static function ( $entry_id ): void {
					$entry = is_callable( array( 'GFAPI', 'get_entry' ) ) ? \GFAPI::get_entry( (int) $entry_id ) : null;
					$form  = is_array( $entry ) ? GravityForms::find( (int) $entry['form_id'] ) : null;
					if ( ! empty( $form['limitEntries'] ) ) {
						self::note( 'form', (int) $form['id'] );
					}
				}
			);
		}
	}

	/** Stores the path before the change, because trashing renames a post and a new slug moves it. */
	public function remember_path( int $id ): void {
		$post = get_post( $id );
		if ( $post && self::is_shown( $post ) && in_array( $post->post_type, Routes::types(), true ) && ! isset( $this->old_paths[ $id ] ) ) {
			$this->old_paths[ $id ] = Routes::path_of( $post->ID );
		}
	}

	/** Whether the site shows the post; it does not show posts with a password. */
	private static function is_shown( WP_Post $post ): bool {
		return 'publish' === $post->post_status && '' === $post->post_password;
	}

	/**
	 * Notes a post that visitors see or saw, or that is scheduled.
	 *
	 * @param string $new Status now.
	 * @param string $old Status before.
	 */
	public function note_post( string $new, string $old, WP_Post $post ): void {
		if ( 'publish' !== $new && ( 'future' === $new || 'future' === $old ) && in_array( $post->post_type, Routes::types(), true ) ) {
			// The site must know when the next scheduled post is due.
			self::note( $post->post_type, $post->ID, null, 'future' );
		}
		if ( 'publish' !== $new && 'publish' !== $old ) {
			return;
		}
		if ( 'nav_menu_item' === $post->post_type ) {
			self::note( 'menu' );
		} elseif ( 'wp_block' === $post->post_type ) {
			// A synced pattern can be on any page.
			self::note( 'pattern', $post->ID );
		} elseif ( in_array( $post->post_type, Routes::types(), true ) ) {
			self::$changed_posts[ $post->ID ] = $post->post_type;
			self::add_header();
		}
	}

	/** Notes a post that was deleted while visitors saw it. Menu items and patterns have no path to remember. */
	public function note_deleted( int $id, WP_Post $post ): void {
		if ( isset( $this->old_paths[ $id ] ) || in_array( $post->post_type, array( 'nav_menu_item', 'wp_block' ), true ) ) {
			$this->note_post( 'delete', 'publish', $post );
		}
	}

	/**
	 * Notes that child pages move with a parent that the site does not show. With a shown parent, `note_paths` does this.
	 *
	 * @param WP_Post|null $old The parent before a change; null if it is deleted.
	 */
	public function note_children( int $id, WP_Post $post, ?WP_Post $old = null ): void {
		$has_moved = ! $old || $old->post_name !== $post->post_name || $old->post_parent !== $post->post_parent;
		if ( $has_moved && ! isset( $this->old_paths[ $id ] ) && in_array( $post->post_type, Routes::types(), true ) && self::has_children( $id, $post->post_type ) ) {
			self::note( 'anything' );
		}
	}

	/** @param int|int[] $meta_id A list if meta was deleted. */
	public function note_meta( $meta_id, int $post_id, string $key ): void {
		$post = $post_id ? get_post( $post_id ) : null;
		if ( ! $post || preg_match( self::PRIVATE_META, $key ) ) {
			return;
		}
		if ( 'attachment' !== $post->post_type ) {
			$this->note_post( $post->post_status, $post->post_status, $post );
		} elseif ( ! isset( $this->uploaded[ $post_id ] ) ) {
			self::note( 'media', $post_id, self::media_path( $post_id ) );
		}
	}

	private function note_option( string $name, $old, $value ): void {
		if ( in_array( $name, self::SETTINGS, true ) ) {
			self::note( 'settings' );
		} elseif ( str_starts_with( $name, Strings::OPTION ) || Look::OPTION === $name ) {
			self::note( 'strings' );
		} elseif ( Language::OPTION === $name || self::POLYLANG === $name ) {
			self::note( 'languages' );
		} elseif ( Forms::OPTION === $name ) {
			self::note_forms( (array) $old, (array) $value );
		} elseif ( str_starts_with( $name, 'theme_mods_' ) && self::menu_locations( $old ) !== self::menu_locations( $value ) ) {
			self::note( 'menu' );
		}
	}

	/** @param mixed $mods Settings of a theme; not an array if the option is new. */
	private static function menu_locations( $mods ) {
		return is_array( $mods ) ? ( $mods['nav_menu_locations'] ?? null ) : null;
	}

	/** Notes the plugin's own forms that differ. */
	private static function note_forms( array $old, array $new ): void {
		foreach ( array_keys( $old + $new ) as $key ) {
			if ( ( $old[ $key ] ?? null ) !== ( $new[ $key ] ?? null ) ) {
				$form = $new[ $key ] ?? $old[ $key ];
				self::note( 'form', is_array( $form ) ? (int) ( $form['id'] ?? $key ) : null, null, isset( $new[ $key ] ) ? null : 'delete' );
			}
		}
	}

	/** Puts the noted changes into the queue. Also a callback of filters: it returns their value unchanged. */
	public function queue_noted( $filtered = null ) {
		foreach ( self::$changed_posts as $id => $type ) {
			$this->note_paths( $id, $type );
		}
		if ( self::$changed_posts ) {
			// The site reads redirects again with each page change.
			self::$noted = array_filter( self::$noted, static fn( array $message ): bool => 'redirects' !== $message['type'] );
		}
		if ( count( self::$noted ) > self::MAX_MESSAGES ) {
			self::$noted = array();
			self::note( 'anything' );
		}
		$messages            = array_values( self::$noted );
		self::$noted         = array();
		self::$changed_posts = array();
		if ( $messages ) {
			Routes::renew_version();
		}
		if ( $messages && Connection::is_configured() ) {
			ChangeQueue::add( $messages );
		}
		return $filtered;
	}

	/** At shutdown, when all changes can be read. */
	public function send_queued(): void {
		$this->queue_noted();
		if ( ! ChangeQueue::has_new() || self::is_receipt_coming() ) {
			return;
		}
		// No browser waits for a receipt. PHP ends the response first, where it can.
		foreach ( array( 'fastcgi_finish_request', 'litespeed_finish_request' ) as $finish ) {
			if ( function_exists( $finish ) ) {
				$finish();
			}
		}
		ChangeQueue::send( ChangeQueue::BACKGROUND_TIMEOUT_SECONDS, get_current_user_id() );
	}

	/**
	 * Whether the user's browser requests the receipt (assets/receipts.ts), so that the save does not wait for the
	 * site. Command line, cron, REST clients with application passwords, and users without the right to a receipt have
	 * no such browser.
	 */
	private static function is_receipt_coming(): bool {
		if ( 'cli' === PHP_SAPI || wp_doing_cron() || ! Receipts::can_request() ) {
			return false;
		}
		return is_admin() || '' !== Input::header( 'x-wp-nonce' ) || Input::has( '_wpnonce' );
	}

	/** Notes the old and the new path of a changed post. */
	private function note_paths( int $id, string $type ): void {
		$post     = get_post( $id );
		$status   = $post ? $post->post_status : 'delete';
		$path     = $post && self::is_shown( $post ) ? Routes::path_of( $post->ID ) : null;
		$old_path = $this->old_paths[ $id ] ?? null;
		if ( null !== $old_path && $old_path !== $path ) {
			$hidden_by = 'publish' === $status ? 'password' : $status;
			self::note( $type, $id, $old_path, null === $path ? $hidden_by : 'moved' );
		}
		if ( null !== $path ) {
			self::note( $type, $id, $path, $status );
		}
		if ( null !== $old_path && $old_path !== $path && self::has_children( $id, $type ) ) {
			// Child pages have moved too.
			self::note( 'anything' );
		}
		unset( $this->old_paths[ $id ] );
	}

	/** @param string $type Post type. */
	private static function has_children( int $id, string $type ): bool {
		$query = array(
			'post_type'   => $type,
			'post_parent' => $id,
			// A draft may have children that are shown.
			'post_status' => array( 'publish', 'private', 'draft', 'pending', 'future' ),
			'fields'      => 'ids',
			'numberposts' => 1,
		);
		return is_post_type_hierarchical( $type ) && (bool) get_posts( $query );
	}
}
