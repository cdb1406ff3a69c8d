<?php
/**
 * All texts of the site's shell (R18): one option per language, `gusto/options`, and core's `/wp/v2/settings`.
 *
 * Only texts that an editor has entered are stored. The site gets `null` for the others and uses its default (R19), so
 * an empty field cannot blank a button.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Lib\Data;
use Pillion\Lib\Language;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

/**
 * @phpstan-type Field array{kind: 'text'|'lines'|'svg'|'address'|'audio'|'number'|'count'|'choice', label: string, default?: string, help?: string, least?: int, choices?: array<string, string>}
 */
final class Strings {
	const OPTION = 'pillion_strings';

	/** Longest value by kind, in characters: far above real values, but small enough for a fast page. */
	const MAX_LENGTHS = array(
		'text'    => 300,
		'lines'   => 3000,
		'svg'     => 16384, // `LONGEST_DRAWING` of the site.
		'address' => 2000,
		'audio'   => 2000,
	);

	/** Longest value of the other kinds, numbers and choices, in characters. */
	const MAX_LENGTH_OTHERS = 20;

	/** Marks a member that is missing in the input; null is a valid value. */
	const MISSING = "\0absent";

	public function register(): void {
		// Without the declarations all texts would be returned and saved as empty.
		if ( ! StringFields::declarations() ) {
			return;
		}
		add_action( 'init', array( $this, 'register_setting' ) );
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
		add_filter( 'rest_pre_get_setting', array( $this, 'filter_rest_setting' ), 10, 2 );
		add_filter( 'rest_request_before_callbacks', array( $this, 'refuse_invalid' ), 10, 3 );
	}

	public static function option( string $lang ): string {
		return self::OPTION . Language::suffix( $lang );
	}

	/**
	 * The stored values. Invalid members count as not set.
	 *
	 * @return array<string, mixed> Values by path (`footer.colophon`), and `links` as addresses by name.
	 */
	public static function stored( string $lang ): array {
		return self::merge( Data::option( self::option( $lang ) ), array() )['values'];
	}

	/**
	 * Merges input into stored values, member by member: a missing one keeps the value, an empty one or null clears it,
	 * an invalid one is reported and keeps the value.
	 *
	 * @param array<string, mixed> $input  Nested, as the site reads it or as stored.
	 * @param array<string, mixed> $stored By path.
	 * @return array{values: array<string, mixed>, problems: array<string, string>} Both by path.
	 */
	public static function merge( array $input, array $stored ): array {
		$problems = array();
		foreach ( StringFields::all() as $path => $field ) {
			$value = Data::at( $input, $path, self::MISSING );
			if ( self::MISSING === $value ) {
				continue;
			}
			$result = StringFields::validate( $field, $value );
			if ( null !== $result['problem'] ) {
				$problems[ $path ] = $result['problem'];
			} elseif ( null === $result['value'] ) {
				unset( $stored[ $path ] );
			} else {
				$stored[ $path ] = $result['value'];
			}
		}
		if ( isset( $input['links'] ) && is_array( $input['links'] ) ) {
			$links           = StringFields::validate_links( $input['links'], (array) ( $stored['links'] ?? array() ) );
			$stored['links'] = $links['values'];
			$problems       += $links['problems'];
		}
		return array( 'values' => $stored, 'problems' => $problems );
	}

	/** All texts for the site; `null` for those that the editor left empty. */
	public static function for_site( string $lang ): array {
		$values = self::own_values( $lang );
		// Brand, logo and addresses rarely differ by language, so a language inherits missing values from its
		// fallbacks. A default in the own language is better than a text in another one, and the site inserts it.
		// The offer to switch to a language is written in that language and cannot be inherited.
		$not_inherited = StringFields::defaults( $lang ) + array( 'labels.offer' => '' );
		foreach ( Language::order( $lang ) as $fallback ) {
			$values += array_diff_key( self::stored( $fallback ), $not_inherited );
		}
		return self::nest_with_missing( $values );
	}

