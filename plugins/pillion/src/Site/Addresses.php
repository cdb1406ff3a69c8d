<?php
/**
 * Addresses of a WordPress whose parts are not all under its Site Address (`home`): with the public site as its home,
 * in a separate directory, or with a moved `wp-content`. See decision 059.
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Input;
use WP_REST_Response;

final class Addresses {
	/** Field of core's REST index: the folders of uploads, the one for new files first. */
	const UPLOADS = 'pillion_uploads';

	/** Folder of one site in the uploads of a network. The main site uses the folder above. */
	const FOLDER_IN_NETWORK = '~/sites/\d+$~';

	public function register(): void {
		// Before filters of other plugins.
		add_filter( 'rest_url', array( self::class, 'use_wordpress_address' ), 5, 3 );
		add_filter( 'do_parse_request', array( self::class, 'parse_below_wordpress' ), PHP_INT_MAX );
		add_filter( 'rest_index', array( self::class, 'add_uploads' ) );
	}

	/**
	 * Core builds REST URLs from home. If home is the public site, WordPress does not respond there, and browsers would
	 * block the editor's cross-origin requests.
	 *
	 * @param string   $url
	 * @param string   $path
	 * @param int|null $blog
	 */
	public static function use_wordpress_address( $url, $path, $blog ): string {
		if ( ! self::is_home_elsewhere( $blog ) ) {
			return (string) $url;
		}
		$home_at_start = '~^https?://' . preg_quote( self::without_scheme( get_home_url( $blog ) ), '~' ) . '(?=[/?]|$)~i';
		return (string) preg_replace( $home_at_start, untrailingslashit( get_site_url( $blog ) ), (string) $url );
	}

	/** The REST URL that the block editor gets, even if this request came to another host. */
	public static function editor_rest_url(): string {
		return (string) Input::with_host( self::host( self::without_scheme( site_url() ) ), 'rest_url' );
	}

	/**
	 * WordPress parses a path relative to home. If home is elsewhere, the path is relative to WordPress' own address.
	 *
	 * @param bool $is_parsed
	 */
	public static function parse_below_wordpress( $is_parsed ): bool {
		$folder = untrailingslashit( (string) wp_parse_url( site_url(), PHP_URL_PATH ) );
		if ( $is_parsed && '' !== $folder && str_starts_with( Input::path(), "$folder/" ) && self::is_home_elsewhere() ) {
			$wordpress_url = static fn(): string => site_url();
			add_filter( 'home_url', $wordpress_url );
			// The first filter after WP::parse_request() has matched the path.
			add_filter(
				'query_vars',
				static function ( $names ) use ( $wordpress_url ) {
					remove_filter( 'home_url', $wordpress_url );
					return $names;
				}
			);
		}
		return (bool) $is_parsed;
	}

	/**
	 * Whether home is the public site's address and not WordPress. If a request arrives at home's host, WordPress
	 * responds there too.
	 *
	 * @param int|null $blog
	 */
	private static function is_home_elsewhere( $blog = null ): bool {
		$home      = self::without_scheme( get_home_url( $blog ) );
		$wordpress = self::without_scheme( get_site_url( $blog ) );
		if ( self::host( $home ) === self::host( $wordpress ) ) {
			return $home !== $wordpress && self::without_scheme( Connection::address() ) === $home;
		}
		// A web server can remove the port from the Host header, so hosts that differ only in the port are ambiguous.
		$is_one_name = explode( ':', self::host( $home ) )[0] === explode( ':', self::host( $wordpress ) )[0];
		return $is_one_name || self::host( $home ) !== strtolower( Input::header( 'Host' ) );
	}

	/** The URL without its scheme, because http and https count as the same address. */
	private static function without_scheme( string $url ): string {
		return untrailingslashit( (string) preg_replace( '~^https?://~i', '', $url ) );
	}

	/** Host and port. */
	private static function host( string $url_without_scheme ): string {
		return strtolower( explode( '/', $url_without_scheme )[0] );
	}

	/**
	 * Path below an address of `upload_urls`.
	 *
	 * @param string $file Relative to the folder in which WordPress stores this site's uploads.
	 */
	public static function path_in_uploads( string $file ): string {
		preg_match( self::FOLDER_IN_NETWORK, (string) wp_get_upload_dir()['baseurl'], $folder );
		return ( $folder[0] ?? '' ) . '/' . ltrim( $file, '/' );
	}

	/** @return string[] Upload folders. For a network, the folder above those of its sites. */
	private static function upload_urls(): array {
		$base_url = (string) preg_replace( self::FOLDER_IN_NETWORK, '', (string) wp_get_upload_dir()['baseurl'] );
		return array_values( array_unique( array( $base_url, content_url( 'uploads' ) ) ) );
	}

	public static function add_uploads( $index ) {
		if ( $index instanceof WP_REST_Response ) {
			$index->set_data( array( self::UPLOADS => self::upload_urls() ) + (array) $index->get_data() );
		}
		return $index;
	}
}
