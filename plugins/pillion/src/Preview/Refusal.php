<?php
/**
 * Reasons why a preview is not shown, as error codes that the site knows.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use WP_Error;

final class Refusal {
	/** The token is malformed or its signature is wrong. */
	public static function wrong(): WP_Error {
		return self::of( 'wrong', __( 'This link to a preview is not valid for this WordPress.', 'pillion' ) );
	}

	public static function expired(): WP_Error {
		return self::of( 'expired', __( 'This link to a preview has expired.', 'pillion' ) );
	}

	public static function withdrawn(): WP_Error {
		return self::of( 'withdrawn', __( 'This link to a preview was withdrawn.', 'pillion' ) );
	}

	/** A user's own token, opened before. */
	public static function used(): WP_Error {
		return self::of( 'used', __( 'This link to a preview has already been used.', 'pillion' ) );
	}

	public static function rights(): WP_Error {
		return self::of( 'rights', __( 'You may not see this preview.', 'pillion' ) );
	}

	/** The post is deleted, or the site does not show its type. */
	public static function gone(): WP_Error {
		return self::of( 'gone', __( 'There is nothing to preview. The page was deleted.', 'pillion' ), 404 );
	}

	/** The site's address or the secret is missing. */
	public static function unset_up(): WP_Error {
		return self::of( 'unset', __( 'The site’s address or the secret is missing: see Pillion → Site.', 'pillion' ), 503 );
	}

	public static function failed(): WP_Error {
		return self::of( 'failed', __( 'WordPress could not render the page because a block or a plugin failed.', 'pillion' ), 500 );
	}

	private static function of( string $reason, string $says, int $status = 403 ): WP_Error {
		return new WP_Error( "pillion_preview_$reason", $says, array( 'status' => $status ) );
	}
}
