<?php
/**
 * A notice above the list of sign-ups: how many wait on the site, why they could not be delivered, and a button that sends
 * them again. The site is asked for it, with the secret that both share. It sends no visitor's answers along.
 */

namespace Pillion\Forms\Entries;

use Pillion\Forms\Forms;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;
use Pillion\Site\Connection;

/**
 * @phpstan-type Problem array{state: string, form_id: int, reason: string, count: int, oldest: string, words: string[]}
 */
final class DeliveryProblems {
	const PATH = '/api/sign-ups/troubles';

	const ACTION = 'pillion_retry';

	/** A screen waits so long for the site, in seconds. */
	const SECONDS = 3;

	/** Sending again is one statement on the site. */
	const RETRY_SECONDS = 10;

	/** Screens on which an editor looks for sign-ups: ours, and Gravity Forms' entries. */
	const SCREENS = array( 'edit-' . Entries::TYPE, 'forms_page_gf_entries' );

	public function register(): void {
		add_action( 'admin_notices', array( $this, 'render' ) );
		add_action( 'admin_post_' . self::ACTION, array( $this, 'retry' ) );
	}

	public function render(): void {
		$screen = get_current_screen();
		if ( ! $screen || ! in_array( $screen->id, self::SCREENS, true ) || ! current_user_can( Admin::capability() ) ) {
			return;
		}
		self::render_place( $screen->id );
		if ( ! Connection::is_configured() ) {
			return;
		}
		self::render_done();
		$said = Connection::ask( self::PATH, array( 'type' => 'sign-ups.troubles' ), self::SECONDS );
		if ( is_string( $said ) ) {
			/* translators: %s: a sentence. */
			self::notice( 'warning', esc_html( sprintf( __( 'Whether sign-ups wait on the site could not be learned: %s', 'pillion' ), $said ) ) );
			return;
		}
		foreach ( self::read( $said['troubles'] ?? array() ) as $problem ) {
			self::notice( 'waiting' === $problem['state'] ? 'warning' : 'error', self::described( $problem ) );
		}
	}

	/** Where Gravity Forms is there our list has only what came before it. */
	private static function render_place( string $screen ): void {
		if ( Forms::is_fallback() || 'edit-' . Entries::TYPE !== $screen ) {
			return;
		}
		$link = '<a href="' . esc_url( admin_url( 'admin.php?page=gf_entries' ) ) . '">' . esc_html__( 'Forms → Entries', 'pillion' ) . '</a>';
		/* translators: %s: a link. */
		self::notice( 'info', sprintf( esc_html__( 'Sign-ups are kept by Gravity Forms now: see %s. Those below came before.', 'pillion' ), $link ) );
	}

	private static function render_done(): void {
		if ( Input::has( 'pillion_sent' ) ) {
			$count = absint( Input::asked( 'pillion_sent' ) );
			/* translators: %d: a number of sign-ups. */
			self::notice( 'success', esc_html( sprintf( _n( '%d sign-up is being sent again.', '%d sign-ups are being sent again.', $count, 'pillion' ), $count ) ) );
		}
	}

	private static function notice( string $kind, string $html ): void {
		echo '<div class="notice notice-' . esc_attr( $kind ) . '"><p>' . $html . '</p></div>'; // phpcs:ignore WordPress.Security.EscapeOutput -- escaped by whoever made it.
	}

	/**
	 * @param mixed $rows
	 * @return Problem[] Those that say something.
	 */
	private static function read( $rows ): array {
		$read = array();
		foreach ( is_array( $rows ) ? $rows : array() as $row ) {
			if ( is_array( $row ) && is_string( $row['reason'] ?? null ) && is_numeric( $row['count'] ?? null ) && is_string( $row['state'] ?? null ) ) {
				$read[] = array(
					'state'   => $row['state'],
					'form_id' => (int) ( $row['form_id'] ?? 0 ),
					'reason'  => $row['reason'],
					'count'   => (int) $row['count'],
					'oldest'  => (string) ( $row['oldest'] ?? '' ),
					'words'   => array_filter( (array) ( $row['words'] ?? array() ), 'is_string' ),
				);
			}
		}
		return $read;
	}

	/**
	 * @param Problem $problem
	 */
	private static function described( array $problem ): string {
		$text = '<strong>' . esc_html( self::sentence( $problem ) ) . '</strong> ' . esc_html( self::remedy( $problem['reason'] ) );
		foreach ( $problem['words'] as $words ) {
			$text .= '<br>“' . esc_html( $words ) . '”';
		}
		return $text . ( 'dead' === $problem['state'] ? '</p><p>' . self::button( $problem ) : '' );
	}

