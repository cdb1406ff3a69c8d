<?php
/**
 * Addresses of a WordPress whose parts do not all lie under its Site Address (`home`): with the public site as its home, in
 * its own directory, with a `wp-content` elsewhere. See decision 059.
 */

namespace Pillion\Site;

use Pillion\Lib\Input;
use WP_REST_Response;

final class Addresses {
	/** Field of core's REST index: the folders of uploads, the one for new files first. */
	const UPLOADS = 'pillion_uploads';

	public function register(): void {
		// Before other plugins change it.
		add_filter( 'rest_url', array( self::class, 'lead_to_wordpress' ), 5, 3 );
		add_filter( 'do_parse_request', array( self::class, 'read_below_wordpress' ), PHP_INT_MAX );
		add_filter( 'rest_index', array( self::class, 'name_uploads' ) );
	}

	/**
	 * Core writes REST addresses below home. Where the public site is there, no WordPress answers, and a browser would keep
	 * the editor's calls from another host anyway.
	 *
	 * @param string   $url
	 * @param string   $path
	 * @param int|null $blog
	 */
	public static function lead_to_wordpress( $url, $path, $blog ): string {
		if ( ! self::is_home_elsewhere( $blog ) ) {
			return (string) $url;
		}
		$home = '~^https?://' . preg_quote( self::bare( get_home_url( $blog ) ), '~' ) . '(?=[/?]|$)~i';
		return (string) preg_replace( $home, untrailingslashit( get_site_url( $blog ) ), (string) $url );
	}

	/** The REST address that the block editor gets, even if this request came to another host. */
	public static function of_editor(): string {
		return (string) Input::as_if_asked_at( self::host( self::bare( site_url() ) ), 'rest_url' );
	}

	/**
	 * WordPress reads the path of a request below its home. Where home is elsewhere, the path lies below its own address.
	 *
	 * @param bool $is_parsed
	 */
	public static function read_below_wordpress( $is_parsed ): bool {
		$folder = untrailingslashit( (string) wp_parse_url( site_url(), PHP_URL_PATH ) );
		if ( $is_parsed && '' !== $folder && 0 === strpos( Input::path(), "$folder/" ) && self::is_home_elsewhere() ) {
			$own = static function (): string {
				return site_url();
			};
			add_filter( 'home_url', $own );
			// The next filter after WP::parse_request() has matched the path.
			add_filter(
				'query_vars',
				static function ( $names ) use ( $own ) {
					remove_filter( 'home_url', $own );
					return $names;
				}
			);
		}
		return (bool) $is_parsed;
	}

	/**
	 * Whether home is the public site's address, where no WordPress answers. A request that came to another host than
	 * WordPress' own, and that is home's, shows that WordPress answers there.
	 *
	 * @param int|null $blog
	 */
	private static function is_home_elsewhere( $blog = null ): bool {
		$home = self::bare( get_home_url( $blog ) );
		$own  = self::bare( get_site_url( $blog ) );
		if ( self::host( $home ) === self::host( $own ) ) {
			return $home !== $own && self::bare( Connection::address() ) === $home;
		}
		// A web server may leave the port out of the Host header: then one name does not tell the two apart.
		$is_one_name = explode( ':', self::host( $home ) )[0] === explode( ':', self::host( $own ) )[0];
		return $is_one_name || self::host( $home ) !== strtolower( Input::header( 'Host' ) );
	}

	/** Without its scheme: http and https are the same place. */
	private static function bare( string $url ): string {
		return untrailingslashit( (string) preg_replace( '~^https?://~i', '', $url ) );
	}

	private static function host( string $bare ): string {
		return strtolower( explode( '/', $bare )[0] );
	}

	/**
	 * Of a network in folders, the one folder above all its sites' own.
	 *
	 * @return string[]
	 */
	public static function uploads(): array {
		$own = (string) preg_replace( '~/sites/\d+$~', '', (string) wp_get_upload_dir()['baseurl'] );
		return array_values( array_unique( array( $own, content_url( 'uploads' ) ) ) );
	}

	/**
	 * @param mixed $response
	 * @return mixed
	 */
	public static function name_uploads( $response ) {
		if ( $response instanceof WP_REST_Response ) {
			$response->set_data( array( self::UPLOADS => self::uploads() ) + (array) $response->get_data() );
		}
		return $response;
	}
}
