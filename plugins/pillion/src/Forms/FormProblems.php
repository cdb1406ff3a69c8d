<?php
/**
 * Validates a form as typed. Each message names its field. A form with problems is not stored.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

/** @phpstan-import-type Typed from FieldInput */
final class FormProblems {
	/** A limit far above real forms, because servers limit the size of a request (`max_input_vars`). */
	const MAX_FIELDS = 60;

	/** A number without separators and exponent: 10, -2.5 or .5. */
	const PLAIN_NUMBER = '/^-?(?:\d+|(?=\.))(?:\.\d+)?$/D';

	/**
	 * @param array<string, mixed> $typed Of the whole screen.
	 * @return array<string, string> By the path of the control: `title`, `fields.3.label`.
	 */
	public static function find( array $typed ): array {
		$fields   = Data::rows( $typed['fields'] ?? null );
		$problems = self::form_problems( $typed ) + self::confirmation_problems( (array) ( $typed['thanks'] ?? array() ) ) + self::field_list_problems( $fields );
		foreach ( $fields as $key => $field ) {
			foreach ( self::field_problems( $field, $fields ) as $setting => $problem ) {
				$problems[ "fields.$key.$setting" ] = self::field_name( $field ) . ' ' . $problem;
			}
		}
		return $problems;
	}

	/** @return array<string, string> */
	private static function form_problems( array $typed ): array {
		$problems = array();
		if ( '' === FieldInput::text( $typed, 'title' ) ) {
			$problems['title'] = __( 'Name of the form: enter a name for the list of forms.', 'pillion' );
		}
		if ( '' === FieldInput::text( $typed, 'submit' ) ) {
			$problems['submit'] = __( 'Button: enter its text, for example “Join”.', 'pillion' );
		}
		foreach ( Notification::addresses( FieldInput::text( $typed, 'notify' ) ) as $address ) {
			if ( ! Notification::is_address( $address ) ) {
				/* translators: %s: what was typed */
				$problems['notify'] = sprintf( __( 'Notification: “%s” is not an email address.', 'pillion' ), $address );
			}
		}
		return $problems;
	}

	/** @return array<string, string> */
	private static function confirmation_problems( array $thanks ): array {
		$type = $thanks['type'] ?? 'message';
		if ( 'page' === $type && 'publish' !== get_post_status( (int) ( $thanks['pageId'] ?? 0 ) ) ) {
			return array( 'thanks.pageId' => __( 'After sign-up: choose a published page.', 'pillion' ) );
		}
		$url = FieldInput::text( $thanks, 'url' );
		if ( 'redirect' === $type && ! preg_match( '#^(?:https?://[^\s/]+|/(?!/))\S*$#', $url ) ) {
			return array( 'thanks.url' => __( 'After sign-up: enter an address that begins with https:// or, on this site, with /.', 'pillion' ) );
		}
		if ( 'message' === $type && '' === FieldInput::text( $thanks, 'message' ) ) {
			return array( 'thanks.message' => __( 'After sign-up: enter the message for the visitor.', 'pillion' ) );
		}
		return array();
	}

	/**
	 * @param array<int|string, Typed> $fields
	 * @return array<string, string>
	 */
	private static function field_list_problems( array $fields ): array {
		$answerable = array_filter( $fields, array( self::class, 'has_answer' ) );
		if ( ! $answerable ) {
			return array( 'fields' => __( 'Fields: add at least one field that visitors can answer.', 'pillion' ) );
		}
		if ( count( $fields ) > self::MAX_FIELDS ) {
			/* translators: %d: a number */
			return array( 'fields' => sprintf( __( 'Fields: a form can have up to %d fields.', 'pillion' ), self::MAX_FIELDS ) );
		}
		$ids = array_map( 'intval', wp_list_pluck( $fields, 'id' ) );
		if ( count( array_unique( $ids ) ) < count( $ids ) || min( $ids ) < 1 ) {
			return array( 'fields' => __( 'Fields: two of them have the same number. Remove one and add it again.', 'pillion' ) );
		}
		return array();
	}

