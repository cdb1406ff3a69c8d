<?php
/**
 * Forms on a WordPress without Gravity Forms: the same routes and formats, so the site needs no second client (R30).
 *
 * @see https://docs.gravityforms.com/rest-api-v2/ for the formats.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\Keys;
use Pillion\Forms\Entries\Entries;
use Pillion\Forms\Entries\EntryFiles;
use Pillion\Forms\Gravity\GravityForms;
use Pillion\Lib\Data;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

/**
 * @phpstan-import-type Sent from EntryFiles
 * @phpstan-type FormField array{id: int, type: string, label: string, isRequired: bool, errorMessage: string, inputs: array<int, array{id: string, label: string}>|null, choices: mixed, conditionalLogic: mixed, numberFormat?: mixed}
 * @phpstan-type Form array{id: int, title: string, is_active: string, fields: FormField[], confirmations: array<string, array{type: string, message: string, url: string, isDefault?: bool}>}
 */
final class Forms {
	const OPTION = 'pillion_forms';

	/** The highest form number that was used. */
	const LAST_ID_OPTION = 'pillion_forms_last';

	/** A UUID, or an id with the characters of a slug. Repeats with the same id count once. */
	const SIGN_UP_ID = '/^[a-z0-9-]{8,64}$/D';

	public function register(): void {
		// This hook runs when all plugins are loaded; Gravity Forms can load after this one.
		add_action( 'rest_api_init', array( $this, 'register_routes' ) );
	}

	public static function is_fallback(): bool {
		return ! class_exists( 'GFForms', false );
	}

	/** @return array<int, Form> By id. Leaves out forms and fields that are malformed. */
	public static function all(): array {
		$forms = array();
		foreach ( Data::rows( get_option( self::OPTION ) ) as $form ) {
			if ( ! empty( $form['id'] ) && is_array( $form['fields'] ?? null ) ) {
				$form['fields']             = array_values( array_filter( $form['fields'], array( self::class, 'is_field' ) ) );
				$forms[ (int) $form['id'] ] = $form;
			}
		}
		return $forms;
	}

	/** @return array<string, mixed>|null A form of Gravity Forms if that is active, otherwise of this plugin. */
	public static function find( int $id ): ?array {
		return self::is_fallback() ? self::all()[ $id ] ?? null : GravityForms::find( $id );
	}

	/**
	 * @param array<string, mixed> $form With its id.
	 * @return int The id.
	 */
	public static function save( array $form ): int {
		$forms = array( (int) $form['id'] => $form ) + self::all();
		ksort( $forms );
		update_option( self::OPTION, $forms, false );
		// A form's number is not used again, because sign-ups refer to it.
		update_option( self::LAST_ID_OPTION, max( (int) get_option( self::LAST_ID_OPTION, 0 ), (int) $form['id'] ), false );
		return (int) $form['id'];
	}

	public static function next_id(): int {
		return 1 + max( 0, (int) get_option( self::LAST_ID_OPTION, 0 ), ...array_keys( self::all() ) );
	}

	/** @return int The id of the copy. */
	public static function duplicate( int $id ): int {
		$form = self::all()[ $id ];
		$copy = self::next_id();
		foreach ( $form['fields'] as $index => $field ) {
			$form['fields'][ $index ]['formId'] = $copy;
		}
		/* translators: %s: name of a form */
		$title = sprintf( __( '%s (copy)', 'pillion' ), $form['title'] ?? '' );
		return self::save( array( 'id' => $copy, 'title' => $title ) + $form );
	}

	public static function delete( int $id ): void {
		$forms = self::all();
		// The number of the deleted form stays used.
		update_option( self::LAST_ID_OPTION, self::next_id() - 1, false );
		unset( $forms[ $id ] );
		update_option( self::OPTION, $forms, false );
	}

	/** @return string The title of a form, or `#` and its number. */
	public static function title( array $form, int $id ): string {
		$title = trim( (string) ( $form['title'] ?? '' ) );
		return '' !== $title ? $title : "#$id";
	}

	private static function is_field( $field ): bool {
		return is_array( $field ) && isset( $field['id'], $field['type'] ) && is_scalar( $field['id'] ) && is_string( $field['type'] );
	}

	public function register_routes(): void {
		if ( ! self::is_fallback() ) {
			return;
		}
		$permission = array( 'permission_callback' => array( $this, 'can_use' ) );
		register_rest_route( 'gf/v2', '/forms', $permission + array( 'callback' => array( $this, 'list_forms' ) ) );
		register_rest_route( 'gf/v2', '/forms/(?P<id>\d+)', $permission + array( 'callback' => array( $this, 'get_form' ) ) );
		register_rest_route( 'gf/v2', '/forms/(?P<id>\d+)/submissions', $permission + array( 'methods' => 'POST', 'callback' => array( $this, 'submit' ) ) );
	}

	/**
	 * Only the site's server, with its key, and editors may read and submit forms. Visitors never call these routes.
	 *
	 * @return true|WP_Error
	 */
	public function can_use() {
		return Keys::is_served() || current_user_can( 'edit_pages' )
			? true
			: new WP_Error( 'rest_forbidden', __( 'Sorry, you are not allowed to do that.', 'pillion' ), array( 'status' => rest_authorization_required_code() ) );
	}

