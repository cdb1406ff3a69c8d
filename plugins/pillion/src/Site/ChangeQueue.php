<?php
/**
 * Changes that the site has not confirmed yet. A row each among the options, so that two requests cannot write over each
 * other; whoever comes first sends: the editor's browser, else cron.
 */

namespace Pillion\Site;

/**
 * @phpstan-import-type Message from Changes
 * @phpstan-import-type Answer from Connection
 * @phpstan-import-type Servers from Connection
 * @phpstan-type Waiting array{message: Message, made: float, ran: float, host: string, user: int, tries: int, problem: string}
 * `took` stands with what somebody else's request has sent: seconds from the change, null where they are not known.
 *
 * @phpstan-type Sent array{message: Message, took?: float|null, made: float, ran: float, host: string, user: int, tries: int, problem: string, ok: bool, at: string, servers: Servers}
 */
final class ChangeQueue {
	const PREFIX = 'pillion_change_';

	/** Cron's hook. */
	const HOOK = 'pillion_send_changes';

	/** An editor's browser waits so long for the receipt, in seconds; the site itself gives up sooner. */
	const SEEN_SECONDS = 10;

	/** A request that nobody looks at may take so much longer. */
	const UNSEEN_SECONDS = 5;

	/** Seconds until cron's next try, by the number of those before. After the last a change is left to the site's own minute. */
	const PAUSES = array( 30, 60, 300, 900, 3600 );

	/** How long a receipt waits for whose browser does not ask, in seconds. */
	const KEPT_SECONDS = 120;

	/** @var bool Whether this request has put something in. */
	private static $has_new = false;

	public static function register(): void {
		add_action( self::HOOK, array( self::class, 'send_by_cron' ) );
	}

	public static function has_new(): bool {
		return self::$has_new;
	}

	/**
	 * @param Message[] $messages
	 */
	public static function add( array $messages ): void {
		global $wpdb;
		self::$has_new = true;
		foreach ( $messages as $message ) {
			$waiting = array(
				'message' => $message,
				'made'    => microtime( true ),
				'ran'     => self::ran(),
				'host'    => (string) gethostname(),
				'user'    => get_current_user_id(),
				'tries'   => 0,
				'problem' => '',
			);
			$row     = array(
				'option_name'  => uniqid( self::PREFIX, true ),
				'option_value' => (string) wp_json_encode( $waiting ),
				'autoload'     => 'no',
			);
			$wpdb->insert( $wpdb->options, $row );
		}
		self::schedule( self::PAUSES[0] );
	}

	/** Cron's next try, sooner where it was to come later: for an older change, or by a clock that has been set back since. */
	private static function schedule( int $seconds ): void {
		$next = wp_next_scheduled( self::HOOK );
		if ( $next && $next <= time() + $seconds ) {
			return;
		}
		if ( $next ) {
			wp_unschedule_event( $next, self::HOOK );
		}
		wp_schedule_single_event( time() + $seconds, self::HOOK );
	}

	/** Seconds for which this machine has run, which no setting of its clock changes. */
	private static function ran(): float {
		return hrtime( true ) / 1e9;
	}

	/**
	 * How long ago a change was made.
	 *
	 * @param array<string, mixed> $waiting
	 * @return float|null Seconds; null where it cannot be said for sure: made on another machine or before a start of this
	 *                    one, and by a clock that was set since.
	 */
	public static function age( array $waiting ): ?float {
		$by_clock = microtime( true ) - (float) $waiting['made'];
		$ran      = self::ran() - (float) ( $waiting['ran'] ?? INF );
		if ( gethostname() === ( $waiting['host'] ?? null ) && $ran >= 0 ) {
			return $ran;
		}
		return $by_clock >= 0 && $by_clock <= array_sum( self::PAUSES ) ? $by_clock : null;
	}

