<?php
/**
 * Reads and checks the answers to a form as Gravity Forms does, with its input names and messages.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\Entries\EntryFiles;
use Pillion\Lib\Data;

/**
 * @phpstan-import-type FormField from Forms
 * @phpstan-import-type Sent from EntryFiles
 */
final class FormAnswers {
	/** Longest answer, in characters. */
	const MAX_LENGTH = 10000;

	/**
	 * @param FormField[]          $fields
	 * @param array<string, mixed> $input  `input_1`, `input_4_3`.
	 * @param Sent[]               $files
	 * @return array{values: array<string, string>, problems: array<string, string>, files: Sent[]} Values by input id, problems by field id,
	 * files of visible fields.
	 */
	public static function read( array $fields, array $input, array $files = array() ): array {
		$values     = array();
		$problems   = array();
		$kept_files = array();
		foreach ( self::visible_fields( $fields, $input ) as $field ) {
			$is_upload   = 'fileupload' === $field['type'];
			$field_files = $is_upload ? EntryFiles::of_field( $field, $files ) : array();
			$answers     = $is_upload ? self::file_names( $field, $field_files ) : self::answers( $field, $input );
			$kept_files  = array_merge( $kept_files, $field_files );
			$values     += $answers;
			$problem     = self::problem( $field, $answers ) ?? EntryFiles::problem( $field, $field_files );
			if ( null !== $problem ) {
				$problems[ (string) $field['id'] ] = $problem;
			}
		}
		return array(
			'values'   => $values,
			'problems' => $problems,
			'files'    => $kept_files,
		);
	}

	/**
	 * @param FormField $field
	 * @param Sent[]    $files Of this field.
	 * @return array<string, string> The value of the field by its id; empty without files.
	 */
	private static function file_names( array $field, array $files ): array {
		return $files ? array( (string) $field['id'] => implode( ', ', wp_list_pluck( $files, 'name' ) ) ) : array();
	}

	/**
	 * Fields that ask something and are visible: neither they nor their section or page are hidden.
	 *
	 * @param FormField[] $fields
	 * @return FormField[]
	 */
	private static function visible_fields( array $fields, array $input ): array {
		$visible          = array();
		$is_page_shown    = true;
		$is_section_shown = true;
		$formats          = array_column( $fields, 'numberFormat', 'id' );
		foreach ( $fields as $field ) {
			$is_field_shown = self::is_shown( $field, $input, $formats );
			if ( 'page' === $field['type'] ) {
				$is_page_shown    = $is_field_shown;
				$is_section_shown = true;
			} elseif ( 'section' === $field['type'] ) {
				$is_section_shown = $is_field_shown;
			} elseif ( $is_field_shown && $is_page_shown && $is_section_shown && self::is_answerable( $field ) ) {
				$visible[] = $field;
			}
		}
		return $visible;
	}

	/**
	 * Leaves out fields that the site does not show: if one were required, every sign-up would be rejected.
	 *
	 * @param FormField $field
	 */
	private static function is_answerable( array $field ): bool {
		return empty( FieldTypes::row( $field['type'] )['silent'] ) && 'administrative' !== ( $field['visibility'] ?? '' ) && null === FieldTypes::unsupported_reason( $field );
	}

	/**
	 * Whether the field's own conditions show it. The site sends no answer to a hidden field, so hidden fields cannot
	 * affect other conditions.
	 *
	 * @param FormField         $field
	 * @param array<int, mixed> $formats Formats of the number fields.
	 */
	private static function is_shown( array $field, array $input, array $formats ): bool {
		$logic = Data::to_array( $field['conditionalLogic'] ?? null );
		$rules = self::valid_rows( $logic['rules'] ?? null, 'fieldId' );
		if ( ! $rules || false === ( $logic['enabled'] ?? true ) ) {
			return true;
		}
		$met    = array_filter( $rules, static fn( array $rule ): bool => self::is_rule_met( $rule, $input, $formats[ (int) $rule['fieldId'] ] ?? '' ) );
		$is_met = 'any' === ( $logic['logicType'] ?? 'all' ) ? (bool) $met : count( $met ) === count( $rules );
		return ( 'hide' === ( $logic['actionType'] ?? 'show' ) ) !== $is_met;
	}

	/** @param mixed $format Of the number field that the rule compares. */
	private static function is_rule_met( array $rule, array $input, $format ): bool {
		// Only for these comparisons a form stores the value in the format of the field.
		if ( in_array( $rule['operator'] ?? 'is', array( 'is', 'isnot' ), true ) ) {
			$rule['value'] = self::plain_number( (string) ( $rule['value'] ?? '' ), $format );
		}
		return self::answers_meet( $rule, self::answers_for( $input, (string) $rule['fieldId'], $format ) );
	}

	/**
	 * @param mixed $format Of the number.
	 * @return string[] All answers to a field, of one control or of its parts; at least one, which may be empty.
	 */
	private static function answers_for( array $input, string $id, $format ): array {
		$name    = 'input_' . str_replace( '.', '_', $id );
		$answers = array();
		foreach ( $input as $key => $raw ) {
			if ( $name === $key || 0 === strpos( (string) $key, $name . '_' ) ) {
				$answers = array_merge( $answers, array_filter( (array) $raw, 'is_scalar' ) );
			}
		}
		$answers = array_filter( array_map( 'strval', $answers ), 'strlen' );
		$answers = array_map( static fn( string $answer ): string => self::plain_number( $answer, $format ), $answers );
		return $answers ? $answers : array( '' );
	}

