<?php
/**
 * Addresses of a WordPress whose parts do not all lie under its Site Address (`home`): with the public site as its home, in
 * its own directory, with a `wp-content` elsewhere. See decision 059.
 */

namespace Pillion\Site;

use WP_REST_Response;

final class Addresses {
	/** Field of core's REST index: the folders of uploads, the one for new files first. */
	const UPLOADS = 'pillion_uploads';

	public function register(): void {
		add_filter( 'rest_index', array( self::class, 'name_uploads' ) );
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
