<?php
/**
 * Adapts Gravity Forms' forms for the site, and adds the sign-up id to entries as a column (`Submissions` stores it).
 * Uses documented hooks of Gravity Forms and REST filters of WordPress.
 *
 * @see https://docs.gravityforms.com/gform_entry_meta
 */

namespace Pillion\Forms\Gravity;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\Keys;
use Pillion\Forms\Forms;
use Pillion\Lib\Data;
use WP_REST_Request;

final class GravityForms {
	/** Entry meta, also a column of the list and a search filter. */
	const META = 'pillion_sign_up_id';

	/** Option with the settings of Gravity Forms' REST API. */
	const API_SETTINGS = 'gravityformsaddon_gravityformswebapi_settings';

	public function register(): void {
		add_filter( 'gform_entry_meta', array( $this, 'add_sign_up_id_column' ) );
		add_filter( 'rest_request_after_callbacks', array( $this, 'adapt_response' ), 10, 3 );
		add_filter( 'gform_pre_validation', array( $this, 'remove_captchas' ), 1 );
		add_filter( 'gform_field_validation', array( $this, 'allow_earlier_consent' ), 10, 4 );
	}

	/** @return array<int, array<string, mixed>> Its forms, as in its REST API. */
	public static function all(): array {
		$forms = is_callable( array( 'GFAPI', 'get_forms' ) ) ? json_decode( (string) wp_json_encode( \GFAPI::get_forms() ), true ) : array();
		return array_map(
			static fn( array $form ): array => array( 'fields' => Data::rows( $form['fields'] ?? null ) ) + $form,
			Data::rows( $forms )
		);
	}

	/** @return array<string, mixed>|null Also an inactive form, or one in the trash. */
	public static function find( int $id ): ?array {
		$form = is_callable( array( 'GFAPI', 'get_form' ) ) ? \GFAPI::get_form( $id ) : null;
		return is_array( $form ) ? $form : null;
	}

	/** Whether the REST API of Gravity Forms is enabled. */
	public static function is_api_on(): bool {
		return ! class_exists( 'GFWebAPI', false ) || ! empty( Data::option( self::API_SETTINGS )['enabled'] );
	}

	public static function switch_api_on(): void {
		update_option( self::API_SETTINGS, array( 'enabled' => '1' ) + Data::option( self::API_SETTINGS ) );
	}

	/**
	 * Adds the page's address to confirmations that open a page; Gravity Forms stores only its id. Without an address, as of
	 * an unpublished page, the site shows its own text.
	 */
	public static function add_page_addresses( array $form ): array {
		foreach ( (array) ( $form['confirmations'] ?? array() ) as $key => $confirmation ) {
			if ( is_array( $confirmation ) && 'page' === ( $confirmation['type'] ?? '' ) ) {
				$page_id = (int) ( $confirmation['pageId'] ?? 0 );
				$form['confirmations'][ $key ]['url'] = 'publish' === get_post_status( $page_id ) ? (string) get_permalink( $page_id ) : '';
			}
		}
		return $form;
	}

	public function add_sign_up_id_column( $meta ) {
		$meta[ self::META ] = array(
			'label'             => __( 'Sign-up id', 'pillion' ),
			'is_numeric'        => false,
			'is_default_column' => false,
			'filter'            => array( 'operators' => array( 'is', 'isnot' ) ),
		);
		return $meta;
	}

	/** Adds what the site needs to the response of one form. */
	public function adapt_response( $response, $handler, WP_REST_Request $request ) {
		if ( is_wp_error( $response ) || Forms::is_fallback() || ! preg_match( '#^/gf/v2/forms/\d+$#', $request->get_route() ) ) {
			return $response;
		}
		$response = rest_ensure_response( $response );
		if ( is_array( $response->get_data() ) ) {
			$form = self::add_page_addresses( $response->get_data() );
			// Users who edit forms over REST get the complete form.
			$response->set_data( Keys::is_from_site() ? GravityDescription::describe( $form ) : $form );
		}
		return $response;
	}

	/** Removes captchas: visitors of the site cannot answer them, and the site has its own spam checks. */
	public function remove_captchas( $form ) {
		if ( Keys::is_from_site() && is_array( $form ) && is_array( $form['fields'] ?? null ) ) {
			$form['fields'] = array_values(
				array_filter( $form['fields'], static fn( $field ): bool => ! in_array( $field['type'] ?? '', GravitySupport::CAPTCHAS, true ) )
			);
		}
		return $form;
	}

	/**
	 * Accepts a consent to an earlier text. Gravity Forms stores that text with its revision, but rejects the answer
	 * once an editor has changed the text.
	 *
	 * @param mixed  $value Parts of the answer by input id.
	 * @param object $field
	 */
	public function allow_earlier_consent( $result, $value, $form, $field ) {
		$is_refused = is_array( $result ) && empty( $result['is_valid'] ) && 'consent' === ( $field->type ?? '' ) && is_array( $value );
		if ( ! $is_refused || ! Keys::is_from_site() || ! is_callable( array( $field, 'get_context_property' ) ) || ! $field->get_context_property( 'failed_state_validation' ) ) {
			return $result;
		}
		$label = self::consent_label( (int) $form['id'], (int) ( $value[ $field->id . '.3' ] ?? 0 ), (int) $field->id );
		if ( null === $label || trim( (string) ( $value[ $field->id . '.2' ] ?? '' ) ) !== $label ) {
			return $result;
		}
		return array(
			'is_valid' => true,
			'message'  => '',
		) + $result;
	}

	/** @return string|null Label of the consent checkbox in that revision of the form. */
	private static function consent_label( int $form_id, int $revision, int $field_id ): ?string {
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
