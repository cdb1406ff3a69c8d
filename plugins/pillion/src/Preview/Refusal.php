<?php
/**
 * Why a preview is not shown, as an error code that the site knows.
 */

namespace Pillion\Preview;

use WP_Error;

final class Refusal {
	/** Neither ours nor whole. */
	public static function wrong(): WP_Error {
		return self::of( 'wrong', __( 'This link to a preview is not one of this WordPress.', 'pillion' ) );
	}

	public static function expired(): WP_Error {
		return self::of( 'expired', __( 'This link to a preview is too old.', 'pillion' ) );
	}

	public static function withdrawn(): WP_Error {
		return self::of( 'withdrawn', __( 'This link to a preview was withdrawn.', 'pillion' ) );
	}

	/** Of one's own, and opened before. */
	public static function used(): WP_Error {
		return self::of( 'used', __( 'This link to a preview was used already.', 'pillion' ) );
	}

	public static function rights(): WP_Error {
		return self::of( 'rights', __( 'You may not see this preview.', 'pillion' ) );
	}

	/** Deleted, never there, or nothing that the site shows. */
	public static function gone(): WP_Error {
		return self::of( 'gone', __( 'There is nothing to preview: it was deleted.', 'pillion' ), 404 );
	}

	/** No address of the site, or no secret. */
	public static function unset_up(): WP_Error {
		return self::of( 'unset', __( 'The site’s address or the secret is missing: see Pillion → Site.', 'pillion' ), 503 );
	}

	public static function failed(): WP_Error {
		return self::of( 'failed', __( 'WordPress could not make the page: a block or a plugin failed.', 'pillion' ), 500 );
	}

	private static function of( string $reason, string $says, int $status = 403 ): WP_Error {
		return new WP_Error( "pillion_preview_$reason", $says, array( 'status' => $status ) );
	}
}
