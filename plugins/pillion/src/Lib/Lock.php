<?php
/**
 * Lets one of two requests through that would make the same thing at the same moment. Names in the options table are
 * unique, so only one of them can add the row. A lock is taken over when its holder takes too long: use it only for what
 * may be made twice.
 */

namespace Pillion\Lib;

final class Lock {
	/** A lock older than this, in seconds, was left by a request that died. */
	const SECONDS = 30;

	public static function take( string $what ): bool {
		global $wpdb;
		$name  = self::name( $what );
		$query = "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
		if ( $wpdb->query( $wpdb->prepare( $query, $name, time() ) ) ) {
			return true;
		}
		$since = (int) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", $name ) );
		if ( $since > time() - self::SECONDS ) {
			return false;
		}
		$taken = $wpdb->query( $wpdb->prepare( "UPDATE $wpdb->options SET option_value = %s WHERE option_name = %s AND option_value = %s", time(), $name, $since ) );
		return (bool) $taken;
	}

	public static function give_back( string $what ): void {
		delete_option( self::name( $what ) );
	}

	private static function name( string $what ): string {
		return 'pillion_lock_' . $what;
	}
}
