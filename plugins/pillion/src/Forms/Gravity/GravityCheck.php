<?php
/**
 * Checks that only WordPress can make before a sign-up is stored: whether the form is full, and whether a unique value
 * was already used. The site sends the values in a header of a GET request, which access logs do not record.
 */

namespace Pillion\Forms\Gravity;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Access\Keys;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

final class GravityCheck {
	const ROUTE = '/forms/(?P<id>\d+)/check';

	/** JSON in base64url: values of the unique fields by the name of their control. */
	const HEADER = 'x_pillion_answers';

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
	}

	public function register_route(): void {
		KeyRules::add_route( 'pillion/v1', self::ROUTE, array( $this, 'get_check' ), array( Keys::class, 'is_served' ) );
	}

	/** @return WP_REST_Response|WP_Error */
	public function get_check( WP_REST_Request $request ) {
		$form = GravityForms::find( (int) $request->get_url_params()['id'] );
		if ( ! $form ) {
			return new WP_Error( 'pillion_no_form', __( 'Gravity Forms has no form with this id.', 'pillion' ), array( 'status' => 404 ) );
		}
		$encoded = (string) $request->get_header( self::HEADER );
		$values  = '' === $encoded ? array() : json_decode( (string) base64_decode( strtr( $encoded, '-_', '+/' ) ), true );
		if ( ! is_array( $values ) ) {
			return new WP_Error( 'pillion_answers', __( 'X-Pillion-Answers: JSON in base64url is expected.', 'pillion' ), array( 'status' => 400 ) );
		}
		$closed = GravityDescription::closed_reason( $form );
		$data   = array(
			'closed' => $closed,
			'taken'  => (object) ( $closed ? array() : self::taken_values( $form, $values ) ),
		);
		return new WP_REST_Response( $data );
	}

	/**
	 * @return array<int, string> Gravity Forms' message for each unique field whose value was already used, by field
	 * id.
	 */
	private static function taken_values( array $form, array $values ): array {
		// Gravity Forms reads answers from $_POST, with separate code for each kind of field.
		// phpcs:disable WordPress.Security.ValidatedSanitizedInput -- Gravity Forms reads it; it is emptied below.
		$_POST    = wp_slash( array( 'is_submit_' . (int) $form['id'] => '1' ) + $values );
		$messages = array();
		foreach ( $form['fields'] as $field ) {
			if ( empty( $field->noDuplicates ) || ! self::has_answer( (int) $field->id, $values ) ) {
				continue;
			}
			$value = apply_filters( 'gform_value_pre_duplicate_check', \GFFormsModel::get_field_value( $field ), $field, $form['id'] );
			if ( \GFFormsModel::is_duplicate( $form['id'], $field, $value ) ) {
				$messages[ (int) $field->id ] = self::duplicate_message( $form, $field, $value );
			}
		}
		$_POST = array();
		// phpcs:enable
		return $messages;
	}

	/** @param array<string, mixed> $values By name of the control: `input_3`, `input_4_1`. */
	private static function has_answer( int $field_id, array $values ): bool {
		foreach ( $values as $name => $value ) {
			if ( preg_match( "/^input_{$field_id}(_|$)/", (string) $name ) && '' !== trim( implode( '', (array) $value ) ) ) {
				return true;
			}
		}
		return false;
	}

	/** @param object $field */
	private static function duplicate_message( array $form, $field, $value ): string {
		$message = is_array( $value )
			? __( 'This field requires a unique entry and the values you entered have already been used.', 'gravityforms' )
			/* translators: %s: what was typed */
			: sprintf( __( "This field requires a unique entry and '%s' has already been used", 'gravityforms' ), $value );
		if ( 'date' === $field->get_input_type() ) {
			$message = __( 'This date has already been taken. Please select a new date.', 'gravityforms' );
		}
		return wp_strip_all_tags( (string) gf_apply_filters( array( 'gform_duplicate_message', $form['id'] ), $message, $form, $field, $value ) );
	}
}
