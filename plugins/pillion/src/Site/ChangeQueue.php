<?php
/**
 * Changes that the site has not confirmed yet. Each is a row of the options table, so that concurrent requests cannot
 * overwrite each other. The editor's browser sends them, or else cron.
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

/**
 * @phpstan-import-type Message from Changes
 * @phpstan-import-type SiteResult from Connection
 * @phpstan-import-type Servers from Connection
 * @phpstan-type Waiting array{message: Message, made: float, ran: float, host: string, user: int, tries: int, problem: string}
 * @phpstan-type Sent array{message: Message, made: float, ran: float, host: string, user: int, tries: int, problem: string, ok: bool, at: string, servers: Servers}
 */
final class ChangeQueue {
	const PREFIX = 'pillion_change_';

	/** Hook of the cron event. */
	const HOOK = 'pillion_send_changes';

	/** Time limit of a request by the editor's browser in seconds; the site's own limit is shorter. */
	const BROWSER_TIMEOUT_SECONDS = 10;

	/** Time limit without a browser that waits, in seconds. */
	const BACKGROUND_TIMEOUT_SECONDS = 5;

	/**
	 * Seconds until cron's next try, by the number of tries. After the last one the site finds the change by its check
	 * every minute.
	 */
	const RETRY_SECONDS = array( 30, 60, 300, 900, 3600 );

	/** @var bool Whether this request has added a change. */
	private static $has_new = false;

	public static function register(): void {
		add_action( self::HOOK, array( self::class, 'send_by_cron' ) );
	}

	public static function has_new(): bool {
		return self::$has_new;
	}

	/** @param Message[] $messages */
	public static function add( array $messages ): void {
		global $wpdb;
		self::$has_new = true;
		foreach ( $messages as $message ) {
			$waiting = array(
				'message' => $message,
				'made'    => microtime( true ),
				'ran'     => self::uptime(),
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
		self::schedule( self::RETRY_SECONDS[0] );
	}

	/** Schedules cron's next try, or moves it earlier: for an older change, or after the clock was set back. */
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

	/** Uptime of this machine in seconds, which does not depend on its clock. */
	private static function uptime(): float {
		return hrtime( true ) / 1e9;
	}

	/**
	 * Time since a change.
	 *
	 * @return float|null Seconds; null if unknown: made on another machine or before a restart, and the clock was set
	 * since.
	 */
	public static function age( array $waiting ): ?float {
		$by_clock        = microtime( true ) - (float) $waiting['made'];
		$seconds_running = self::uptime() - (float) ( $waiting['ran'] ?? INF );
		if ( gethostname() === ( $waiting['host'] ?? null ) && $seconds_running >= 0 ) {
			return $seconds_running;
		}
		return $by_clock >= 0 && $by_clock <= array_sum( self::RETRY_SECONDS ) ? $by_clock : null;
	}

	/** @return array<string, Waiting> By the name of their rows; those with the fewest tries first, then the oldest. */
	public static function all(): array {
		global $wpdb;
		$like    = $wpdb->esc_like( self::PREFIX ) . '%';
		$rows    = $wpdb->get_results( $wpdb->prepare( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE %s ORDER BY option_id", $like ) );
		$waiting = array();
		foreach ( $rows as $row ) {
			$decoded = json_decode( $row->option_value, true );
			if ( is_array( $decoded ) && isset( $decoded['message'], $decoded['made'] ) ) {
				$waiting[ $row->option_name ] = $decoded;
			}
		}
		// A change that always fails must not delay the others.
		uasort( $waiting, static fn( array $a, array $b ): int => (int) $a['tries'] - (int) $b['tries'] );
		return $waiting;
	}

	/**
	 * Whether a receipt for this user is due: one of their changes was not tried yet. Cron repeats failed changes, which
	 * the user already knows of.
	 */
	public static function has_untried( int $user ): bool {
		foreach ( self::all() as $waiting ) {
			if ( $waiting['user'] === $user && 0 === $waiting['tries'] ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Sends waiting changes to the site. Failed ones stay in the queue. A change without time left does not count as
	 * tried.
	 *
	 * @param float    $seconds For all of them together.
	 * @param int|null $user    Only this user's, because each editor's browser requests its own receipt; null: all.
	 * @return Sent[]
	 */
	public static function send( float $seconds, ?int $user = null ): array {
		$deadline       = self::uptime() + $seconds;
		$sent           = array();
		$shared_failure = null;
		foreach ( self::all() as $name => $waiting ) {
			if ( null !== $user && $user !== $waiting['user'] ) {
				continue;
			}
			$seconds_left = $deadline - self::uptime();
			if ( ! $shared_failure && $seconds_left <= 0 ) {
				$sent[] = Connection::timed_out() + $waiting;
				continue;
			}
			$result         = $shared_failure ?? Connection::notify( $waiting['message'], max( 1, $seconds_left ) );
			// An error that concerns all changes, such as a timeout, is not repeated for each of them.
			$shared_failure = $result['stopsAll'] ? $result : null;
			$sent[]         = self::store_result( $name, $waiting, $result );
		}
		return $sent;
	}

	/** Repeats failed changes with growing pauses. */
	public static function send_by_cron(): void {
		self::send( self::BROWSER_TIMEOUT_SECONDS );
		$tries = wp_list_pluck( self::all(), 'tries' );
		if ( $tries ) {
			// The change with the fewest tries is due first.
			self::schedule( self::RETRY_SECONDS[ min( $tries ) ] );
		}
	}

	/**
	 * Counts a try. The change leaves the queue after success or the last retry.
	 *
	 * @param string     $name    Of the row.
	 * @param Waiting    $waiting
	 * @param SiteResult $result
	 * @return Sent
	 */
	private static function store_result( string $name, array $waiting, array $result ): array {
		global $wpdb;
		++$waiting['tries'];
		$waiting['problem'] = $result['problem'];
		if ( $result['ok'] || ! isset( self::RETRY_SECONDS[ $waiting['tries'] ] ) ) {
			$wpdb->delete( $wpdb->options, array( 'option_name' => $name ) );
		} else {
			$wpdb->update( $wpdb->options, array( 'option_value' => (string) wp_json_encode( $waiting ) ), array( 'option_name' => $name ) );
		}
		return $waiting + $result;
	}
}
