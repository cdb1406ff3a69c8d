<?php
/**
 * Adds the member `pillion` to Gravity Forms' REST response of a form: whether it is closed and with which message, its
 * schedule, the currency format, unique fields, hidden values to submit, and unsupported parts. Removes mail
 * recipients.
 *
 * @see docs/reference/content-model.md for the format.
 */

namespace Pillion\Forms\Gravity;

defined( 'ABSPATH' ) || exit;

use Pillion\Editor\SectionPictures;
use Pillion\Lib\Data;

final class GravityDescription {
	/** Merge tags that depend on neither an entry nor a visitor: Gravity Forms replaces them. */
	const FILLED_TAGS = '/\{(?:date_mdy|date_dmy|today(?::[^{}]*)?|form_id|form_title|admin_email)\}/i';

	/** Merge tags without a value before a sign-up: of fields, visitor, page and entry. */
	const EMPTIED_TAGS = '/\{(?:[^{}\n]*:\d+(?:\.\d+)?(?::[^{}\n]*)?|(?:ip|user_agent|referer|all_fields|pricing_fields|entry_id|entry_url|post_id|post_edit_url|save_link|save_token|save_email_input|payment_[a-z_]+|transaction_id|date_created|date_updated|entry|score|embed_post|embed_url|custom_field|user)(?::[^{}\n]*)?)\}/i';

	/** Texts of a field in which Gravity Forms replaces merge tags. */
	const TEXTS = array( 'label', 'description', 'content', 'checkboxLabel', 'defaultValue', 'placeholder' );

	/** Members that the site does not need. */
	const PRIVATE = array( 'notifications', 'nextFieldId', 'version' );

	/** Members of `personalData` that the site needs: whether entries hold the visitor's IP address. */
	const PERSONAL = array( 'preventIP' );

	/**
	 * Adds `pillion`, fills merge tags in texts, and removes what the site does not need, such as mail recipients.
	 *
	 * @param array<string, mixed> $form As in the REST API.
	 * @return array<string, mixed> docs/reference/content-model.md lists the members of `pillion`.
	 */
	public static function describe( array $form ): array {
		// Objects, such as fields, become arrays.
		$form        = json_decode( (string) wp_json_encode( $form ), true );
		$fields      = Data::rows( $form['fields'] ?? null );
		$description = array(
			'closed'   => self::closed_reason( $form ),
			'schedule' => self::schedule( $form ),
			// With a limit, the server asks WordPress before it stores a sign-up.
			'asks'     => ! empty( $form['limitEntries'] ),
			'currency' => self::currency(),
			'unique'   => array_values( wp_list_pluck( wp_list_filter( $fields, array( 'noDuplicates' => true ) ), 'id' ) ),
			// What Gravity Forms' own page sends in hidden controls.
			'fixed'    => (object) self::hidden_values( $form, $fields ),
			'files'    => self::accepted_extensions( $fields ),
			'support'  => GravitySupport::findings_for( $form ),
		);
		foreach ( $fields as $key => $field ) {
			$form['fields'][ $key ] = self::prepare_field( $field, $form );
		}
		if ( isset( $form['personalData'] ) ) {
			$form['personalData'] = array_intersect_key( (array) $form['personalData'], array_flip( self::PERSONAL ) );
		}
		return array( 'pillion' => $description ) + array_diff_key( $form, array_flip( self::PRIVATE ) );
	}

	/**
	 * Whether Gravity Forms rejects all sign-ups now, with its message.
	 *
	 * @return array{reason: string, message: string}|null Message in HTML, or empty; null: the form is open.
	 */
	public static function closed_reason( array $form ): ?array {
		if ( ! empty( $form['is_trash'] ) ) {
			return self::closed_by( 'trash', '' );
		}
		if ( empty( $form['is_active'] ) ) {
			return self::closed_by( 'inactive', '' );
		}
		if ( is_callable( array( 'GFCommon', 'form_requires_login' ) ) && \GFCommon::form_requires_login( $form ) ) {
			return self::closed_by( 'login', (string) ( $form['requireLoginMessage'] ?? '' ) );
		}
		return self::closed_by_schedule_or_limit( $form );
	}

