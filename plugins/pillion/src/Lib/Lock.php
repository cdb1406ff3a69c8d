<?php
/**
 * Lets only one of two concurrent requests run a task. Option names are unique, so one request can add the row. A lock
 * can be taken over after a timeout: use it only for tasks that may run twice.
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

final class Lock {
	/** Timeout of a lock in seconds; an older lock was left by a dead request. */
	const TIMEOUT_SECONDS = 30;

	public static function acquire( string $task ): bool {
		global $wpdb;
		$name  = self::name( $task );
		$query = "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
		if ( $wpdb->query( $wpdb->prepare( $query, $name, time() ) ) ) {
			return true;
		}
		$since = (int) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", $name ) );
		if ( $since > time() - self::TIMEOUT_SECONDS ) {
			return false;
		}
		$updated = $wpdb->query( $wpdb->prepare( "UPDATE $wpdb->options SET option_value = %s WHERE option_name = %s AND option_value = %s", time(), $name, $since ) );
		return (bool) $updated;
	}

	public static function release( string $task ): void {
		delete_option( self::name( $task ) );
	}

	private static function name( string $task ): string {
		return 'pillion_lock_' . $task;
	}
}
