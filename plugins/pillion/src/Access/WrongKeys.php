<?php
/**
 * Logs wrong keys, without secrets, in PHP's log and on the screen of keys, and limits them per network with status
 * 429. Valid keys are not limited. The data is one option of limited size.
 */

namespace Pillion\Access;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;
use Pillion\Lib\Input;
use WP_Error;

/** @phpstan-type Tries array{since: int, last: int, count: int, key: string} */
final class WrongKeys {
	const OPTION = 'pillion_wrong_keys';

	/** Window of the counter in seconds. */
	const WINDOW_SECONDS = 60;

	/** Tries per network and window; more get status 429 and are not counted. */
	const LIMIT = 60;

	/** Networks that are stored. A new one replaces the one whose last try is oldest. */
	const MAX_NETWORKS = 50;

	/** Log lines per window, for all networks. */
	const MAX_LOG_LINES = 20;

	/**
	 * Counts a request with a wrong key or secret.
	 *
	 * @return WP_Error The response to it.
	 */
	public static function count_and_refuse( string $key ): WP_Error {
		$network = self::network( Input::address() );
		$all     = self::all();
		$now     = time();
		$tries   = $all[ $network ] ?? null;
		// A clock that was set back starts a new window.
		if ( ! $tries || $now - $tries['since'] >= self::WINDOW_SECONDS || $now < $tries['since'] ) {
			$tries = array( 'since' => $now, 'last' => $now, 'count' => 0, 'key' => '' );
		}
		if ( $tries['count'] >= self::LIMIT ) {
			return self::too_many( $tries['since'] + self::WINDOW_SECONDS - $now );
		}
		$tries = array( 'count' => $tries['count'] + 1, 'last' => $now, 'key' => self::last_characters( $key ) ) + $tries;
		if ( 1 === $tries['count'] || self::LIMIT === $tries['count'] ) {
			self::log( $network, $tries, $all, $now );
		}
		self::save( array( $network => $tries ) + $all );
		return new WP_Error( 'pillion_wrong_key', __( 'The consumer key or its secret is wrong.', 'pillion' ), array( 'status' => 401 ) );
	}

	/** @return array<string, Tries> By network, the latest first. */
	public static function all(): array {
		$stored = Data::rows( get_option( self::OPTION ) );
		return array_filter( $stored, static fn( array $tries ): bool => isset( $tries['since'], $tries['last'], $tries['count'], $tries['key'] ) );
	}

	/** @param array<string, Tries> $all */
	private static function save( array $all ): void {
		uasort( $all, static fn( array $a, array $b ): int => $b['last'] - $a['last'] );
		update_option( self::OPTION, array_slice( $all, 0, self::MAX_NETWORKS, true ), false );
	}

	/**
	 * Writes a line to PHP's log, unless many networks sent wrong keys in this window.
	 *
	 * @param Tries                $tries Of this network.
	 * @param array<string, Tries> $all   By network.
	 */
	private static function log( string $network, array $tries, array $all, int $now ): void {
		$recent = array_filter( $all, static fn( array $tries_of_network ): bool => abs( $now - $tries_of_network['since'] ) < self::WINDOW_SECONDS );
		if ( count( $recent ) < self::MAX_LOG_LINES ) {
			error_log( sprintf( 'Pillion: wrong consumer key …%s from %s, %d in the last minute.', $tries['key'], $network, $tries['count'] ) );
		}
	}

	/** @param int $seconds_left Until the window ends. */
	private static function too_many( int $seconds_left ): WP_Error {
		add_filter(
			'rest_post_dispatch',
			static function ( $response ) use ( $seconds_left ) {
				$response->header( 'Retry-After', (string) $seconds_left );
				return $response;
			}
		);
		return new WP_Error( 'pillion_wrong_key', __( 'The consumer key or its secret is wrong. There were too many wrong keys in the last minute; wait a minute.', 'pillion' ), array( 'status' => 429 ) );
	}

	/** The end of a key, as on the screen of keys, with letters and digits only. */
	private static function last_characters( string $key ): string {
		return substr( (string) preg_replace( '/[^a-z0-9_]/i', '', $key ), -7 );
	}

	/** An IPv4 address, or the /64 of an IPv6 address, which one household shares. */
	private static function network( string $address ): string {
		// Web servers that listen for both write IPv4 addresses in this form (RFC 4291, section 2.5.5.2).
		$address = (string) preg_replace( '/^::ffff:(?=[\d.]+$)/i', '', $address );
		if ( ! filter_var( $address, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6 ) ) {
			return $address;
		}
		return inet_ntop( substr( inet_pton( $address ), 0, 8 ) . str_repeat( "\0", 8 ) ) . '/64';
	}
}
