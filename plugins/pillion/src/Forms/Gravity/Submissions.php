<?php
/**
 * Passes a sign-up to Gravity Forms exactly once, as if the visitor had sent it on a page of this WordPress.
 *
 * The site's server sends the visitor's page, browser and IP address. Gravity Forms reads those instead of the server's
 * own. The entry, its values and its id are stored in one transaction. The response to a repeat is the stored entry;
 * the repeat also completes work that a dead request left.
 *
 * @see https://docs.gravityforms.com/gform_entry_created
 * @see https://docs.gravityforms.com/gform_entry_id_pre_save_lead
 * @see https://docs.gravityforms.com/gform_after_submission
 */

namespace Pillion\Forms\Gravity;

defined( 'ABSPATH' ) || exit;

use Exception;
use Pillion\Access\Keys;
use Pillion\Forms\Attribution;
use Pillion\Forms\Entries\IdempotencyKeys;
use Pillion\Forms\Forms;
use Throwable;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

/** @phpstan-import-type Row from IdempotencyKeys */
final class Submissions {
	const ROUTE = '#^/gf/v2/forms/(\d+)/submissions$#';

	/** Headers that describe the visitor: address of the page, user agent (percent-encoded), IP address. */
	const PAGE_HEADER = 'pillion-page';

	const AGENT_HEADER = 'pillion-agent';

	const ADDRESS_HEADER = 'pillion-address';

	/** Server variables that Gravity Forms reads. */
	const VISITOR_VARIABLES = array( 'HTTPS', 'HTTP_HOST', 'REQUEST_URI', 'HTTP_USER_AGENT', 'REMOTE_ADDR', 'HTTP_REFERER' );

	/** @var Row|null Of the sign-up that this request has claimed. */
	private $row = null;

	/** @var string The campaigns of the current request, as JSON. */
	private $campaigns = '';

	/** @var bool Whether this class has an open transaction. */
	private $is_storing = false;

	/** @var int The entry that this request has stored. */
	private $entry_id = 0;

	/** @var array<string, mixed>|null The server variables before `show_visitor`. */
	private $server_variables = null;

	public function register(): void {
		// Runs after the permission check and can replace the response of Gravity Forms.
		add_filter( 'rest_dispatch_request', array( $this, 'claim_request' ), 10, 2 );
		add_filter( 'rest_request_after_callbacks', array( $this, 'complete_response' ), 10, 3 );
		add_filter( 'gform_entry_id_pre_save_lead', array( $this, 'begin_transaction' ), PHP_INT_MAX );
		add_action( 'gform_entry_created', array( $this, 'store_id' ), 1, 2 );
		add_action( 'gform_after_submission', array( $this, 'mark_done' ), PHP_INT_MAX );
		add_filter( 'gform_source_id_pre_save_entry', array( $this, 'source_page' ) );
	}

	/** @return mixed The response to a repeat or a refused request; null: Gravity Forms handles the request. */
	public function claim_request( $response, WP_REST_Request $request ) {
		$form_id = self::submitted_form_id( $request );
		$id      = strtolower( self::body_text( $request, 'sign_up_id' ) );
		if ( null !== $response || ! $form_id || Forms::is_fallback() || ! self::is_trusted() || ! preg_match( Forms::SIGN_UP_ID, $id ) ) {
			return $response;
		}
		$row = IdempotencyKeys::claim( $id, $form_id );
		if ( ! $row ) {
			return IdempotencyKeys::busy_error();
		}
		$this->row       = $row;
		$this->campaigns = self::body_text( $request, Attribution::FIELD );
		// Gravity Forms reads form fields from $_POST only.
		$_POST = self::use_crlf( $_POST ); // phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- as Gravity Forms will read it.
		register_shutdown_function( array( $this, 'release' ) );
		$this->show_visitor( $request );
		return $row['entry_id'] ? $this->repeat_response( $form_id, $row['entry_id'] ) : self::login_error( $form_id );
	}

	/**
	 * Whether the visitor's address and the sign-up id in the request are trusted: from the site's key, and from users who may
	 * edit entries anyway (a key made in Gravity Forms acts as a user). Gravity Forms itself accepts submissions from any client.
	 */
	private static function is_trusted(): bool {
		return Keys::is_served() || current_user_can( 'gravityforms_edit_entries' ) || current_user_can( 'gform_full_access' );
	}

	/** Browsers send line breaks as CRLF, and Gravity Forms stores them so; the site sends LF. */
	private static function use_crlf( array $answers ): array {
		return map_deep( $answers, static fn( $answer ) => is_string( $answer ) ? preg_replace( '/\r\n|\r|\n/', "\r\n", $answer ) : $answer );
	}

