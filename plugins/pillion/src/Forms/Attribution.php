<?php
/**
 * The campaigns that led to a sign-up: the parameters of the first and of the last page that the visitor opened with any.
 * The site sends them as JSON.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

final class Attribution {
	/** Field of the request, and meta of an entry. */
	const FIELD = 'pillion_attribution';

	/** Longest value of a parameter, in characters. */
	const MAX_LENGTH = 200;

	/** Parameters that Gravity Forms lists as columns and merge tags. Entries show all. */
	const COLUMNS = array( 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'ref', 'gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id' );

	/** @return array<string, string> Labels, by name of the touch. */
	public static function touches(): array {
		return array(
			'first' => __( 'First campaign', 'pillion' ),
			'last'  => __( 'Last campaign', 'pillion' ),
		);
	}

	/**
	 * @param mixed $json As the site sent it, or as stored.
	 * @return array<string, array<string, string>> Values by touch and parameter, without malformed ones.
	 */
	public static function decode( $json ): array {
		$decoded   = is_string( $json ) ? json_decode( $json, true ) : null;
		$campaigns = array();
		foreach ( array_keys( self::touches() ) as $touch ) {
			foreach ( is_array( $decoded[ $touch ] ?? null ) ? $decoded[ $touch ] : array() as $name => $value ) {
				if ( is_string( $value ) && preg_match( '/^[a-z][a-z0-9_]{1,40}$/', (string) $name ) ) {
					$campaigns[ $touch ][ $name ] = mb_substr( $value, 0, self::MAX_LENGTH );
				}
			}
		}
		return $campaigns;
	}

	/**
	 * @param mixed $json As stored.
	 * @return array<int, array{0: string, 1: string}> Label and value of each parameter.
	 */
	public static function to_rows( $json ): array {
		$labels = self::touches();
		$rows   = array();
		foreach ( self::decode( $json ) as $touch => $values ) {
			foreach ( $values as $name => $value ) {
				$rows[] = array( $labels[ $touch ] . ': ' . $name, $value );
			}
		}
		return $rows;
	}

	/** @param array<int, array{0: string, 1: string}> $rows */
	public static function render( array $rows ): void {
		foreach ( $rows as list( $label, $value ) ) {
			echo '<tr><th scope="row">' . esc_html( $label ) . '</th><td>' . esc_html( $value ) . '</td></tr>';
		}
	}
}