	/**
	 * @return array<string, Waiting> By name of their rows; those that were never tried come first, then the oldest.
	 */
	public static function all(): array {
		global $wpdb;
		$like    = $wpdb->esc_like( self::PREFIX ) . '%';
		$rows    = $wpdb->get_results( $wpdb->prepare( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE %s ORDER BY option_id", $like ) );
		$waiting = array();
		foreach ( $rows as $row ) {
			$read = json_decode( $row->option_value, true );
			if ( is_array( $read ) && isset( $read['message'], $read['made'] ) ) {
				$waiting[ $row->option_name ] = $read;
			}
		}
		// One that fails each time stands in nobody's way.
		uasort(
			$waiting,
			static function ( array $a, array $b ): int {
				return (int) $a['tries'] - (int) $b['tries'];
			}
		);
		return $waiting;
	}

	/**
	 * Whether this user has a receipt to come: something of hers was not sent yet, or was sent by somebody else's request.
	 * What did not arrive is cron's; she has been told.
	 */
	public static function has_untried( int $user ): bool {
		if ( is_array( get_transient( self::kept_name( $user ) ) ) ) {
			return true;
		}
		foreach ( self::all() as $waiting ) {
			if ( $waiting['user'] === $user && 0 === $waiting['tries'] ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Tells the site of all that waits, and what did not arrive waits on. What the time was too short for has not been tried.
	 *
	 * @param float $seconds For all of them together.
	 * @return Sent[]
	 */
	public static function send( float $seconds ): array {
		$until = self::ran() + $seconds;
		$sent  = array();
		$down  = null;
		foreach ( self::all() as $name => $waiting ) {
			$left = $until - self::ran();
			if ( ! $down && $left <= 0 ) {
				$sent[] = Connection::late() + $waiting;
				continue;
			}
			$answer = $down ?? Connection::tell( $waiting['message'], max( 1, $left ) );
			// Why one did not arrive may hold for the others; they are not to wait for it again.
			$down   = $answer['stopsAll'] ? $answer : null;
			$sent[] = self::settle( $name, $waiting, $answer );
		}
		self::keep_for_others( $sent );
		return $sent;
	}

	/**
	 * Two people save at once, and whose browser asks first sends what both have changed: the other's receipt waits for her.
	 *
	 * @param Sent[] $sent
	 */
	private static function keep_for_others( array $sent ): void {
		$by_user = array();
		$asking  = get_current_user_id();
		foreach ( $sent as $one ) {
			// Cron comes when nobody's browser has asked for so long: then nobody waits for it any more.
			if ( $one['ok'] && $one['user'] && $asking && $asking !== $one['user'] ) {
				$by_user[ $one['user'] ][] = array( 'took' => self::age( $one ) ) + $one;
			}
		}
		foreach ( $by_user as $user => $own ) {
			set_transient( self::kept_name( $user ), array_merge( self::kept( $user ), $own ), self::KEPT_SECONDS );
		}
	}

	/**
	 * What others' requests have sent of a user's changes since she last asked; the next call finds it no more.
	 *
	 * @return Sent[]
	 */
	public static function take_kept( int $user ): array {
		$kept = self::kept( $user );
		delete_transient( self::kept_name( $user ) );
		return $kept;
	}

	/**
	 * @return Sent[]
	 */
	private static function kept( int $user ): array {
		$kept = get_transient( self::kept_name( $user ) );
		return is_array( $kept ) ? $kept : array();
	}

	private static function kept_name( int $user ): string {
		return "pillion_receipt_$user";
	}

	/** Tries again what the browser could not send, less and less often. */
	public static function send_by_cron(): void {
		self::send( self::SEEN_SECONDS );
		$left = wp_list_pluck( self::all(), 'tries' );
		if ( $left ) {
			// The one that was tried least is due first.
			self::schedule( self::PAUSES[ min( $left ) ] );
		}
	}

	/**
	 * @param Waiting $waiting
	 * @param Answer  $answer
	 * @return Sent
	 */
	private static function settle( string $name, array $waiting, array $answer ): array {
		global $wpdb;
		++$waiting['tries'];
		$waiting['problem'] = $answer['problem'];
		if ( $answer['ok'] || ! isset( self::PAUSES[ $waiting['tries'] ] ) ) {
			$wpdb->delete( $wpdb->options, array( 'option_name' => $name ) );
		} else {
			$wpdb->update( $wpdb->options, array( 'option_value' => (string) wp_json_encode( $waiting ) ), array( 'option_name' => $name ) );
		}
		return $waiting + $answer;
	}
}
