<?php
/**
 * A version of the routes, so that the site need not read the whole list again when nothing has changed.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Languages\Translations;
use Pillion\Lib\Language;

final class RoutesVersion {
	/** Replaced after each noted change of any content. */
	const OPTION = 'pillion_content_version';

	/** Called when the changes of a request are stored: until then a list could have both the new version and old data. */
	public static function renew(): void {
		update_option( self::OPTION, wp_generate_uuid4(), true );
	}

	/**
	 * Entity tag of the routes of a language. It also has what no hook notes: active plugins and post types, and the
	 * number and newest date of the published posts, which an import changes.
	 */
	public static function tag( string $lang ): string {
		global $wpdb;
		$types  = Routes::types();
		$places = implode( ', ', array_fill( 0, count( $types ), '%s' ) );
		// phpcs:ignore WordPress.DB.PreparedSQL, WordPress.DB.PreparedSQLPlaceholders, WordPress.DB.DirectDatabaseQuery -- Only placeholders are put in; a cached number would defeat the purpose.
		$posts = $wpdb->get_row( $wpdb->prepare( "SELECT COUNT(*), MAX(post_modified_gmt) FROM $wpdb->posts WHERE post_status = 'publish' AND post_type IN ( $places )", $types ), ARRAY_N );
		$parts = array(
			\Pillion\VERSION,
			get_option( self::OPTION ),
			$posts,
			$types,
			get_option( 'active_plugins' ),
			home_url(),
			get_option( 'permalink_structure' ),
			get_option( 'page_on_front' ),
			Language::all(),
			Translations::are_elsewhere(),
			$lang,
		);
		return '"' . md5( (string) wp_json_encode( $parts ) ) . '"';
	}
}