	/** @return array{reason: string, message: string}|null Null if neither closes the form. */
	private static function closed_by_schedule_or_limit( array $form ): ?array {
		// Gravity Forms does not always load this class.
		if ( ! class_exists( 'GFFormDisplay' ) && is_callable( array( 'GFCommon', 'get_base_path' ) ) ) {
			require_once \GFCommon::get_base_path() . '/form_display.php';
		}
		if ( ! is_callable( array( 'GFFormDisplay', 'validate_entry_limit' ) ) ) {
			return null;
		}
		$schedule = \GFFormDisplay::validate_form_schedule( $form );
		if ( $schedule ) {
			$times = self::schedule( $form );
			return self::closed_by( $times && null !== $times['opens'] && time() < $times['opens'] ? 'pending' : 'expired', (string) $schedule );
		}
		$limit = \GFFormDisplay::validate_entry_limit( $form );
		return $limit ? self::closed_by( 'full', (string) $limit ) : null;
	}

	/**
	 * @param string $message HTML of Gravity Forms; empty: its default message, if it has one.
	 * @return array{reason: string, message: string}
	 */
	private static function closed_by( string $reason, string $message ): array {
		$default_message = 'login' === $reason ? __( 'Sorry. You must be logged in to view this form.', 'gravityforms' ) : '';
		return array(
			'reason'  => $reason,
			'message' => '' !== trim( wp_strip_all_tags( $message ) ) ? self::safe_html( $message ) : $default_message,
		);
	}

	private static function safe_html( string $html ): string {
		return trim( wpautop( wp_kses_post( do_shortcode( $html ) ) ) );
	}

	/**
	 * Times at which the form opens and closes; the site's cached copy expires then.
	 *
	 * @return array{opens: int|null, closes: int|null, pending: string, expired: string}|null Unix seconds.
	 */
	private static function schedule( array $form ): ?array {
		if ( empty( $form['scheduleForm'] ) ) {
			return null;
		}
		$pending = (string) ( $form['schedulePendingMessage'] ?? '' );
		$expired = (string) ( $form['scheduleMessage'] ?? '' );
		return array(
			'opens'   => self::to_timestamp( $form, 'scheduleStart' ),
			'closes'  => self::to_timestamp( $form, 'scheduleEnd' ),
			'pending' => self::safe_html( '' !== $pending ? $pending : __( 'This form is not yet available.', 'gravityforms' ) ),
			'expired' => self::safe_html( '' !== $expired ? $expired : __( 'Sorry. This form is no longer available.', 'gravityforms' ) ),
		);
	}

	/**
	 * @param string $name `scheduleStart` or `scheduleEnd`.
	 * @return int|null Unix seconds; null: the form has no such time.
	 */
	private static function to_timestamp( array $form, string $name ): ?int {
		if ( empty( $form[ $name ] ) ) {
			return null;
		}
		$local_time = sprintf( '%s %02d:%02d %s', $form[ $name ], (int) ( $form[ $name . 'Hour' ] ?? 0 ), (int) ( $form[ $name . 'Minute' ] ?? 0 ), $form[ $name . 'Ampm' ] ?? 'am' );
		$time       = date_create( $local_time, wp_timezone() );
		return $time ? $time->getTimestamp() : null;
	}

	/** @return array<string, mixed>|null Format of numbers in currency fields. */
	private static function currency(): ?array {
		if ( ! is_callable( array( 'GFCommon', 'get_currency' ) ) ) {
			return null;
		}
		if ( ! class_exists( 'RGCurrency' ) ) {
			require_once \GFCommon::get_base_path() . '/currency.php';
		}
		$currency = \RGCurrency::get_currency( \GFCommon::get_currency() );
		if ( ! is_array( $currency ) ) {
			return null;
		}
		$decode = static fn( string $name ): string => html_entity_decode( (string) ( $currency[ $name ] ?? '' ), ENT_QUOTES, 'UTF-8' );
		return array(
			'before'    => $decode( 'symbol_left' ),
			'after'     => $decode( 'symbol_right' ),
			'thousands' => $decode( 'thousand_separator' ),
			'decimal'   => $decode( 'decimal_separator' ),
			'decimals'  => (int) ( $currency['decimals'] ?? 2 ),
		);
	}