	public function list_forms(): WP_REST_Response {
		$list = array();
		foreach ( self::all() as $id => $form ) {
			$list[ $id ] = array(
				'id'      => (string) $id,
				'title'   => (string) ( $form['title'] ?? '' ),
				'entries' => (string) Entries::count( $id ),
			);
		}
		return new WP_REST_Response( (object) $list );
	}

	/** @return WP_REST_Response|WP_Error A missing form has status 500, as in Gravity Forms. */
	public function get_form( WP_REST_Request $request ) {
		$form = self::all()[ (int) $request->get_url_params()['id'] ] ?? null;
		return $form ? new WP_REST_Response( self::to_site_form( $form ) ) : new WP_Error( 'gf_not_found', __( 'Form not found', 'pillion' ) );
	}

	/**
	 * Adds addresses of confirmation pages and removes notifications, because the site caches the form.
	 *
	 * @param Form $form
	 * @return Form
	 */
	private static function to_site_form( array $form ): array {
		$form['notifications'] = array();
		// The format of Gravity Forms. Entries here have no IP address, so the site need not send one.
		$form['personalData'] = array( 'preventIP' => true );
		return GravityForms::add_page_addresses( $form );
	}

	/** @return WP_REST_Response|WP_Error */
	public function submit( WP_REST_Request $request ) {
		$form  = self::all()[ (int) $request->get_url_params()['id'] ] ?? null;
		$input = $request->get_json_params();
		$input = is_array( $input ) && $input ? $input : $request->get_body_params();
		if ( ! $form || empty( $form['is_active'] ) ) {
			return new WP_Error( 'form_not_found', __( 'Your form could not be found', 'pillion' ), array( 'status' => 400 ) );
		}
		if ( ! $input ) {
			return new WP_Error( 'missing_submission_values', __( 'Please provide the submission values.', 'pillion' ), array( 'status' => 400 ) );
		}
		$files = EntryFiles::read( $request->get_file_params() );
		$error = EntryFiles::upload_error( $files );
		if ( $error ) {
			return $error;
		}
		$answers = FormAnswers::read( $form['fields'], $input, $files );
		if ( $answers['problems'] ) {
			return self::invalid_response( $answers['problems'] );
		}
		return self::store( $form, $answers, $input['sign_up_id'] ?? '', $input[ Attribution::FIELD ] ?? null );
	}

	/**
	 * @param Form                                                 $form
	 * @param array{values: array<string, string>, files: Sent[]} $answers    Values by input id.
	 * @param mixed                                                $sign_up_id As the site sent it; empty: repeats are not detected.
	 * @param mixed                                                $campaigns  As the site sent them.
	 * @return WP_REST_Response|WP_Error
	 */
	private static function store( array $form, array $answers, $sign_up_id, $campaigns ) {
		$is_id = is_string( $sign_up_id ) && preg_match( self::SIGN_UP_ID, strtolower( $sign_up_id ) );
		if ( '' !== $sign_up_id && ! $is_id ) {
			return new WP_Error( 'pillion_sign_up_id', __( 'sign_up_id must have 8 to 64 letters, digits or dashes.', 'pillion' ), array( 'status' => 400 ) );
		}
		$entry_id = Entries::add( $form, $answers['values'], strtolower( $sign_up_id ), $answers['files'], Attribution::decode( $campaigns ) );
		if ( is_wp_error( $entry_id ) ) {
			return $entry_id;
		}
		// A repeat can send it too: the first request may have died before its mail was sent.
		Notification::send_later( $form, $entry_id );
		return self::confirmation_response( $form, $entry_id );
	}

	/** @param array<string, string> $problems By field id. */
	private static function invalid_response( array $problems ): WP_REST_Response {
		$data = array(
			'is_valid'            => false,
			'validation_messages' => $problems,
			'page_number'         => 1,
			'source_page_number'  => 1,
		);
		return new WP_REST_Response( $data, 400 );
	}

	/** @param Form $form */
	private static function confirmation_response( array $form, int $entry_id ): WP_REST_Response {
		$confirmation = self::default_confirmation( GravityForms::add_page_addresses( $form ) );
		$type         = 'message' === $confirmation['type'] ? 'message' : 'redirect';
		$data         = array(
			'is_valid'           => true,
			'page_number'        => 0,
			'source_page_number' => 1,
			'confirmation_type'  => $type,
			'entry_id'           => $entry_id,
		);
		if ( 'redirect' === $type ) {
			$url = (string) ( $confirmation['url'] ?? '' );
			return new WP_REST_Response( $data + array( 'confirmation_redirect' => $url ), 200, array( 'Location' => $url ) );
		}
		$data['confirmation_message'] = wpautop( wp_kses_post( (string) ( $confirmation['message'] ?? '' ) ) );
		return new WP_REST_Response( $data );
	}

	/**
	 * @param Form $form
	 * @return array{type: string, message?: string, url?: string} The default one, or the first.
	 */
	public static function default_confirmation( array $form ): array {
		$all           = Data::rows( $form['confirmations'] ?? null );
		$default_first = array_values( wp_list_filter( $all, array( 'isDefault' => true ) ) + $all );
		return ( $default_first[0] ?? array() ) + array( 'type' => 'message' );
	}
}
