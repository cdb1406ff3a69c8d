<?php
/**
 * Reads the answers to a form as Gravity Forms would: by input name, field by field, with its own messages.
 */

namespace Pillion\Forms;

use Pillion\Forms\Entries\EntryFiles;

/**
 * @phpstan-import-type FormField from Forms
 * @phpstan-import-type Sent from EntryFiles
 */
final class FormAnswers {
	/** Longest answer, in characters. */
	const LIMIT = 10000;

	/**
	 * @param FormField[]          $fields
	 * @param array<string, mixed> $input  `input_1`, `input_4_3`.
	 * @param Sent[]               $files
	 * @return array{values: array<string, string>, problems: array<string, string>, files: Sent[]} Values by input id, problems by field id.
	 */
	public static function read( array $fields, array $input, array $files = array() ): array {
		$values   = array();
		$problems = array();
		$kept     = array();
		foreach ( self::asked( $fields, $input ) as $field ) {
			$own     = 'fileupload' === $field['type'] ? EntryFiles::of_field( $field, $files ) : array();
			$answers = 'fileupload' === $field['type'] ? self::names( $field, $own ) : self::answers( $field, $input );
			$problem = self::problem( $field, $answers ) ?? EntryFiles::problem( $field, $own );
			$kept    = array_merge( $kept, $own );
			$values += $answers;
			if ( null !== $problem ) {
				$problems[ (string) $field['id'] ] = $problem;
			}
		}
		return array(
			'values'   => $values,
			'problems' => $problems,
			'files'    => $kept,
		);
	}

	/**
	 * Of files the names are the answer.
	 *
	 * @param FormField $field
	 * @param Sent[]    $files
	 * @return array<string, string>
	 */
	private static function names( array $field, array $files ): array {
		return $files ? array( (string) $field['id'] => implode( ', ', wp_list_pluck( $files, 'name' ) ) ) : array();
	}

	/**
	 * Fields that ask something and are not hidden, by themselves or with the section or page they stand in.
	 *
	 * @param FormField[]          $fields
	 * @param array<string, mixed> $input
	 * @return FormField[]
	 */
	private static function asked( array $fields, array $input ): array {
		$asked   = array();
		$page    = true;
		$section = true;
		foreach ( $fields as $field ) {
			$is_shown = self::is_shown( $field, $input );
			if ( 'page' === $field['type'] ) {
				$page    = $is_shown;
				$section = true;
			} elseif ( 'section' === $field['type'] ) {
				$section = $is_shown;
			} elseif ( $is_shown && $page && $section && self::is_asked( $field ) ) {
				$asked[] = $field;
			}
		}
		return $asked;
	}

	/**
	 * What the site does not draw is asked of nobody: were it required here, every sign-up would be refused.
	 *
	 * @param FormField $field
	 */
	private static function is_asked( array $field ): bool {
		return empty( FieldTypes::row( $field['type'] )['silent'] ) && 'administrative' !== ( $field['visibility'] ?? '' ) && null === FieldTypes::unsupported( $field );
	}

	/**
	 * Whether a field's own rules let it be asked. The site sends no answer to a field that was hidden, so that what a
	 * hidden field was answered decides nothing here either.
	 *
	 * @param FormField            $field
	 * @param array<string, mixed> $input
	 */
	private static function is_shown( array $field, array $input ): bool {
		$logic = is_array( $field['conditionalLogic'] ?? null ) ? $field['conditionalLogic'] : array();
		$rules = self::rows( $logic['rules'] ?? null, 'fieldId' );
		if ( ! $rules || false === ( $logic['enabled'] ?? true ) ) {
			return true;
		}
		$met = array_filter(
			$rules,
			static function ( array $rule ) use ( $input ): bool {
				return self::holds( $rule, self::answers_for( $input, (string) $rule['fieldId'] ) );
			}
		);
		$all = 'any' === ( $logic['logicType'] ?? 'all' ) ? (bool) $met : count( $met ) === count( $rules );
		return ( 'hide' === ( $logic['actionType'] ?? 'show' ) ) !== $all;
	}

	/**
	 * All that was answered to a field, whether it has one control or one for each of its parts.
	 *
	 * @param array<string, mixed> $input
	 * @return string[] At least one, which may be empty.
	 */
	private static function answers_for( array $input, string $id ): array {
		$name    = 'input_' . str_replace( '.', '_', $id );
		$answers = array();
		foreach ( $input as $key => $raw ) {
			if ( $name === $key || 0 === strpos( (string) $key, $name . '_' ) ) {
				$answers = array_merge( $answers, array_filter( (array) $raw, 'is_scalar' ) );
			}
		}
		$answers = array_filter( array_map( 'strval', $answers ), 'strlen' );
		return $answers ? $answers : array( '' );
	}

