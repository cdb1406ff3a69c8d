<?php
/**
 * Gravity Forms' forms as the site reads them, and the id of a sign-up as a column of its entries (`Submissions` keeps
 * it). Written against Gravity Forms' documented hooks and API, and WordPress' own REST filters.
 *
 * @see https://docs.gravityforms.com/gform_entry_meta
 */

namespace Pillion\Forms\Gravity;

use Pillion\Access\Keys;
use Pillion\Forms\Forms;
use WP_REST_Request;

final class GravityForms {
	/** Meta of an entry, a column of its list, and a filter of its search. */
	const META = 'pillion_sign_up_id';

	public function register(): void {
		add_filter( 'gform_entry_meta', array( $this, 'add_meta' ) );
		add_filter( 'rest_request_after_callbacks', array( $this, 'finish' ), 10, 3 );
		add_filter( 'gform_pre_validation', array( $this, 'without_captchas' ), 1 );
		add_filter( 'gform_field_validation', array( $this, 'allow_earlier_consent' ), 10, 4 );
	}

	/**
	 * @return array<int, array<string, mixed>> Its forms, as its REST API gives them.
	 */
	public static function all(): array {
		$forms = is_callable( array( 'GFAPI', 'get_forms' ) ) ? json_decode( (string) wp_json_encode( \GFAPI::get_forms() ), true ) : array();
		return array_map(
			static function ( array $form ): array {
				return array( 'fields' => array_filter( (array) ( $form['fields'] ?? array() ), 'is_array' ) ) + $form;
			},
			array_filter( is_array( $forms ) ? $forms : array(), 'is_array' )
		);
	}

	/** Where Gravity Forms keeps the settings of its REST API. */
	const API_SETTINGS = 'gravityformsaddon_gravityformswebapi_settings';

	/** Whether it answers the site at all. */
	public static function is_api_on(): bool {
		$settings = get_option( self::API_SETTINGS );
		return ! class_exists( 'GFWebAPI', false ) || ( is_array( $settings ) && ! empty( $settings['enabled'] ) );
	}

	public static function switch_api_on(): void {
		$settings = get_option( self::API_SETTINGS );
		update_option( self::API_SETTINGS, array( 'enabled' => '1' ) + ( is_array( $settings ) ? $settings : array() ) );
	}

	/**
	 * A confirmation that opens a page names it by its id: the site needs its address.
	 *
	 * @param array<string, mixed> $form
	 * @return array<string, mixed>
	 */
	public static function with_page_addresses( array $form ): array {
		foreach ( (array) ( $form['confirmations'] ?? array() ) as $key => $confirmation ) {
			if ( is_array( $confirmation ) && 'page' === ( $confirmation['type'] ?? '' ) ) {
				$form['confirmations'][ $key ]['url'] = (string) get_permalink( (int) ( $confirmation['pageId'] ?? 0 ) );
			}
		}
		return $form;
	}

	/**
	 * @param array<string, mixed> $meta
	 * @return array<string, mixed>
	 */
	public function add_meta( $meta ) {
		$meta[ self::META ] = array(
			'label'             => __( 'Sign-up id', 'pillion' ),
			'is_numeric'        => false,
			'is_default_column' => false,
			'filter'            => array( 'operators' => array( 'is', 'isnot' ) ),
		);
		return $meta;
	}

	/**
	 * @param mixed                $answer
	 * @param array<string, mixed> $handler
	 * @return mixed
	 */
	public function finish( $answer, $handler, WP_REST_Request $request ) {
		if ( is_wp_error( $answer ) || Forms::is_fallback() || ! preg_match( '#^/gf/v2/forms/\d+$#', $request->get_route() ) ) {
			return $answer;
		}
		$answer = rest_ensure_response( $answer );
		if ( is_array( $answer->get_data() ) ) {
			$form = self::with_page_addresses( $answer->get_data() );
			// Whoever edits forms over REST gets them whole.
			$answer->set_data( Keys::is_shown() ? GravityDescription::of( $form ) : $form );
		}
		return $answer;
	}

	/**
	 * No visitor of the site can answer them, and the site's own guards have judged what its server sends.
	 *
	 * @param array<string, mixed> $form
	 * @return array<string, mixed>
	 */
	public function without_captchas( $form ) {
		if ( Keys::is_shown() && is_array( $form ) && is_array( $form['fields'] ?? null ) ) {
			$form['fields'] = array_values(
				array_filter(
					$form['fields'],
					static function ( $field ): bool {
						return ! in_array( $field['type'] ?? '', GravitySupport::CAPTCHAS, true );
					}
				)
			);
		}
		return $form;
	}

	/**
	 * A consent was given to the words that stood there then: Gravity Forms keeps these, and would refuse them as soon as
	 * an editor has changed them.
	 *
	 * @param array<string, mixed> $result
	 * @param mixed                $value  Parts of the answer by input id.
	 * @param array<string, mixed> $form
	 * @param object               $field
	 * @return array<string, mixed>
	 */
	public function allow_earlier_consent( $result, $value, $form, $field ) {
		$is_refused = is_array( $result ) && empty( $result['is_valid'] ) && 'consent' === ( $field->type ?? '' ) && is_array( $value );
		if ( ! $is_refused || ! Keys::is_shown() || ! is_callable( array( $field, 'get_context_property' ) ) || ! $field->get_context_property( 'failed_state_validation' ) ) {
			return $result;
		}
		$said = self::consent_of( (int) $form['id'], (int) ( $value[ $field->id . '.3' ] ?? 0 ), (int) $field->id );
		if ( null === $said || trim( (string) ( $value[ $field->id . '.2' ] ?? '' ) ) !== $said ) {
			return $result;
		}
		return array(
			'is_valid' => true,
			'message'  => '',
		) + $result;
	}

	/** @return string|null What a consent box said in that revision of the form. */
	private static function consent_of( int $form_id, int $revision, int $field_id ): ?string {
		global $wpdb;
		if ( ! is_callable( array( 'GFFormsModel', 'get_form_revisions_table_name' ) ) ) {
			return null;
		}
		$meta = $wpdb->get_var( $wpdb->prepare( 'SELECT display_meta FROM ' . \GFFormsModel::get_form_revisions_table_name() . ' WHERE form_id = %d AND id = %d', $form_id, $revision ) );
		foreach ( (array) ( json_decode( (string) $meta, true )['fields'] ?? array() ) as $field ) {
			if ( $field_id === (int) ( $field['id'] ?? 0 ) ) {
				return trim( (string) ( $field['checkboxLabel'] ?? '' ) );
			}
		}
		return null;
	}
}
