<?php
/**
 * Routes by which the command `pillion push` writes languages, forms and redirects. Everything else it writes over WordPress' own
 * REST API.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\Forms;
use Pillion\Languages\LanguageRules;
use Pillion\Languages\Translations;
use Pillion\Lib\Admin;
use Pillion\Lib\Language;
use Pillion\Lib\Rest;
use Pillion\Redirects\RedirectRules;
use Pillion\Redirects\Redirects;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

final class PushedContent {
	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_routes' ) );
	}

	public function register_routes(): void {
		$permission = static fn(): bool => current_user_can( Admin::SETTINGS_CAPABILITY );
		$required   = static fn( string $type ): array => array( 'type' => $type, 'required' => true );
		$rows       = static fn( array $properties ): array => $required( 'array' ) + array( 'items' => array( 'type' => 'object' ) + $properties );
		Rest::add_route( '/push', 'GET', array( $this, 'get_state' ), $permission );
		Rest::add_route( '/languages', 'POST', array( $this, 'set_languages' ), $permission, array( 'languages' => $rows( array() ) ) );
		$redirect = array(
			'from'   => $required( 'string' ),
			'status' => $required( 'integer' ),
			'to'     => array( 'type' => 'string', 'default' => '' ),
		);
		Rest::add_route( '/redirects', 'POST', array( $this, 'add_redirect' ), $permission, $redirect );
		$form = array(
			'title'  => $required( 'string' ) + array( 'minLength' => 1 ),
			'fields' => $rows( array( 'properties' => array( 'id' => $required( 'integer' ), 'type' => $required( 'string' ) ) ) ),
		);
		Rest::add_route( '/forms', 'POST', array( $this, 'add_form' ), $permission, $form );
	}

	/** What can be written. */
	public function get_state(): WP_REST_Response {
		return new WP_REST_Response(
			array(
				'languages'       => array_values( Language::listed() ),
				// Whether an administrator has saved the list.
				'is_listed'       => (bool) get_option( Language::OPTION ),
				// Name of another plugin that manages the languages.
				'languages_by'    => Translations::are_elsewhere() ? Translations::source()->title() : '',
				'is_adding_forms' => Forms::is_fallback(),
			)
		);
	}

	/** @return WP_REST_Response|WP_Error */
	public function set_languages( WP_REST_Request $request ) {
		if ( Translations::are_elsewhere() ) {
			/* translators: %s: name of a plugin */
			return self::refusal( sprintf( __( '%s is active and manages the languages. The list of Pillion applies again when it is deactivated.', 'pillion' ), Translations::source()->title() ), 409 );
		}
		$result = LanguageRules::validate( $request['languages'] );
		if ( $result['problems'] ) {
			return self::refusal( implode( ' ', $result['problems'] ), 400 );
		}
		update_option( Language::OPTION, $result['languages'] );
		return $this->get_state();
	}

	/**
	 * Adds one of the plugin's own forms under a new number, in the format of Gravity Forms.
	 *
	 * @return WP_REST_Response|WP_Error
	 */
	public function add_form( WP_REST_Request $request ) {
		if ( ! Forms::is_fallback() ) {
			return self::refusal( __( 'Gravity Forms is active, so forms are created there.', 'pillion' ), 409 );
		}
		$id   = Forms::next_id();
		$form = array_intersect_key( $request->get_params(), array_flip( array( 'title', 'description', 'button', 'fields', 'confirmations', 'enableHoneypot' ) ) );
		foreach ( $form['fields'] as $index => $field ) {
			$form['fields'][ $index ] = array( 'formId' => $id ) + self::sanitize_html( $field, array( 'checkboxLabel', 'content', 'description' ) );
		}
		foreach ( (array) ( $form['confirmations'] ?? array() ) as $key => $confirmation ) {
			$form['confirmations'][ $key ] = self::sanitize_html( (array) $confirmation, array( 'message' ) );
		}
		Forms::save(
			array(
				'id'            => $id,
				'is_active'     => '1',
				'is_trash'      => '0',
				'nextFieldId'   => 1 + max( array( 0, ...array_column( $form['fields'], 'id' ) ) ),
				'notifications' => array(),
			) + $form
		);
		return new WP_REST_Response( array( 'id' => $id ), 201 );
	}

	/**
	 * Adds a redirect.
	 *
	 * @return WP_REST_Response|WP_Error 201 with its id; 400 if the rules of the screen refuse it: also if the path has
	 * a redirect, which stays.
	 */
	public function add_redirect( WP_REST_Request $request ) {
		$result = RedirectRules::validate( array_map( 'strval', array( 'from' => $request['from'], 'status' => $request['status'], 'to' => $request['to'] ) ), 0 );
		if ( $result['problems'] ) {
			return self::refusal( $request['from'] . ': ' . implode( ' ', $result['problems'] ), 400 );
		}
		$id = Redirects::save( array( 'id' => 0, 'page' => 0 ) + $result );
		if ( ! $id ) {
			return self::refusal( __( 'WordPress could not save the redirect. Please try again.', 'pillion' ), 500 );
		}
		Redirects::notify_changed( $result['from'] );
		return new WP_REST_Response( array( 'id' => $id ), 201 );
	}

	/** @param string[] $members Those that are HTML. Others are plain text, which visitors never get as markup. */
	private static function sanitize_html( array $values, array $members ): array {
		foreach ( $members as $member ) {
			if ( is_string( $values[ $member ] ?? null ) ) {
				$values[ $member ] = wp_kses_post( $values[ $member ] );
			}
		}
		return $values;
	}

	private static function refusal( string $message, int $status ): WP_Error {
		return new WP_Error( 'pillion_push', $message, array( 'status' => $status ) );
	}
}