	/** @param Typed $field */
	private static function has_answer( array $field ): bool {
		return FieldTypes::has_answer( $field['type'] ?? '' );
	}

	/**
	 * @param Typed                    $field
	 * @param array<int|string, Typed> $fields All of the form.
	 * @return array<string, string> By setting.
	 */
	private static function field_problems( array $field, array $fields ): array {
		$settings = FieldTypes::row( $field['type'] ?? '' )['settings'] ?? array();
		$problems = array();
		if ( '' === FieldInput::text( $field, 'label' ) && self::has_answer( $field ) ) {
			$problems['label'] = __( 'enter a label for visitors.', 'pillion' );
		}
		foreach ( $settings as $setting ) {
			$problem = self::setting_problem( $setting, $field );
			if ( null !== $problem ) {
				$problems[ $setting ] = $problem;
			}
		}
		return $problems + self::logic_problems( $field, $fields );
	}

	/**
	 * @param Typed $field
	 * @return string|null The end of a sentence that begins with the field.
	 */
	private static function setting_problem( string $setting, array $field ): ?string {
		$text = FieldInput::text( $field, $setting );
		if ( mb_strlen( $text ) > FieldSettings::LIMIT ) {
			/* translators: %d: a number */
			return sprintf( __( 'a setting can have up to %d characters.', 'pillion' ), FieldSettings::LIMIT );
		}
		$options = FieldSettings::options( $setting );
		if ( $options && ! isset( $options[ $text ] ) ) {
			return __( 'choose one of the options.', 'pillion' );
		}
		if ( in_array( $setting, FieldSettings::NUMBERS, true ) ) {
			return self::number_problem( $setting, $text, $field );
		}
		switch ( $setting ) {
			case 'choices':
				return self::choices_problem( $field );
			case 'parts':
				return empty( $field['parts'] ) ? __( 'select at least one part.', 'pillion' ) : null;
			case 'defaultValue':
				return '' === $text ? null : self::default_problem( $text, $field );
			case 'inputName':
				return preg_match( '/^[\w-]{0,60}$/', $text ) ? null : __( 'the name in the address can contain letters, digits, - and _ only.', 'pillion' );
			case 'allowedExtensions':
				return preg_match( '/^\.?[a-z0-9]{1,10}(?:\s*,\s*\.?[a-z0-9]{1,10})*$/i', $text ) ? null : __( 'list the accepted kinds of file, separated by commas: pdf, jpg.', 'pillion' );
			case 'content':
				return '' === $text ? __( 'enter the text between the fields.', 'pillion' ) : null;
		}
		return null;
	}

	/** @param Typed $field */
	private static function number_problem( string $setting, string $text, array $field ): ?string {
		if ( '' === $text ) {
			return null;
		}
		if ( ! is_numeric( $text ) ) {
			return __( 'a limit must be a number, like 10 or 2.5.', 'pillion' );
		}
		if ( 'maxLength' === $setting && ( $text < 1 || $text > FormAnswers::MAX_LENGTH || (int) $text != $text ) ) {
			/* translators: %d: a number */
			return sprintf( __( 'the longest answer must be a whole number from 1 to %d.', 'pillion' ), FormAnswers::MAX_LENGTH );
		}
		if ( 'maxFileSize' === $setting && $text <= 0 ) {
			return __( 'the largest file must be a number of megabytes above 0.', 'pillion' );
		}
		$minimum = FieldInput::text( $field, 'rangeMin' );
		if ( 'rangeMax' === $setting && is_numeric( $minimum ) && $text < $minimum ) {
			return __( 'the largest number is smaller than the smallest.', 'pillion' );
		}
		return null;
	}

	/** @param Typed $field */
	private static function choices_problem( array $field ): ?string {
		$values = array_column( FieldInput::parse_choices( FieldInput::text( $field, 'choices' ) ), 'value' );
		if ( ! $values ) {
			return __( 'enter at least one choice.', 'pillion' );
		}
		$duplicates = array_unique( array_diff_assoc( $values, array_unique( $values ) ) );
		/* translators: %s: a choice */
		return $duplicates ? sprintf( __( 'the choice “%s” is listed twice.', 'pillion' ), reset( $duplicates ) ) : null;
	}