	/** Refuses a form that requires a login: the site’s visitors have no WordPress session (`show_visitor`). */
	private static function login_error( int $form_id ): ?WP_Error {
		$form = GravityForms::find( $form_id );
		if ( empty( $form['requireLogin'] ) ) {
			return null;
		}
		$message = wp_strip_all_tags( (string) ( $form['requireLoginMessage'] ?? '' ) );
		return new WP_Error( 'form_restriction_error', '' === $message ? __( 'You must be logged in to send this form.', 'pillion' ) : $message, array( 'status' => 400 ) );
	}

	/**
	 * Runs before Gravity Forms stores the entry.
	 *
	 * @param int|null $entry_id
	 * @return int|null
	 */
	public function begin_transaction( $entry_id ) {
		if ( $this->row && ! $this->is_storing ) {
			$this->is_storing = true;
			IdempotencyKeys::begin_transaction();
		}
		return $entry_id;
	}

	/**
	 * Stores the sign-up id and the campaigns at the new entry, and commits the transaction.
	 *
	 * @throws Exception If another request has taken over the sign-up. Gravity Forms then ends the submission without
	 * notifications.
	 */
	public function store_id( $entry, $form ): void {
		if ( ! $this->row || $this->entry_id ) {
			return;
		}
		if ( function_exists( 'gform_update_meta' ) ) {
			gform_update_meta( $entry['id'], GravityForms::META, $this->row['sign_up_id'], $form['id'] );
			GravityAttribution::store_campaigns( $this->campaigns, (int) $entry['id'], (int) $form['id'] );
		}
		$is_claimed = IdempotencyKeys::mark_stored( $this->row, (int) $entry['id'] );
		if ( $is_claimed && ( ! $this->is_storing || IdempotencyKeys::commit() ) ) {
			$this->is_storing = false;
			$this->entry_id   = (int) $entry['id'];
			return;
		}
		$this->roll_back();
		throw new Exception( 'pillion_busy' );
	}

	/** Runs when mails are sent and other plugins have handled the entry. */
	public function mark_done(): void {
		if ( $this->row && $this->entry_id ) {
			IdempotencyKeys::mark_done( $this->row );
		}
	}

	/** Marks the sign-up as done, releases it, and adds the id of the entry to the response. */
	public function complete_response( $response, $handler, WP_REST_Request $request ) {
		if ( ! $this->row || ! self::submitted_form_id( $request ) ) {
			return $response;
		}
		$entry_id = $this->entry_id;
		// The entry was not committed, or `store_id` has thrown.
		$was_lost = $this->is_storing || ( is_wp_error( $response ) && false !== strpos( $response->get_error_message(), 'pillion_busy' ) );
		$this->mark_done();
		$this->release();
		if ( $was_lost ) {
			return IdempotencyKeys::busy_error();
		}
		if ( $entry_id && ! is_wp_error( $response ) ) {
			$response = rest_ensure_response( $response );
			// Gravity Forms hides the id because the entry has no user; the site's key may read it.
			$response->set_data( (array) $response->get_data() + array( 'entry_id' => $entry_id ) );
		}
		return $response;
	}

	/** Also runs if PHP ends early: rolls back the transaction and releases the sign-up for a retry. */
	public function release(): void {
		$this->restore_server_variables();
		$this->roll_back();
		if ( $this->row ) {
			IdempotencyKeys::release( $this->row );
		}
		$this->row      = null;
		$this->entry_id = 0;
	}

	private function roll_back(): void {
		if ( $this->is_storing ) {
			IdempotencyKeys::roll_back();
		}
		$this->is_storing = false;
	}

	/** The response to the first request, as far as the site reads it. */
	private function repeat_response( int $form_id, int $entry_id ): WP_REST_Response {
		$row            = $this->row;
		$this->entry_id = $entry_id;
		$data           = array(
			'is_valid'           => true,
			'page_number'        => 0,
			'source_page_number' => 1,
			'entry_id'           => $entry_id,
		);
		$form  = GravityForms::find( $form_id );
		$entry = is_callable( array( 'GFAPI', 'get_entry' ) ) ? \GFAPI::get_entry( $entry_id ) : null;
		if ( ! $form || ! is_array( $entry ) ) {
			return new WP_REST_Response( $data );
		}
		if ( 'stored' === $row['state'] ) {
			self::run_remaining_steps( $form, $entry );
		}
		return new WP_REST_Response( $data + self::confirmation( $form, $entry ) );
	}

