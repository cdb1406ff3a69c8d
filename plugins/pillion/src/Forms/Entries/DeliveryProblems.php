<?php
/**
 * Notices above the list of sign-ups: how many the site has not delivered, why, and a button that sends them again.
 * WordPress asks the site for this with the shared secret. The response holds no visitor's answers.
 */

namespace Pillion\Forms\Entries;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\Forms;
use Pillion\Lib\Admin;
use Pillion\Lib\Data;
use Pillion\Lib\Input;
use Pillion\Site\Connection;

/** @phpstan-type Problem array{state: string, form_id: int, reason: string, count: int, oldest: string, messages: string[]} Time of the oldest sign-up in ISO 8601; messages of WordPress. */
final class DeliveryProblems {
	const PATH = '/api/sign-ups/troubles';

	const ACTION = 'pillion_retry';

	/** Timeout of the request to the site in seconds; the screen waits for it. */
	const TIMEOUT_SECONDS = 3;

	/** Timeout of the request that sends again, in seconds. */
	const RETRY_SECONDS = 10;

	/** Screens that list sign-ups: the plugin's own, and the entries of Gravity Forms. */
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
		self::render_link_to_new_entries( $screen->id );
		if ( ! Connection::is_configured() ) {
			return;
		}
		self::render_retry_result();
		$response = Connection::request( self::PATH, array( 'type' => 'sign-ups.troubles' ), self::TIMEOUT_SECONDS );
		if ( is_string( $response ) ) {
			/* translators: %s: a sentence. */
			self::print_notice( 'warning', esc_html( sprintf( __( 'The site did not say whether sign-ups wait for delivery: %s', 'pillion' ), $response ) ) );
			return;
		}
		foreach ( self::to_problems( $response['troubles'] ?? array() ) as $problem ) {
			self::print_problem( $problem, self::problem_html( $problem ) );
		}
		foreach ( Data::rows( $response['destinations'] ?? null ) as $destination ) {
			self::render_destination( $destination );
		}
	}

	/** @param array<mixed> $destination The site's report on an address that gets a copy of each sign-up. */
	private static function render_destination( array $destination ): void {
		$last = is_string( $destination['last_sent'] ?? null ) ? self::local_time( $destination['last_sent'] ) : '–';
		$id   = is_string( $destination['id'] ?? null ) ? $destination['id'] : '';
		$name = is_string( $destination['name'] ?? null ) ? $destination['name'] : '';
		/* translators: 1: name of a destination, 2, 3: numbers, 4: a date. */
		self::print_notice( 'info', esc_html( sprintf( __( 'Destination “%1$s”: %2$s sign-ups sent, %3$s waiting. Last sent: %4$s.', 'pillion' ), $name, number_format_i18n( absint( $destination['sent'] ?? 0 ) ), number_format_i18n( absint( $destination['waiting'] ?? 0 ) ), $last ) ) );
		foreach ( self::to_problems( $destination['troubles'] ?? array() ) as $problem ) {
			self::print_problem( $problem, self::destination_problem_html( $problem, $name ), $id );
		}
	}

	/**
	 * @param Problem $problem
	 * @param string  $name    Of the destination.
	 */
	private static function destination_problem_html( array $problem, string $name ): string {
		$count = $problem['count'];
		$text  = 'dead' === $problem['state']
			/* translators: 1: a number, 2: name of a form, 3: a date, 4: name of a reason, 5: name of a destination. */
			? _n( 'The destination “%5$s” did not accept %1$d sign-up of “%2$s” (since %3$s, reason: %4$s).', 'The destination “%5$s” did not accept %1$d sign-ups of “%2$s” (since %3$s, reason: %4$s).', $count, 'pillion' )
			/* translators: 1: a number, 2: name of a form, 3: a date, 4: name of a reason, 5: name of a destination. */
			: _n( '%1$d sign-up of “%2$s” waits for the destination “%5$s” (since %3$s, reason: %4$s).', '%1$d sign-ups of “%2$s” wait for the destination “%5$s” (since %3$s, reason: %4$s).', $count, 'pillion' );
		return '<strong>' . esc_html( sprintf( $text, $count, self::form_title( $problem['form_id'] ), self::local_time( $problem['oldest'] ), $problem['reason'], $name ) ) . '</strong> ' . esc_html__( 'The site’s operator can see what to do: npm run sign-ups -- reasons.', 'pillion' );
	}

	/** @return string In the format of this WordPress; empty if `$iso` is not a time. */
	private static function local_time( string $iso ): string {
		$timestamp = strtotime( $iso );
		return $timestamp ? Admin::time( $timestamp ) : '';
	}

	/** With Gravity Forms active, the plugin's list holds only older sign-ups. */
	private static function render_link_to_new_entries( string $screen ): void {
		if ( Forms::is_fallback() || 'edit-' . Entries::TYPE !== $screen ) {
			return;
		}
		$link = '<a href="' . esc_url( admin_url( 'admin.php?page=gf_entries' ) ) . '">' . esc_html__( 'Forms → Entries', 'pillion' ) . '</a>';
		/* translators: %s: a link. */
		self::print_notice( 'info', sprintf( esc_html__( 'Gravity Forms stores new sign-ups: see %s. The sign-ups below are older.', 'pillion' ), $link ) );
	}

	private static function render_retry_result(): void {
		if ( Input::has( 'pillion_sent' ) ) {
			$count = absint( Input::query( 'pillion_sent' ) );
			/* translators: %d: a number of sign-ups. */
			self::print_notice( 'success', esc_html( sprintf( _n( '%d sign-up is being sent again.', '%d sign-ups are being sent again.', $count, 'pillion' ), $count ) ) );
		}
	}

	/**
	 * @param Problem $problem
	 * @param string  $html        Its description.
	 * @param string  $destination Id; empty: the delivery to WordPress.
	 */
	private static function print_problem( array $problem, string $html, string $destination = '' ): void {
		$button = 'dead' === $problem['state'] ? '</p><p>' . self::retry_button( $problem, $destination ) : '';
		self::print_notice( 'waiting' === $problem['state'] ? 'warning' : 'error', $html . $button );
	}

	private static function print_notice( string $kind, string $html ): void {
		echo '<div class="notice notice-' . esc_attr( $kind ) . '"><p>' . $html . '</p></div>'; // phpcs:ignore WordPress.Security.EscapeOutput -- escaped by the caller.
	}

	/** @return Problem[] Without malformed rows. */
	private static function to_problems( $rows ): array {
		$problems = array();
		foreach ( Data::rows( $rows ) as $row ) {
			if ( is_string( $row['reason'] ?? null ) && is_numeric( $row['count'] ?? null ) && is_string( $row['state'] ?? null ) ) {
				$problems[] = array(
					'state'    => $row['state'],
					'form_id'  => (int) ( $row['form_id'] ?? 0 ),
					'reason'   => $row['reason'],
					'count'    => (int) $row['count'],
					'oldest'   => (string) ( $row['oldest'] ?? '' ),
					'messages' => array_filter( (array) ( $row['words'] ?? array() ), 'is_string' ),
				);
			}
		}
		return $problems;
	}

	/** @param Problem $problem */
	private static function problem_html( array $problem ): string {
		$html = '<strong>' . esc_html( self::problem_sentence( $problem ) ) . '</strong> ' . esc_html( self::remedy( $problem['reason'] ) );
		foreach ( $problem['messages'] as $message ) {
			$html .= '<br>“' . esc_html( $message ) . '”';
		}
		return $html;
	}

	/** @param Problem $problem */
	private static function problem_sentence( array $problem ): string {
		$count = $problem['count'];
		$since = self::local_time( $problem['oldest'] );
		$form  = self::form_title( $problem['form_id'] );
		if ( 'dead' === $problem['state'] ) {
			/* translators: 1: a number, 2: name of a form, 3: a date. */
			return sprintf( _n( '%1$d sign-up of “%2$s” was not accepted (since %3$s).', '%1$d sign-ups of “%2$s” were not accepted (since %3$s).', $count, 'pillion' ), $count, $form, $since );
		}
		if ( 'set-aside' === $problem['state'] ) {
			/* translators: 1: a number, 2: name of a form, 3: a date. */
			return sprintf( _n( '%1$d sign-up of “%2$s” was set aside as probable spam (since %3$s).', '%1$d sign-ups of “%2$s” were set aside as probable spam (since %3$s).', $count, 'pillion' ), $count, $form, $since );
		}
		/* translators: 1: a number, 2: name of a form, 3: a date. */
		return sprintf( _n( '%1$d sign-up of “%2$s” waits for delivery on the site (since %3$s).', '%1$d sign-ups of “%2$s” wait for delivery on the site (since %3$s).', $count, 'pillion' ), $count, $form, $since );
	}

	private static function form_title( int $form_id ): string {
		return Forms::title( Forms::find( $form_id ) ?? array(), $form_id );
	}

	/** @param string $reason The site's name of the reason. */
	private static function remedy( string $reason ): string {
		$remedies = array(
			'answers-refused'        => __( 'WordPress rejected an answer. Change the rules of the field, then send the sign-ups again.', 'pillion' ),
			'form-not-found'         => __( 'The form is inactive, in the trash or deleted. Restore or activate it, then send the sign-ups again.', 'pillion' ),
			'form-closed'            => __( 'The form is closed. Raise its entry limit or change its dates, then send the sign-ups again.', 'pillion' ),
			'form-button-hidden'     => __( 'The condition of the form’s button is not met. Change it, then send the sign-ups again.', 'pillion' ),
			'form-without-fields'    => __( 'The form has no fields. Add a field, then send the sign-ups again.', 'pillion' ),
			'rest-api-off'           => __( 'Enable the REST API (Forms → Settings → REST API). The site then delivers them automatically.', 'pillion' ),
			'key-refused'            => __( 'WordPress rejects the site’s key. Pillion → Site shows the reason. Once it is fixed, the site delivers them automatically.', 'pillion' ),
			'body-too-large'         => __( 'The web server refuses large requests. Ask your host to allow 12 MB (nginx: client_max_body_size 12m). The site then delivers them automatically.', 'pillion' ),
			'gravity-forms-updating' => __( 'Gravity Forms is being updated. The site delivers them automatically afterwards.', 'pillion' ),
			'probable-spam'          => __( 'The site’s operator can read and release them: npm run sign-ups -- list --suspected.', 'pillion' ),
		);
		/* translators: %s: name of a reason. */
		return $remedies[ $reason ] ?? sprintf( __( 'Reason: %s.', 'pillion' ), $reason );
	}

	/** @param Problem $problem */
	private static function retry_button( array $problem, string $destination ): string {
		$query = array(
			'action'      => self::ACTION,
			'reason'      => rawurlencode( $problem['reason'] ),
			'form'        => $problem['form_id'],
			'destination' => $destination,
		);
		$url   = wp_nonce_url( add_query_arg( $query, admin_url( 'admin-post.php' ) ), self::ACTION );
		return '<a class="button" href="' . esc_url( $url ) . '">' . esc_html__( 'Send again', 'pillion' ) . '</a>';
	}

	public function retry(): void {
		check_admin_referer( self::ACTION );
		if ( ! current_user_can( Admin::capability() ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'pillion' ), '', array( 'response' => 403 ) );
		}
		$question    = array(
			'type'    => 'sign-ups.retry',
			'reason'  => sanitize_text_field( Input::query( 'reason' ) ),
			'form_id' => absint( Input::query( 'form' ) ),
		);
		$destination = sanitize_key( Input::query( 'destination' ) );
		if ( '' !== $destination ) {
			$question['destination'] = $destination;
		}
		$response = Connection::request( self::PATH, $question, self::RETRY_SECONDS );
		if ( is_string( $response ) ) {
			wp_die( esc_html( $response ), '', array( 'response' => 502, 'back_link' => true ) );
		}
		wp_safe_redirect( add_query_arg( 'pillion_sent', (int) ( $response['count'] ?? 0 ), admin_url( 'edit.php?post_type=' . Entries::TYPE ) ) );
		exit;
	}
}