	/**
	 * @param Problem $problem
	 */
	private static function sentence( array $problem ): string {
		$count = $problem['count'];
		$since = strtotime( $problem['oldest'] );
		$since = $since ? wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $since ) : '';
		$form  = self::form_title( $problem['form_id'] );
		if ( 'dead' === $problem['state'] ) {
			/* translators: 1: a number, 2: name of a form, 3: a date. */
			return sprintf( _n( '%1$d sign-up of “%2$s” was not taken in (since %3$s).', '%1$d sign-ups of “%2$s” were not taken in (since %3$s).', $count, 'pillion' ), $count, $form, $since );
		}
		if ( 'set-aside' === $problem['state'] ) {
			/* translators: 1: a number, 2: name of a form, 3: a date. */
			return sprintf( _n( '%1$d sign-up of “%2$s” was set aside as probable spam (since %3$s).', '%1$d sign-ups of “%2$s” were set aside as probable spam (since %3$s).', $count, 'pillion' ), $count, $form, $since );
		}
		/* translators: 1: a number, 2: name of a form, 3: a date. */
		return sprintf( _n( '%1$d sign-up of “%2$s” waits on the site (since %3$s).', '%1$d sign-ups of “%2$s” wait on the site (since %3$s).', $count, 'pillion' ), $count, $form, $since );
	}

	private static function form_title( int $form_id ): string {
		// Also of one that is inactive or in the trash, which a list of forms leaves out.
		$form = Forms::is_fallback() || ! is_callable( array( 'GFAPI', 'get_form' ) ) ? ( Forms::all()[ $form_id ] ?? null ) : \GFAPI::get_form( $form_id );
		if ( is_array( $form ) && ! empty( $form['title'] ) ) {
			return (string) $form['title'];
		}
		return "#$form_id";
	}

	/** What mends it, by the site's name for it. */
	private static function remedy( string $reason ): string {
		$remedies = array(
			'answers-refused'        => __( 'An answer was found wrong here: change the field’s rules, then send them again.', 'pillion' ),
			'form-not-found'         => __( 'The form is inactive, in the trash or deleted: bring it back, then send them again.', 'pillion' ),
			'form-closed'            => __( 'The form takes no more: raise its limit or open its dates, then send them again.', 'pillion' ),
			'form-button-hidden'     => __( 'The condition on the form’s button does not hold: change it, then send them again.', 'pillion' ),
			'form-without-fields'    => __( 'The form has no fields: give it some, then send them again.', 'pillion' ),
			'rest-api-off'           => __( 'Switch the REST API on (Forms → Settings → REST API); they come by themselves then.', 'pillion' ),
			'key-refused'            => __( 'The site’s key is refused: see Pillion → Site for why. They come by themselves then.', 'pillion' ),
			'gravity-forms-updating' => __( 'Gravity Forms is being updated; they come by themselves.', 'pillion' ),
			'probable-spam'          => __( 'Whoever runs the site reads and releases them there: npm run sign-ups -- list --suspected.', 'pillion' ),
		);
		/* translators: %s: name of a reason. */
		return $remedies[ $reason ] ?? sprintf( __( 'Reason: %s.', 'pillion' ), $reason );
	}

	/**
	 * @param Problem $problem
	 */
	private static function button( array $problem ): string {
		$query = array(
			'action' => self::ACTION,
			'reason' => rawurlencode( $problem['reason'] ),
			'form'   => $problem['form_id'],
		);
		$url   = wp_nonce_url( add_query_arg( $query, admin_url( 'admin-post.php' ) ), self::ACTION );
		return '<a class="button" href="' . esc_url( $url ) . '">' . esc_html__( 'Send again', 'pillion' ) . '</a>';
	}

	public function retry(): void {
		check_admin_referer( self::ACTION );
		if ( ! current_user_can( Admin::capability() ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'pillion' ), '', array( 'response' => 403 ) );
		}
		$question = array(
			'type'    => 'sign-ups.retry',
			'reason'  => sanitize_text_field( Input::asked( 'reason' ) ),
			'form_id' => absint( Input::asked( 'form' ) ),
		);
		$said     = Connection::ask( self::PATH, $question, self::RETRY_SECONDS );
		if ( is_string( $said ) ) {
			wp_die( esc_html( $said ), '', array( 'response' => 502, 'back_link' => true ) );
		}
		wp_safe_redirect( add_query_arg( 'pillion_sent', (int) ( $said['count'] ?? 0 ), admin_url( 'edit.php?post_type=' . Entries::TYPE ) ) );
		exit;
	}
}
