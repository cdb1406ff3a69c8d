<?php
/**
 * Reasons why a preview is not shown, as error codes that the site knows.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use WP_Error;

final class Refusal {
	/** Status by reason; all others have 403. */
	const STATUS = array( 'gone' => 404, 'unset' => 503, 'failed' => 500 );

	/** @param 'wrong'|'expired'|'withdrawn'|'used'|'rights'|'gone'|'unset'|'failed' $reason */
	public static function error_for( string $reason ): WP_Error {
		$messages = array(
			// The token is malformed or its signature is wrong.
			'wrong'     => __( 'This link to a preview is not valid for this WordPress.', 'pillion' ),
			'expired'   => __( 'This link to a preview has expired.', 'pillion' ),
			'withdrawn' => __( 'This link to a preview was withdrawn.', 'pillion' ),
			// A user's own token, opened before.
			'used'      => __( 'This link to a preview has already been used.', 'pillion' ),
			'rights'    => __( 'You may not see this preview.', 'pillion' ),
			// The post is deleted, or the site does not show its type.
			'gone'      => __( 'There is nothing to preview. The page was deleted.', 'pillion' ),
			'unset'     => __( 'The site’s address or the secret is missing: see Pillion → Site.', 'pillion' ),
			'failed'    => __( 'WordPress could not render the page because a block or a plugin failed.', 'pillion' ),
		);
		return new WP_Error( "pillion_preview_$reason", $messages[ $reason ], array( 'status' => self::STATUS[ $reason ] ?? 403 ) );
	}
}
