<?php
/**
 * The colours and typefaces that editors have changed in the site's theme, by the path of the token.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Data;

/**
 * @phpstan-type Values array<string, string>
 * @phpstan-type Saved  array{values: Values, at: int, user: int}
 */
final class Look {
	const OPTION = 'pillion_look';

	/** Number of stored earlier looks. */
	const MAX_EARLIER = 10;

	/** The longest path and the longest value, in bytes. */
	const MAX_LENGTH = 100;

	/** @return Values Empty: the theme as it is. */
	public static function values(): array {
		return self::stored()[0]['values'];
	}

	/** @return non-empty-list<Saved> The current look, then the earlier ones, newest first. */
	public static function stored(): array {
		$stored = array();
		foreach ( Data::rows( get_option( self::OPTION ) ) as $look ) {
			if ( is_array( $look['values'] ?? null ) ) {
				$stored[] = array(
					'values' => self::sanitize( $look['values'] ),
					'at'     => (int) ( $look['at'] ?? 0 ),
					'user'   => (int) ( $look['user'] ?? 0 ),
				);
			}
		}
		return $stored ? $stored : array( array( 'values' => array(), 'at' => 0, 'user' => 0 ) );
	}

	/** The version after a request to the site, during which another user may have saved. */
	public static function current_version(): string {
		wp_cache_delete( self::OPTION, 'options' );
		return self::version();
	}

	/** Identifies the current look, so that a screen that was opened before another save is noticed. */
	public static function version(): string {
		return Admin::fingerprint( self::stored()[0] );
	}

	/** @param Values $values As the site has accepted them. */
	public static function save( array $values ): void {
		$stored = self::stored();
		if ( $stored[0]['values'] === $values ) {
			return;
		}
		array_unshift( $stored, array( 'values' => $values, 'at' => time(), 'user' => get_current_user_id() ) );
		update_option( self::OPTION, array_slice( $stored, 0, 1 + self::MAX_EARLIER ), false );
	}

	/** @return Values Texts of a usable length, without empty ones: these leave the theme as it is. */
	public static function sanitize( array $values ): array {
		$cleaned = array();
		foreach ( $values as $path => $value ) {
			$value = is_string( $value ) ? sanitize_text_field( $value ) : '';
			if ( is_string( $path ) && '' !== $value && strlen( $path ) <= self::MAX_LENGTH && strlen( $value ) <= self::MAX_LENGTH ) {
				$cleaned[ $path ] = $value;
			}
		}
		ksort( $cleaned );
		return $cleaned;
	}
}
