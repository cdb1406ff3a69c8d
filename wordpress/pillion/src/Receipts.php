<?php
/**
 * The editor's receipt: when what she changed was on the site, or why it is not there yet. Her browser asks for it after
 * the save (assets/receipts.js), so that a site that hangs makes no save slow.
 */

namespace Pillion;

use WP_REST_Response;

/**
 * @phpstan-import-type Sent from ChangeQueue
 * @phpstan-type Receipt array{state: 'live'|'waiting'|'none', text: string, url: string, label: string}
 */
final class Receipts {
	const HANDLE = 'pillion-receipts';

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
		add_action( 'admin_enqueue_scripts', array( $this, 'enqueue' ) );
		// After the changes of this very request were kept (Changes::keep).
		add_action( 'admin_footer', array( $this, 'ask_now' ), 5 );
	}

	public function register_route(): void {
		register_rest_route(
			'pillion/v1',
			'/receipt',
			array(
				'methods'             => 'POST',
				'permission_callback' => array( self::class, 'may_ask' ),
				'callback'            => static function (): WP_REST_Response {
					return new WP_REST_Response( self::of( ChangeQueue::send( ChangeQueue::SEEN_SECONDS ), get_current_user_id() ) );
				},
			)
		);
	}

	/** Whoever can change something that the site shows. */
	public static function may_ask(): bool {
		return current_user_can( 'edit_posts' ) || current_user_can( Admin::capability() );
	}

	public function enqueue(): void {
		if ( ! Site::is_configured() || ! self::may_ask() ) {
			return;
		}
		$screen    = get_current_screen();
		$in_editor = $screen && $screen->is_block_editor();
		$needs     = $in_editor ? array( 'wp-api-fetch', 'wp-data', 'wp-notices' ) : array();
		wp_enqueue_script( self::HANDLE, plugins_url( 'assets/receipts.js', __DIR__ ), $needs, (string) filemtime( dirname( __DIR__ ) . '/assets/receipts.js' ), true );
		$about = array(
			'url'      => esc_url_raw( rest_url( 'pillion/v1/receipt' ) ),
			'nonce'    => wp_create_nonce( 'wp_rest' ),
			'inEditor' => $in_editor,
			'waiting'  => __( 'Saved. Waiting for the site to show it…', 'pillion' ),
			'silent'   => __( 'Saved. Whether the site shows it could not be learned; it does within a minute.', 'pillion' ),
			'retry'    => __( 'Retry', 'pillion' ),
			'dismiss'  => __( 'Dismiss this notice.', 'pillion' ),
		);
		wp_add_inline_script( self::HANDLE, 'window.pillionReceipts = ' . wp_json_encode( $about ) . ';', 'before' );
	}

	/** What was changed before this screen came, or by its own request: asked for as soon as it is there. */
	public function ask_now(): void {
		if ( wp_script_is( self::HANDLE, 'enqueued' ) && ChangeQueue::has_untried( get_current_user_id() ) ) {
			wp_add_inline_script( self::HANDLE, 'window.pillionReceipts.isDue = true;', 'before' );
		}
	}

	/**
	 * @param Sent[] $sent
	 * @return Receipt
	 */
	public static function of( array $sent, int $user ): array {
		$own = array_filter(
			$sent,
			static function ( array $one ) use ( $user ): bool {
				return $one['user'] === $user;
			}
		);
		foreach ( $own as $one ) {
			if ( ! $one['ok'] ) {
				return self::receipt( 'waiting', self::excuse( $one['problem'] ), '' );
			}
		}
		return $own ? self::live( $own ) : self::receipt( 'none', '', '' );
	}

	/** What went wrong, and that nothing is lost. */
	private static function excuse( string $problem ): string {
		/* translators: %s: a sentence. */
		return sprintf( __( 'Saved, but not known to be on the site yet: %s It is tried again, and the site looks for itself every minute.', 'pillion' ), $problem );
	}

	/**
	 * @param Sent[] $sent Not empty; all went well.
	 * @return Receipt
	 */
	private static function live( array $sent ): array {
		$last    = end( $sent );
		$shown   = end( $sent )['message'];
		$seconds = max( 0, microtime( true ) - min( wp_list_pluck( $sent, 'made' ) ) );
		foreach ( $sent as $one ) {
			// Of a page that has moved, where it is now.
			$shown = 'publish' === $one['message']['status'] ? $one['message'] : $shown;
		}
		/* translators: 1: a time, 2: seconds. */
		$text = self::is_gone( $shown ) ? __( 'Taken off the site at %1$s, after %2$s s', 'pillion' ) : __( 'Live on the site at %1$s, after %2$s s', 'pillion' );
		$url  = Site::address() . ( $shown['path'] ?? '/' );
		return self::receipt( 'live', sprintf( $text, self::clock( $last['at'] ), number_format_i18n( $seconds, 1 ) ), $url );
	}

	/**
	 * @param array{id: int|string|null, type: string, path: string|null, status: string|null} $message
	 */
	private static function is_gone( array $message ): bool {
		return null !== $message['path'] && ! in_array( $message['status'], array( null, 'publish', 'moved' ), true );
	}

	/** The site's time of day in this WordPress' own time zone. */
	private static function clock( string $at ): string {
		$time = strtotime( $at );
		return (string) wp_date( 'H:i:s', $time ? $time : time() );
	}

	/**
	 * @return Receipt
	 */
	private static function receipt( string $state, string $text, string $url ): array {
		return array(
			'state' => $state,
			'text'  => $text,
			'url'   => esc_url_raw( $url ),
			'label' => __( 'Look at the site', 'pillion' ),
		);
	}
}