	/** @return string A number without the separators of its format; another text unchanged. */
	private static function plain_number( string $text, $format ): string {
		$number = in_array( $format, array( 'decimal_comma', 'currency' ), true ) ? self::parse_number( $text, $format ) : NAN;
		return is_nan( $number ) ? $text : (string) $number;
	}

	/**
	 * Reads a number as the site does (`packages/forms/src/numbers.ts`).
	 *
	 * @return float `NAN` if the text is not a number: `NAN` is neither larger nor smaller than a number.
	 */
	private static function parse_number( string $text, string $format = '' ): float {
		$normalised = 'decimal_comma' === $format ? strtr( trim( $text ), ',.', '.,' ) : trim( $text );
		return preg_match( '/^(?=.*\d)-?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/D', $normalised ) ? (float) str_replace( ',', '', $normalised ) : NAN;
	}

	/**
	 * One matching answer is enough, except for “is not”, which all answers must meet.
	 *
	 * @param array{operator?: string, value?: string} $rule
	 * @param string[]                                 $answers
	 */
	private static function answers_meet( array $rule, array $answers ): bool {
		$met = array_filter( $answers, static fn( string $answer ): bool => self::is_met( $rule, $answer ) );
		return 'isnot' === ( $rule['operator'] ?? 'is' ) ? count( $met ) === count( $answers ) : (bool) $met;
	}

	/**
	 * Compares as Gravity Forms does: case-insensitive; larger and smaller apply to numbers only.
	 *
	 * @param array{operator?: string, value?: string} $rule
	 */
	private static function is_met( array $rule, string $answer ): bool {
		$answer   = mb_strtolower( $answer );
		$expected = mb_strtolower( (string) ( $rule['value'] ?? '' ) );
		switch ( $rule['operator'] ?? 'is' ) {
			case 'isnot':
				return $answer !== $expected;
			case '>':
				return self::parse_number( $answer ) > self::parse_number( $expected );
			case '<':
				return self::parse_number( $answer ) < self::parse_number( $expected );
			case 'contains':
				return '' !== $expected && false !== strpos( $answer, $expected );
			case 'starts_with':
				return '' !== $expected && 0 === strpos( $answer, $expected );
			case 'ends_with':
				return '' !== $expected && substr( $answer, -strlen( $expected ) ) === $expected;
			default:
				return $answer === $expected;
		}
	}

	/**
	 * @param FormField $field
	 * @return array<string, string> Given answers by input id.
	 */
	private static function answers( array $field, array $input ): array {
		$inputs  = wp_list_pluck( self::valid_rows( $field['inputs'] ?? null, 'id' ), 'id' );
		$answers = array();
		foreach ( $inputs ? $inputs : array( $field['id'] ) as $id ) {
			$answer = self::answer( $input, (string) $id );
			if ( '' !== $answer ) {
				$answers[ (string) $id ] = $answer;
			}
		}
		return $answers;
	}

	/** The answer as typed. It is not sanitised here because it is escaped on output. */
	private static function answer( array $input, string $id ): string {
		$raw  = $input[ 'input_' . str_replace( '.', '_', $id ) ] ?? '';
		$raw  = is_array( $raw ) ? implode( ', ', array_filter( $raw, 'is_scalar' ) ) : $raw;
		$text = is_scalar( $raw ) ? wp_check_invalid_utf8( (string) $raw, true ) : '';
		return trim( str_replace( array( "\r\n", "\0" ), array( "\n", '' ), $text ) );
	}

	/**
	 * @param FormField             $field
	 * @param array<string, string> $answers
	 */
	private static function problem( array $field, array $answers ): ?string {
		$is_answered = 'consent' === $field['type'] ? isset( $answers[ $field['id'] . '.1' ] ) : (bool) $answers;
		if ( ! $is_answered ) {
			// A visitor cannot fill in a hidden field.
			$is_needed = ! empty( $field['isRequired'] ) && 'hidden' !== ( $field['visibility'] ?? '' );
			return $is_needed ? self::error_message( $field, __( 'This field is required.', 'pillion' ) ) : null;
		}
		$answer = (string) reset( $answers );
		if ( max( array_map( 'mb_strlen', $answers ) ) > self::MAX_LENGTH ) {
			/* translators: %d: a number */
			return sprintf( __( 'Please use at most %d characters.', 'pillion' ), self::MAX_LENGTH );
		}
		$check = FieldTypes::row( $field['type'] )['check_answer'] ?? null;
		return $check ? call_user_func( $check, $field, $answer ) : null;
	}

	/** @param FormField $field */
	public static function email_problem( array $field, string $answer ): ?string {
		return is_email( $answer ) ? null : self::error_message( $field, __( 'The email address entered is invalid, please check the formatting (e.g. email@domain.com).', 'pillion' ) );
	}

	/** @param FormField $field */
	public static function choice_problem( array $field, string $answer ): ?string {
		$choices = array_map( 'strval', wp_list_pluck( self::valid_rows( $field['choices'] ?? null, 'value' ), 'value' ) );
		return in_array( $answer, $choices, true ) ? null : __( 'Invalid selection. Please select one of the available choices.', 'pillion' );
	}

	/** @param FormField $field */
	private static function error_message( array $field, string $default_message ): string {
		return empty( $field['errorMessage'] ) ? $default_message : (string) $field['errorMessage'];
	}

	/**
	 * Valid rows of a stored list; null, '' and malformed rows are left out.
	 *
	 * @param string $required_key Key that a valid row has.
	 * @return array<int, array<string, mixed>>
	 */
	private static function valid_rows( $stored, string $required_key ): array {
		return array_values( array_filter( Data::rows( $stored ), static fn( array $row ): bool => is_scalar( $row[ $required_key ] ?? null ) ) );
	}
}
