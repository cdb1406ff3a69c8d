<?php
/**
 * Reads stored and received data. Anything that is not an array is read as an empty one.
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

use const Pillion\DIRECTORY;

final class Data {
	public static function to_array( $value ): array {
		return is_array( $value ) ? $value : array();
	}

	/**
	 * The members that are arrays.
	 *
	 * @return array<int|string, array<string, mixed>>
	 */
	public static function rows( $value ): array {
		return array_filter( self::to_array( $value ), 'is_array' );
	}

	/**
	 * The member at a path, such as `footer.colophon`.
	 *
	 * @param mixed $missing Returned if there is no such member.
	 */
	public static function at( array $nested, string $path, $missing = '' ) {
		$value = $nested;
		foreach ( explode( '.', $path ) as $key ) {
			if ( ! is_array( $value ) || ! array_key_exists( $key, $value ) ) {
				return $missing;
			}
			$value = $value[ $key ];
		}
		return $value;
	}

	/** @return mixed[] An option. */
	public static function option( string $name ): array {
		return self::to_array( get_option( $name ) );
	}

	/** @return mixed[] A JSON file of the plugin; empty also while an update copies the file. */
	public static function file( string $path ): array {
		$file = DIRECTORY . "/$path";
		return is_readable( $file ) ? self::to_array( json_decode( (string) file_get_contents( $file ), true ) ) : array();
	}
}