	/**
	 * @param array<int, array<string, mixed>> $fields
	 * @return string[]|null Extensions that this WordPress accepts from the site's user; null: no file field.
	 */
	private static function accepted_extensions( array $fields ): ?array {
		return wp_list_filter( $fields, array( 'type' => 'fileupload' ) ) ? explode( '|', implode( '|', array_keys( get_allowed_mime_types() ) ) ) : null;
	}

	/**
	 * @param array<int, array<string, mixed>> $fields
	 * @return array<string, string> Values of the hidden controls on Gravity Forms' own page, by name.
	 */
	private static function hidden_values( array $form, array $fields ): array {
		$fixed = array();
		foreach ( $fields as $field ) {
			$id = (int) ( $field['id'] ?? 0 );
			if ( 'consent' === ( $field['type'] ?? '' ) && is_callable( array( 'GFFormsModel', 'get_latest_form_revisions_id' ) ) ) {
				$fixed[ "input_{$id}_2" ] = trim( (string) ( $field['checkboxLabel'] ?? '' ) );
				$fixed[ "input_{$id}_3" ] = (string) \GFFormsModel::get_latest_form_revisions_id( (int) $form['id'] );
			}
			if ( 'address' === ( $field['type'] ?? '' ) ) {
				$country = self::fixed_country( $field, (int) $form['id'] );
				if ( '' !== $country ) {
					$fixed[ "input_{$id}_6" ] = $country;
				}
			}
		}
		return $fixed;
	}

	/** The country of an address field without a country control; empty if visitors choose it. */
	private static function fixed_country( array $field, int $form_id ): string {
		$gravity_field = is_callable( array( 'GF_Fields', 'create' ) ) ? \GF_Fields::create( $field ) : null;
		$types         = is_callable( array( $gravity_field, 'get_address_types' ) ) ? (array) $gravity_field->get_address_types( $form_id ) : array();
		$type          = (array) ( $types[ '' !== (string) ( $field['addressType'] ?? '' ) ? $field['addressType'] : 'international' ] ?? array() );
		if ( ! empty( $type['country'] ) ) {
			return (string) $type['country'];
		}
		$parts  = wp_list_filter( (array) ( $field['inputs'] ?? array() ), array( 'id' => ( $field['id'] ?? 0 ) . '.6' ) );
		$hidden = ! empty( $field['hideCountry'] ) || wp_list_filter( $parts, array( 'isHidden' => true ) );
		return $hidden ? (string) ( $field['defaultCountry'] ?? '' ) : '';
	}

	/** Fills the merge tags of a field's texts, and adds the pictures of its choices. */
	private static function prepare_field( array $field, array $form ): array {
		foreach ( 'image_choice' === ( $field['type'] ?? '' ) ? (array) ( $field['choices'] ?? array() ) : array() as $key => $choice ) {
			$field['choices'][ $key ]['picture'] = SectionPictures::read( (int) ( $choice['attachment_id'] ?? 0 ) );
		}
		foreach ( self::TEXTS as $name ) {
			if ( is_string( $field[ $name ] ?? null ) ) {
				$field[ $name ] = self::replace_merge_tags( $field[ $name ], $form );
			}
		}
		foreach ( (array) ( $field['inputs'] ?? array() ) as $key => $input ) {
			if ( is_string( $input['defaultValue'] ?? null ) ) {
				$field['inputs'][ $key ]['defaultValue'] = self::replace_merge_tags( $input['defaultValue'], $form );
			}
		}
		return $field;
	}

	/** Replaces merge tags, but never with data of the current user, who is the owner of the site's key. */
	public static function replace_merge_tags( string $text, array $form ): string {
		if ( false === strpos( $text, '{' ) ) {
			return $text;
		}
		$text = (string) preg_replace( self::EMPTIED_TAGS, '', $text );
		return (string) preg_replace_callback(
			self::FILLED_TAGS,
			static fn( array $tag ): string => is_callable( array( 'GFCommon', 'replace_variables' ) ) ? (string) \GFCommon::replace_variables( $tag[0], $form, array(), false, false, false, 'text' ) : '',
			$text
		);
	}
}