	/** @param Typed $field */
	private static function default_problem( string $text, array $field ): ?string {
		if ( FieldTypes::has_choices( $field['type'] ) ) {
			$values  = array_column( FieldInput::parse_choices( FieldInput::text( $field, 'choices' ) ), 'value' );
			$unknown = array_diff( FieldInput::selected_choices( $field ), $values );
			/* translators: %s: what was typed */
			return $unknown ? sprintf( __( 'the default value “%s” is not one of the choices.', 'pillion' ), reset( $unknown ) ) : null;
		}
		$check = FieldTypes::row( $field['type'] )['check_default'] ?? null;
		return $check ? call_user_func( $check, $text ) : null;
	}

	public static function email_default_problem( string $text ): ?string {
		return is_email( $text ) ? null : __( 'the default value is not an email address.', 'pillion' );
	}

	public static function number_default_problem( string $text ): ?string {
		return is_numeric( str_replace( ',', '.', $text ) ) ? null : __( 'the default value is not a number.', 'pillion' );
	}

	/**
	 * @param Typed                    $field
	 * @param array<int|string, Typed> $fields
	 * @return array<string, string>
	 */
	private static function logic_problems( array $field, array $fields ): array {
		$by_id    = array_column( $fields, null, 'id' );
		$problems = array();
		foreach ( FieldInput::rules( $field ) as $key => $rule ) {
			$problem = self::rule_problem( $rule, $field, $by_id[ (int) $rule['fieldId'] ] ?? null );
			if ( null !== $problem ) {
				// The screen shows all problems of a condition at its value.
				$problems[ "logic.rules.$key.value" ] = $problem;
			}
		}
		return $problems;
	}

	/**
	 * @param array{fieldId: string, operator: string, value: string} $rule
	 * @param Typed                                                   $field
	 * @param Typed|null                                              $other The field that the rule names; null: it is missing.
	 */
	private static function rule_problem( array $rule, array $field, ?array $other ): ?string {
		if ( ! $other || ! FieldTypes::is_condition_source( $other['type'] ?? '' ) ) {
			return __( 'a condition has no field. Choose a field, or remove the condition.', 'pillion' );
		}
		if ( (string) $other['id'] === (string) $field['id'] ) {
			return __( 'a condition cannot depend on the field itself.', 'pillion' );
		}
		if ( ! isset( FieldSettings::operators()[ $rule['operator'] ] ) ) {
			return __( 'choose a comparison for the condition.', 'pillion' );
		}
		if ( in_array( $rule['operator'], array( '>', '<' ), true ) && ! preg_match( self::PLAIN_NUMBER, $rule['value'] ) ) {
			return __( '“is larger than” and “is smaller than” need a number, like 10 or 2.5.', 'pillion' );
		}
		return self::compared_value_problem( $rule, $other );
	}

	/**
	 * @param array{fieldId: string, operator: string, value: string} $rule
	 * @param Typed                                                   $other The field that the rule names.
	 */
	private static function compared_value_problem( array $rule, array $other ): ?string {
		if ( '' === $rule['value'] || ! in_array( $rule['operator'], array( 'is', 'isnot' ), true ) || ! FieldTypes::has_choices( $other['type'] ) ) {
			return null;
		}
		$values = array_map( 'mb_strtolower', array_column( FieldInput::parse_choices( FieldInput::text( $other, 'choices' ) ), 'value' ) );
		if ( in_array( mb_strtolower( $rule['value'] ), $values, true ) ) {
			return null;
		}
		/* translators: 1: what was typed, 2: label of a field */
		return sprintf( __( 'a condition compares with “%1$s”, which is not a choice of “%2$s”.', 'pillion' ), $rule['value'], FieldInput::text( $other, 'label' ) );
	}

	/**
	 * @param Typed $field
	 * @return string For example: “Topic” (Drop down):
	 */
	private static function field_name( array $field ): string {
		$type = FieldTypes::row( $field['type'] ?? '' )['name'] ?? (string) ( $field['type'] ?? '' );
		return '“' . FieldTypes::label( $field ) . "” ($type):";
	}
}
