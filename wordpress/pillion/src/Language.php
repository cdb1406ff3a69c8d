<?php
/**
 * Languages of the site. One unless `pillion_languages` says more (R28: a second one is configuration and content).
 */

namespace Pillion;

use WP_REST_Request;

final class Language {
	/** Argument of every `gusto` route (R23). */
	const ARGUMENT = array(
		'lang' => array(
			'type'    => 'string',
			'default' => '',
			'pattern' => '^([A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*)?$',
		),
	);

	/**
	 * Languages by their two letters, the site's own first.
	 *
	 * @return string[]
	 */
	public static function all(): array {
		$own = substr( get_locale(), 0, 2 );
		$all = array_map( 'strval', (array) apply_filters( 'pillion_languages', array( $own ) ) );
		return array_values( array_unique( array_merge( array( $own ), $all ) ) );
	}

	/** The language asked for, or the site's own where it is not one of the site's. */
	public static function of( WP_REST_Request $request ): string {
		$asked = strtolower( substr( (string) $request['lang'], 0, 2 ) );
		return in_array( $asked, self::all(), true ) ? $asked : self::all()[0];
	}

	/** What is added to the name of an option or a menu location: nothing for the site's own language. */
	public static function suffix( string $lang ): string {
		return self::all()[0] === $lang ? '' : '_' . $lang;
	}
}