	/**
	 * Of several answers one is enough, but all of them must differ from what they must not be.
	 *
	 * @param array{operator?: string, value?: string} $rule
	 * @param string[]                                 $answers
	 */
	private static function holds( array $rule, array $answers ): bool {
		$met = array_filter(
			$answers,
			static function ( string $answer ) use ( $rule ): bool {
				return self::is_met( $rule, $answer );
			}
		);
		return 'isnot' === ( $rule['operator'] ?? 'is' ) ? count( $met ) === count( $answers ) : (bool) $met;
	}

	/**
	 * Compared as Gravity Forms compares: without regard to case, larger and smaller between numbers only.
	 *
	 * @param array{operator?: string, value?: string} $rule
	 */
	private static function is_met( array $rule, string $answer ): bool {
		$answer  = mb_strtolower( $answer );
		$wanted  = mb_strtolower( (string) ( $rule['value'] ?? '' ) );
		$numbers = is_numeric( $answer ) && is_numeric( $wanted );
		switch ( $rule['operator'] ?? 'is' ) {
			case 'isnot':
				return $answer !== $wanted;
			case '>':
				return $numbers && (float) $answer > (float) $wanted;
			case '<':
				return $numbers && (float) $answer < (float) $wanted;
			case 'contains':
				return '' !== $wanted && false !== strpos( $answer, $wanted );
			case 'starts_with':
				return '' !== $wanted && 0 === strpos( $answer, $wanted );
			case 'ends_with':
				return '' !== $wanted && substr( $answer, -strlen( $wanted ) ) === $wanted;
			default:
				return $answer === $wanted;
		}
	}

	/**
	 * @param FormField            $field
	 * @param array<string, mixed> $input
	 * @return array<string, string> Those that were given, by input id.
	 */
	private static function answers( array $field, array $input ): array {
		$inputs  = wp_list_pluck( self::rows( $field['inputs'] ?? null, 'id' ), 'id' );
		$answers = array();
		foreach ( $inputs ? $inputs : array( $field['id'] ) as $id ) {
			$answer = self::answer( $input, (string) $id );
			if ( '' !== $answer ) {
				$answers[ (string) $id ] = $answer;
			}
		}
		return $answers;
	}

	/**
	 * As it was typed: it is escaped where it is shown, and nothing is taken out of a name on the way.
	 *
	 * @param array<string, mixed> $input
	 */
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
		$given = 'consent' === $field['type'] ? isset( $answers[ $field['id'] . '.1' ] ) : (bool) $answers;
		if ( ! $given ) {
			// Nobody could fill a hidden one in.
			$is_needed = ! empty( $field['isRequired'] ) && 'hidden' !== ( $field['visibility'] ?? '' );
			return ! $is_needed ? null : self::message( $field, __( 'This field is required.', 'pillion' ) );
		}
		$answer = (string) reset( $answers );
		if ( max( array_map( 'mb_strlen', $answers ) ) > self::LIMIT ) {
			/* translators: %d: a number */
			return sprintf( __( 'At most %d characters fit here.', 'pillion' ), self::LIMIT );
		}
		$judge = FieldTypes::row( $field['type'] )['answer'] ?? null;
		return $judge ? call_user_func( $judge, $field, $answer ) : null;
	}

	/**
	 * @param FormField $field
	 */
	public static function email_problem( array $field, string $answer ): ?string {
		return is_email( $answer ) ? null : self::message( $field, __( 'The email address entered is invalid, please check the formatting (e.g. email@domain.com).', 'pillion' ) );
	}

	/**
	 * @param FormField $field
	 */
	public static function choice_problem( array $field, string $answer ): ?string {
		return in_array( $answer, self::choices( $field ), true ) ? null : __( 'Invalid selection. Please select one of the available choices.', 'pillion' );
	}

	/**
	 * @param FormField $field
	 */
	private static function message( array $field, string $usual ): string {
		return empty( $field['errorMessage'] ) ? $usual : (string) $field['errorMessage'];
	}

	/**
	 * @param FormField $field
	 * @return string[]
	 */
	private static function choices( array $field ): array {
		return array_map( 'strval', wp_list_pluck( self::rows( $field['choices'] ?? null, 'value' ), 'value' ) );
	}

	/**
	 * Rows of a list that may be null, '' or damaged.
	 *
	 * @param mixed  $rows_or_nothing
	 * @param string $needed Key without which a row says nothing.
	 * @return array<int, array<string, mixed>>
	 */
	private static function rows( $rows_or_nothing, string $needed ): array {
		return array_values(
			array_filter(
				is_array( $rows_or_nothing ) ? $rows_or_nothing : array(),
				static function ( $row ) use ( $needed ): bool {
					return is_array( $row ) && isset( $row[ $needed ] ) && is_scalar( $row[ $needed ] );
				}
			)
		);
	}
}
