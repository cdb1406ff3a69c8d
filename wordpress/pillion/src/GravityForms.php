<?php
/**
 * What Gravity Forms does not know of the site: the id under which a sign-up is sent, and sent again. It is kept with the
 * entry, and a repeat is answered with the entry that is there already. Written against Gravity Forms' documented hooks
 * and API, and WordPress' own REST filters.
 *
 * @see https://docs.gravityforms.com/gform_entry_created
 * @see https://docs.gravityforms.com/gform_entry_meta
 */

namespace Pillion;

use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

final class GravityForms {
	/** Meta of an entry, a column of its list, and a filter of its search. */
	const META = 'pillion_sign_up_id';

	const ROUTE = '#^/gf/v2/forms/(\d+)/submissions$#';

	/** @var string Of the request that is being answered. */
	private $sign_up_id = '';

	public function register(): void {
		add_filter( 'gform_entry_meta', array( $this, 'add_meta' ) );
		add_action( 'gform_entry_created', array( $this, 'keep' ), 1, 2 );
		// After the permission was checked, in place of Gravity Forms' own answer.
		add_filter( 'rest_dispatch_request', array( $this, 'answer_repeat' ), 10, 2 );
		add_filter( 'rest_request_after_callbacks', array( $this, 'finish' ), 10, 3 );
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
	 * @param array<string, mixed> $entry
	 * @param array<string, mixed> $form
	 */
	public function keep( $entry, $form ): void {
		if ( '' !== $this->sign_up_id && function_exists( 'gform_update_meta' ) ) {
			gform_update_meta( $entry['id'], self::META, $this->sign_up_id, $form['id'] );
		}
	}

	/**
	 * @param mixed $answer
	 * @return mixed The answer of the first time, word for word as far as the site reads it; null: Gravity Forms answers.
	 */
	public function answer_repeat( $answer, WP_REST_Request $request ) {
		$form_id = self::form_of( $request );
		$id      = self::id_of( $request );
		if ( null !== $answer || ! $form_id || Forms::is_fallback() || ! preg_match( Forms::SIGN_UP_ID, $id ) ) {
			return $answer;
		}
		if ( ! Lock::take( $id ) ) {
			return new WP_Error( 'pillion_busy', __( 'The same sign-up is being stored at this moment.', 'pillion' ), array( 'status' => 503 ) );
		}
		$this->sign_up_id = $id;
		$entry            = self::find( $form_id, $id );
		return $entry ? new WP_REST_Response( array( 'is_valid' => true, 'page_number' => 0, 'source_page_number' => 1, 'entry_id' => $entry ) ) : null;
	}

	/**
	 * @param mixed                $answer
	 * @param array<string, mixed> $handler
	 * @return mixed
	 */
	public function finish( $answer, $handler, WP_REST_Request $request ) {
		if ( '' !== $this->sign_up_id && self::form_of( $request ) ) {
			Lock::give_back( $this->sign_up_id );
			$this->sign_up_id = '';
		}
		if ( is_wp_error( $answer ) || Forms::is_fallback() || ! preg_match( '#^/gf/v2/forms/\d+$#', $request->get_route() ) ) {
			return $answer;
		}
		$answer = rest_ensure_response( $answer );
		if ( is_array( $answer->get_data() ) ) {
			$answer->set_data( self::with_page_addresses( $answer->get_data() ) );
		}
		return $answer;
	}

	private static function form_of( WP_REST_Request $request ): int {
		return 'POST' === $request->get_method() && preg_match( self::ROUTE, $request->get_route(), $found ) ? (int) $found[1] : 0;
	}

	private static function id_of( WP_REST_Request $request ): string {
		$json = $request->get_json_params();
		$id   = ( $json ? $json : $request->get_body_params() )['sign_up_id'] ?? '';
		return is_string( $id ) ? strtolower( $id ) : '';
	}

	private static function find( int $form_id, string $id ): int {
		if ( ! is_callable( array( 'GFAPI', 'get_entry_ids' ) ) ) {
			return 0;
		}
		$search = array(
			'field_filters' => array(
				array(
					'key'      => self::META,
					'operator' => 'is',
					'value'    => $id,
				),
			),
		);
		$ids = \GFAPI::get_entry_ids( $form_id, $search );
		return is_array( $ids ) && $ids ? (int) min( $ids ) : 0;
	}
}