	/**
	 * The texts that visitors of the language would read in another language, by path: neither the editor nor the kit
	 * has them.
	 *
	 * @return list<string>
	 */
	public static function untranslated( string $lang ): array {
		// The plural forms differ by language, and the offer shows the language's name.
		$translated = self::own_values( $lang ) + StringFields::defaults( $lang ) + array_fill_keys( array( 'labels.offer', 'search.two', 'search.few' ), '' );
		return array_keys( array_diff_key( StringFields::english_texts(), $translated ) );
	}

	/**
	 * The stored values of a language, then those of its fallbacks in the same language: `de-AT` inherits from `de`.
	 *
	 * @return array<string, mixed> By path.
	 */
	public static function own_values( string $lang ): array {
		$values = self::stored( $lang );
		foreach ( Language::order( $lang ) as $fallback ) {
			if ( Language::primary( $fallback ) === Language::primary( $lang ) ) {
				$values += array_diff_key( self::stored( $fallback ), array( 'labels.offer' => true ) );
			}
		}
		return $values;
	}

	public function register_setting(): void {
		foreach ( Language::all() as $lang ) {
			register_setting(
				StringsPage::GROUP,
				self::option( $lang ),
				array(
					'type'              => 'object',
					'label'             => __( 'Texts of the site', 'pillion' ),
					'default'           => array(),
					'sanitize_callback' => fn( $input ): array => $this->sanitize( $input, $lang ),
					'show_in_rest'      => array( 'schema' => StringFields::schema() ),
				)
			);
		}
	}

	public function register_route(): void {
		KeyRules::add_route( 'gusto', '/options', array( $this, 'get_options' ), '__return_true', Language::ARGUMENT );
	}

	public function get_options( WP_REST_Request $request ): WP_REST_Response {
		$texts          = self::for_site( Language::requested( $request ) );
		$texts['links'] = (object) $texts['links'];
		$languages      = Language::list_for_site();
		if ( null !== $languages ) {
			$texts['languages'] = $languages;
		}
		if ( Look::values() ) {
			$texts['look'] = Look::values();
		}
		return new WP_REST_Response( $texts );
	}

	/** Core returns null for a whole option if one member has the wrong type; this returns the valid members. */
	public function filter_rest_setting( $value, string $name ) {
		foreach ( Language::all() as $lang ) {
			if ( self::option( $lang ) === $name ) {
				return self::nest_with_missing( self::stored( $lang ) );
			}
		}
		return $value;
	}

	/** Returns the messages of the settings page over REST too; core's schema checks types only. */
	public function refuse_invalid( $response, $handler, WP_REST_Request $request ) {
		if ( '/wp/v2/settings' !== $request->get_route() || 'GET' === $request->get_method() || is_wp_error( $response ) ) {
			return $response;
		}
		$problems = array();
		foreach ( Language::all() as $lang ) {
			$input     = $request[ self::option( $lang ) ];
			$problems += is_array( $input ) ? self::merge( $input, array() )['problems'] : array();
		}
		if ( ! $problems ) {
			return $response;
		}
		return new WP_Error( 'rest_invalid_param', implode( ' ', $problems ), array( 'status' => 400, 'params' => $problems ) );
	}

	/**
	 * @param mixed $input From the settings page, REST or another update_option() call.
	 * @return array<string, mixed> Nested, without empty values.
	 */
	private function sanitize( $input, string $lang ): array {
		$stored = self::stored( $lang );
		if ( ! is_array( $input ) ) {
			return self::nest( $stored );
		}
		$merged = self::merge( $input, $stored );
		StringsPage::store_draft( $merged['problems'], $input );
		return self::nest( $merged['values'] );
	}

	/** @param array<string, mixed> $values By path. In the result, missing texts are null. */
	private static function nest_with_missing( array $values ): array {
		return self::nest( $values + array_fill_keys( array_keys( StringFields::all() ), null ) + array( 'links' => array() ) );
	}

	/** @param array<string, mixed> $values By path. */
	private static function nest( array $values ): array {
		$nested = array();
		foreach ( $values as $path => $value ) {
			$place = &$nested;
			foreach ( explode( '.', $path ) as $key ) {
				$place = &$place[ $key ];
			}
			$place = $value;
			unset( $place );
		}
		return $nested;
	}
}
