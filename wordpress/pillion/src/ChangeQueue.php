<?php
/**
 * Changes that the site has not confirmed yet. A row each among the options, so that two requests cannot write over each
 * other; whoever comes first sends: the editor's browser, else cron.
 */

namespace Pillion;

/**
 * @phpstan-import-type Message from Changes
 * @phpstan-type Waiting array{message: Message, made: float, user: int, tries: int, problem: string}
 * @phpstan-type Sent array{message: Message, made: float, user: int, tries: int, problem: string, ok: bool, at: string}
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
		if ( ! wp_next_scheduled( self::HOOK ) ) {
			wp_schedule_single_event( time() + self::PAUSES[0], self::HOOK );
		}
	}

	/**
	 * @return array<string, Waiting> By name of their rows, oldest first.
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
		return $waiting;
	}

	/** Whether something of this user's has not been sent yet. What did not arrive is cron's; she has been told. */
	public static function has_untried( int $user ): bool {
		foreach ( self::all() as $waiting ) {
			if ( $waiting['user'] === $user && 0 === $waiting['tries'] ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Tells the site of all that waits, and what did not arrive waits on.
	 *
	 * @param float $seconds For all of them together.
	 * @return Sent[]
	 */
	public static function send( float $seconds ): array {
		$until = microtime( true ) + $seconds;
		$sent  = array();
		$down  = null;
		foreach ( self::all() as $name => $waiting ) {
			$left   = $until - microtime( true );
			$answer = $down ?? ( $left > 0 ? Site::tell( $waiting['message'], max( 1, $left ) ) : Site::late() );
			if ( ! $answer['ok'] ) {
				// Why one did not arrive holds for the others; they are not to wait for it again.
				$down = $answer;
			}
			$sent[] = self::settle( $name, $waiting, $answer );
		}
		return $sent;
	}

	/** Tries again what the browser could not send, less and less often. */
	public static function send_by_cron(): void {
		$tries = 0;
		foreach ( self::send( self::SEEN_SECONDS ) as $sent ) {
			$tries = $sent['ok'] ? $tries : max( $tries, $sent['tries'] );
		}
		if ( $tries > 0 && isset( self::PAUSES[ $tries ] ) && ! wp_next_scheduled( self::HOOK ) ) {
			wp_schedule_single_event( time() + self::PAUSES[ $tries ], self::HOOK );
		}
	}

	/**
	 * @param Waiting                                          $waiting
	 * @param array{ok: bool, at: string, problem: string} $answer
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
