<?php
/**
 * The editor's receipt: when the site showed their change, or why it does not yet. The browser requests it after the
 * save (assets/receipts.ts), so a slow site does not delay the save.
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Assets;
use Pillion\Lib\Rest;
use WP_REST_Response;

/**
 * @phpstan-import-type Message from Changes
 * @phpstan-import-type Sent from ChangeQueue
 * @phpstan-import-type Servers from Connection
 * @phpstan-type Receipt array{state: 'live'|'waiting'|'none', text: string, url: string, label: string}
 */
final class Receipts {
	const HANDLE = 'pillion-receipts';

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
		add_action( 'admin_enqueue_scripts', array( $this, 'enqueue' ) );
		// After Changes::queue_noted, which queues the changes of this request.
		add_action( 'admin_footer', array( $this, 'request_due_receipt' ), 5 );
	}

	public function register_route(): void {
		Rest::add_route( '/receipt', 'POST', array( self::class, 'send_and_get_receipt' ), array( self::class, 'can_request' ) );
	}

	public static function send_and_get_receipt(): WP_REST_Response {
		return new WP_REST_Response( self::receipt_for( ChangeQueue::send( ChangeQueue::BROWSER_TIMEOUT_SECONDS, get_current_user_id() ) ) );
	}

	/** Users who can change something that the site shows. */
	public static function can_request(): bool {
		return current_user_can( 'edit_posts' ) || current_user_can( Admin::capability() );
	}

	public function enqueue(): void {
		if ( ! Connection::is_configured() || ! self::can_request() ) {
			return;
		}
		$screen       = get_current_screen();
		$in_editor    = $screen && $screen->is_block_editor();
		$dependencies = $in_editor ? array( 'wp-api-fetch', 'wp-data', 'wp-notices' ) : array();
		wp_enqueue_script( Assets::script( self::HANDLE, 'assets/receipts.js', $dependencies ) );
		$data = array(
			'url'      => esc_url_raw( rest_url( 'pillion/v1/receipt' ) ),
			'nonce'    => wp_create_nonce( 'wp_rest' ),
			'inEditor' => $in_editor,
			'waiting'  => __( 'Saved. Waiting for the site to show it…', 'pillion' ),
			'silent'   => __( 'Saved. The site did not confirm the change; it shows it within a minute.', 'pillion' ),
			'retry'    => __( 'Retry', 'pillion' ),
			'dismiss'  => __( 'Dismiss this notice.', 'pillion' ),
		);
		Assets::add_data( self::HANDLE, 'pillionReceipts', $data );
	}

	/** Requests the receipt at once for changes of this or an earlier request. */
	public function request_due_receipt(): void {
		if ( wp_script_is( self::HANDLE, 'enqueued' ) && ChangeQueue::has_untried( get_current_user_id() ) ) {
			Assets::add_data( self::HANDLE, 'pillionReceipts.isDue', true );
		}
	}

	/**
	 * @param Sent[] $sent One that failed makes the whole receipt `waiting`.
	 * @return Receipt
	 */
	public static function receipt_for( array $sent ): array {
		foreach ( $sent as $change ) {
			if ( ! $change['ok'] ) {
				return self::receipt( 'waiting', self::waiting_text( $change['problem'] ), '' );
			}
		}
		return $sent ? self::live_receipt( $sent ) : self::receipt( 'none', '', '' );
	}

	/** What went wrong, and that the change is saved. */
	private static function waiting_text( string $problem ): string {
		/* translators: %s: a sentence. */
		return sprintf( __( 'Saved, but the site has not confirmed it yet: %s WordPress will try again, and the site checks for changes every minute.', 'pillion' ), $problem );
	}

	/**
	 * @param Sent[] $sent Not empty; all succeeded.
	 * @return Receipt
	 */
	private static function live_receipt( array $sent ): array {
		$last    = end( $sent );
		$message = $last['message'];
		$ages    = array_map( array( ChangeQueue::class, 'age' ), $sent );
		foreach ( $sent as $change ) {
			// For a page that has moved: its new path.
			$message = 'publish' === $change['message']['status'] ? $change['message'] : $message;
		}
		$servers = self::servers( $sent );
		$text    = sprintf( self::live_format( $message, $servers ), self::time_of_day( $last['at'] ), $servers['live'], $servers['of'] );
		if ( ! in_array( null, $ages, true ) ) {
			/* translators: 1: what happened and when, 2: seconds. */
			$text = sprintf( __( '%1$s, after %2$s s', 'pillion' ), $text, number_format_i18n( max( $ages ), 1 ) );
		}
		return self::receipt( 'live', $text . self::late_servers_text( $servers['late'] ), Connection::address() . ( $message['path'] ?? '/' ) );
	}

	/**
	 * The number of servers that show all changes: the lowest number of any change.
	 *
	 * @param Sent[] $sent Not empty.
	 * @return Servers
	 */
	private static function servers( array $sent ): array {
		$all = array_column( $sent, 'servers' );
		return array(
			'live' => min( array_column( $all, 'live' ) ),
			'of'   => max( array_column( $all, 'of' ) ),
			'late' => array_values( array_unique( array_merge( ...array_column( $all, 'late' ) ) ) ),
		);
	}

	/** @param string[] $names Names of servers that have not confirmed the change. */
	private static function late_servers_text( array $names ): string {
		if ( ! $names ) {
			return '';
		}
		/* translators: %s: names of servers. */
		return ' ' . sprintf( _n( '(%s has not responded; it shows the change within a minute)', '(%s have not responded; they show the change within a minute)', count( $names ), 'pillion' ), implode( ', ', $names ) );
	}

	/**
	 * @param Message $message
	 * @param Servers $servers
	 * @return string Format for `sprintf`: the time, how many servers show the change, and how many there are.
	 */
	private static function live_format( array $message, array $servers ): string {
		if ( 'future' === $message['status'] ) {
			/* translators: %s: a time. */
			return __( 'The site received the schedule at %s', 'pillion' );
		}
		if ( $servers['of'] > 1 ) {
			return self::is_gone( $message )
				/* translators: 1: a time, 2: how many servers, 3: how many there are. */
				? __( 'Taken off %2$d of %3$d servers at %1$s', 'pillion' )
				/* translators: 1: a time, 2: how many servers, 3: how many there are. */
				: __( 'Live on %2$d of %3$d servers at %1$s', 'pillion' );
		}
		/* translators: %s: a time. */
		return self::is_gone( $message ) ? __( 'Taken off the site at %s', 'pillion' ) : __( 'Live on the site at %s', 'pillion' );
	}

	/**
	 * Whether the change took a page off the site.
	 *
	 * @param Message $message
	 */
	private static function is_gone( array $message ): bool {
		return null !== $message['path'] && ! in_array( $message['status'], array( null, 'publish', 'moved' ), true );
	}

	/**
	 * The time of day in the time zone of this WordPress.
	 *
	 * @param string $at Date and time from the site; the current time is used if it is invalid.
	 */
	private static function time_of_day( string $at ): string {
		$time = strtotime( $at );
		return (string) wp_date( 'H:i:s', $time ? $time : time() );
	}

	/** @return Receipt */
	private static function receipt( string $state, string $text, string $url ): array {
		return array(
			'state' => $state,
			'text'  => $text,
			'url'   => esc_url_raw( $url ),
			'label' => __( 'Look at the site', 'pillion' ),
		);
	}
}