	/** Completes the steps after storing that a dead request has not done. */
	private static function run_remaining_steps( array $form, array $entry ): void {
		$entry = gf_apply_filters( array( 'gform_entry_post_save', $form['id'] ), $entry, $form );
		if ( function_exists( 'gf_feed_processor' ) ) {
			gf_feed_processor()->save()->dispatch_on_shutdown();
		}
		if ( 'spam' !== ( $entry['status'] ?? '' ) ) {
			\GFCommon::send_form_submission_notifications( $form, $entry );
		}
		gf_do_action( array( 'gform_after_submission', $form['id'] ), $entry, $form );
	}

	/** @return array<string, string> The confirmation in the format of Gravity Forms' REST API. */
	private static function confirmation( array $form, array $entry ): array {
		add_filter( 'gform_suppress_confirmation_redirect', '__return_true' );
		try {
			require_once \GFCommon::get_base_path() . '/form_display.php';
			$confirmation = \GFFormDisplay::handle_confirmation( $form, $entry );
		} catch ( Throwable $error ) {
			$confirmation = '';
		}
		remove_filter( 'gform_suppress_confirmation_redirect', '__return_true' );
		if ( is_array( $confirmation ) ) {
			return array(
				'confirmation_type'     => 'redirect',
				'confirmation_message'  => '',
				'confirmation_redirect' => (string) ( $confirmation['redirect'] ?? '' ),
			);
		}
		return array(
			'confirmation_type'    => 'message',
			'confirmation_message' => (string) $confirmation,
		);
	}

	// phpcs:disable WordPress.Security.ValidatedSanitizedInput -- what Gravity Forms is shown; nothing here is printed or kept.
	/** Logs out the current user and shows Gravity Forms the visitor's request. */
	private function show_visitor( WP_REST_Request $request ): void {
		$this->server_variables = array_intersect_key( $_SERVER, array_flip( self::VISITOR_VARIABLES ) );
		// The user stays logged out until the request ends: Gravity Forms starts background mails after the response
		// and checks their nonce against a logged-out user.
		wp_set_current_user( 0 );
		$page = wp_parse_url( (string) $request->get_header( self::PAGE_HEADER ) );
		if ( is_array( $page ) && isset( $page['scheme'], $page['host'] ) ) {
			$_SERVER['HTTPS']       = 'https' === $page['scheme'] ? 'on' : 'off';
			$_SERVER['HTTP_HOST']   = $page['host'] . ( isset( $page['port'] ) ? ':' . $page['port'] : '' );
			$_SERVER['REQUEST_URI'] = ( $page['path'] ?? '/' ) . ( isset( $page['query'] ) ? '?' . $page['query'] : '' );
			// On Gravity Forms' own page the form posts to the same page.
			$_SERVER['HTTP_REFERER'] = (string) $request->get_header( self::PAGE_HEADER );
		}
		$address                    = (string) $request->get_header( self::ADDRESS_HEADER );
		$_SERVER['HTTP_USER_AGENT'] = rawurldecode( (string) $request->get_header( self::AGENT_HEADER ) );
		$_SERVER['REMOTE_ADDR']     = filter_var( $address, FILTER_VALIDATE_IP ) ? $address : '';
	}

	private function restore_server_variables(): void {
		if ( ! $this->server_variables ) {
			return;
		}
		$_SERVER                = $this->server_variables + array_diff_key( $_SERVER, array_flip( self::VISITOR_VARIABLES ) );
		$this->server_variables = null;
	}
	// phpcs:enable

	/**
	 * The WordPress page with the same path as the page of the sign-up.
	 *
	 * @param int|null $page_id
	 * @return int|null
	 */
	public function source_page( $page_id ) {
		if ( ! $this->row || $page_id ) {
			return $page_id;
		}
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- the address that show_visitor() set.
		$path = (string) wp_parse_url( (string) $_SERVER['REQUEST_URI'], PHP_URL_PATH );
		$id   = 0 === strpos( $path, '/wp-json' ) ? 0 : url_to_postid( home_url( $path ) );
		return $id ? $id : null;
	}

	/** Number of the form that the request submits, or 0. */
	public static function submitted_form_id( WP_REST_Request $request ): int {
		return 'POST' === $request->get_method() && preg_match( self::ROUTE, $request->get_route(), $found ) ? (int) $found[1] : 0;
	}

	/** A text of the request's body; empty if it is missing. */
	private static function body_text( WP_REST_Request $request, string $name ): string {
		$json = $request->get_json_params();
		$text = ( $json ? $json : $request->get_body_params() )[ $name ] ?? '';
		return is_string( $text ) ? $text : '';
	}
}
