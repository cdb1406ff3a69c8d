<?php
/**
 * Wrong keys: noted in PHP's log and on the screen of keys, never with a secret, and answered 429 where one network tries
 * many. A right key is not slowed by any of it. What is kept is bounded, in one row.
 */

namespace Pillion\Access;

use Pillion\Lib\Input;
use WP_Error;

/**
 * @phpstan-type Tries array{since: int, last: int, count: int, key: string}
 */
final class WrongKeys {
	const OPTION = 'pillion_wrong_keys';

	/** Seconds after which a network's tries are counted anew. */
	const WINDOW = 60;

	/** Tries of one network in a window before it is told to wait, and before counting them costs no write any more. */
	const LIMIT = 60;

	/** Networks that are remembered. A new one takes the place of the one that was silent longest. */
	const NETWORKS = 50;

	/** Lines in the log within a window, whoever tries. */
	const LINES = 20;

	/** Notes a try. @return WP_Error What it is answered with. */
	public static function refuse( string $key ): WP_Error {
		$network = self::network( Input::address() );
		$all     = self::all();
		$now     = time();
		$tries   = $all[ $network ] ?? null;
		// A clock that was set back begins a new window too.
		if ( ! $tries || $now - $tries['since'] >= self::WINDOW || $now < $tries['since'] ) {
			$tries = array( 'since' => $now, 'last' => $now, 'count' => 0, 'key' => '' );
		}
		if ( $tries['count'] >= self::LIMIT ) {
			return self::wait( $tries['since'] + self::WINDOW - $now );
		}
		$tries = array( 'count' => $tries['count'] + 1, 'last' => $now, 'key' => self::ending( $key ) ) + $tries;
		if ( 1 === $tries['count'] || self::LIMIT === $tries['count'] ) {
			self::log( $network, $tries, $all, $now );
		}
		self::keep( array( $network => $tries ) + $all );
		return new WP_Error( 'pillion_wrong_key', __( 'The consumer key or its secret is wrong.', 'pillion' ), array( 'status' => 401 ) );
	}

	/**
	 * @return array<string, Tries> By network, the latest first.
	 */
	public static function all(): array {
		$kept = get_option( self::OPTION, array() );
		return array_filter(
			is_array( $kept ) ? $kept : array(),
			static function ( $tries ): bool {
				return is_array( $tries ) && isset( $tries['since'], $tries['last'], $tries['count'], $tries['key'] );
			}
		);
	}

	/**
	 * @param array<string, Tries> $all
	 */
	private static function keep( array $all ): void {
		uasort(
			$all,
			static function ( array $a, array $b ): int {
				return $b['last'] - $a['last'];
			}
		);
		update_option( self::OPTION, array_slice( $all, 0, self::NETWORKS, true ), false );
	}

	/**
	 * @param Tries                $tries
	 * @param array<string, Tries> $all
	 */
	private static function log( string $network, array $tries, array $all, int $now ): void {
		$recent = array_filter(
			$all,
			static function ( array $one ) use ( $now ): bool {
				return abs( $now - $one['since'] ) < self::WINDOW;
			}
		);
		if ( count( $recent ) < self::LINES ) {
			error_log( sprintf( 'Pillion: wrong consumer key …%s from %s, %d in the last minute.', $tries['key'], $network, $tries['count'] ) );
		}
	}

	private static function wait( int $seconds ): WP_Error {
		add_filter(
			'rest_post_dispatch',
			static function ( $response ) use ( $seconds ) {
				$response->header( 'Retry-After', (string) max( 1, $seconds ) );
				return $response;
			}
		);
		return new WP_Error( 'pillion_wrong_key', __( 'The consumer key or its secret is wrong, and was too often in the last minute.', 'pillion' ), array( 'status' => 429 ) );
	}

	/** The end of a key, which its screen shows too; nothing of what was typed but letters and digits. */
	private static function ending( string $key ): string {
		return substr( (string) preg_replace( '/[^a-z0-9_]/i', '', $key ), -7 );
	}

	/** An IPv4 address, or the /64 of an IPv6 one, which is one household's. */
	private static function network( string $address ): string {
		$bytes = inet_pton( $address );
		if ( false === $bytes || 4 === strlen( $bytes ) ) {
			return $address;
		}
		return inet_ntop( substr( $bytes, 0, 8 ) . str_repeat( "\0", 8 ) ) . '/64';
	}
}
