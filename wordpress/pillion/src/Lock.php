<?php
/**
 * Two requests for one sign-up at the same moment: the unique name in the options table lets one through.
 */

namespace Pillion;

final class Lock {
	/** A lock older than this, in seconds, was left by a request that died. */
	const SECONDS = 30;

	public static function take( string $sign_up_id ): bool {
		global $wpdb;
		$name  = self::name( $sign_up_id );
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

	public static function give_back( string $sign_up_id ): void {
		delete_option( self::name( $sign_up_id ) );
	}

	private static function name( string $sign_up_id ): string {
		return 'pillion_lock_' . $sign_up_id;
	}
}
