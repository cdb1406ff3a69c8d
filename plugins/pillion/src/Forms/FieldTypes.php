<?php
/**
 * The supported kinds of form field: one row each with all its differences. The site's own table is
 * `packages/forms/src/kind.ts`; tests/contract/field-kinds.test.ts compares both.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

/**
 * @phpstan-type Row array{
 *   name: string,
 *   settings: string[],
 *   label: string,
 *   names: array<string, array{0: string, 1?: string}>,
 *   silent: bool,
 *   several: bool,
 *   is_comparable: bool,
 *   required: bool,
 *   parts: array<int, string>,
 *   default_parts: int[],
 *   complete: callable|null,
 *   check_answer: callable|null,
 *   check_default: callable|null
 * }
 */
final class FieldTypes {
	/** Types of newer versions of Gravity Forms. Their property `inputType` has the kind: radio or checkbox. */
	const CHOICE_TYPES = array( 'multi_choice', 'image_choice' );

	/** Settings of fields with choices. */
	const CHOICE_SETTINGS = array( 'description', 'isRequired', 'choices', 'defaultValue', 'errorMessage', 'inputName' );

	/** Settings of fields in which visitors write. */
	const TEXT_SETTINGS = array( 'description', 'isRequired', 'placeholder', 'defaultValue', 'errorMessage', 'inputName' );

	/** Settings of fields with several text controls, such as an address. */
	const PARTS_SETTINGS = array( 'description', 'isRequired', 'parts', 'errorMessage' );

	/** Default values of a row. */
	private static function row_defaults(): array {
		return array(
			// Settings on the form screen, in their order. FieldSettings has their names and options.
			'settings'      => array(),
			// The name of the label on the form screen, and names and helps that replace those of FieldSettings::names.
			'label'         => __( 'Label', 'pillion' ),
			'names'         => array(),
			// The field has no answer.
			'silent'        => false,
			// A visitor can select several choices.
			'several'       => false,
			// Conditions of other fields can compare its answer.
			'is_comparable' => true,
			// A new field of this kind is required by default.
			'required'      => false,
			// Names of its parts by their Gravity Forms number, and the parts that a new field shows.
			'parts'         => array(),
			'default_parts' => array(),
			// Adds properties that Gravity Forms stores and the screen does not show: field → field.
			'complete'      => null,
			// Checks of an answer and of the default value: a message, or null if it is valid.
			'check_answer'  => null,
			'check_default' => null,
		);
	}

	/** @return array<string, Row> By Gravity Forms' type, in the order of the screen. */
	public static function all(): array {
		$selected_choices = array( __( 'Selected at first', 'pillion' ), __( 'Separate several with commas.', 'pillion' ) );
		$selected_choice  = array( __( 'Selected at first', 'pillion' ) );
		$types            = array(
			'text'        => array(
				'name'     => __( 'Single line', 'pillion' ),
				'settings' => array_merge( self::TEXT_SETTINGS, array( 'maxLength' ) ),
			),
			'textarea'    => array(
				'name'     => __( 'Paragraph', 'pillion' ),
				'settings' => array_merge( self::TEXT_SETTINGS, array( 'size', 'maxLength' ) ),
			),
			'email'       => array(
				'name'          => __( 'Email', 'pillion' ),
				'settings'      => array_merge( self::TEXT_SETTINGS, array( 'emailConfirmEnabled' ) ),
				'complete'      => array( FieldInput::class, 'add_email_inputs' ),
				'check_answer'  => array( FormAnswers::class, 'email_problem' ),
				'check_default' => array( FormProblems::class, 'email_default_problem' ),
			),
			'phone'       => array(
				'name'     => __( 'Phone', 'pillion' ),
				'settings' => array_merge( self::TEXT_SETTINGS, array( 'phoneFormat' ) ),
			),
			'website'     => array(
				'name'     => __( 'Website', 'pillion' ),
				'settings' => self::TEXT_SETTINGS,
			),
			'number'      => array(
				'name'          => __( 'Number', 'pillion' ),
				'settings'      => array_merge( self::TEXT_SETTINGS, array( 'numberFormat', 'rangeMin', 'rangeMax' ) ),
				'check_default' => array( FormProblems::class, 'number_default_problem' ),
			),
			'date'        => array(
				'name'     => __( 'Date', 'pillion' ),
				'settings' => array( 'description', 'isRequired', 'dateFormat', 'errorMessage' ),
			),
			'time'        => array(
				'name'     => __( 'Time', 'pillion' ),
				'settings' => array( 'description', 'isRequired', 'errorMessage' ),
				'complete' => array( FieldInput::class, 'set_time_format' ),
			),
			'name'        => array(
				'name'          => __( 'Name in parts', 'pillion' ),
				'settings'      => self::PARTS_SETTINGS,
				'parts'         => array(
					2 => __( 'Prefix', 'pillion' ),
					3 => __( 'First', 'pillion' ),
					4 => __( 'Middle', 'pillion' ),
					6 => __( 'Last', 'pillion' ),
					8 => __( 'Suffix', 'pillion' ),
				),
				'default_parts' => array( 3, 6 ),
			),
			'address'     => array(
				'name'          => __( 'Address', 'pillion' ),
				'settings'      => self::PARTS_SETTINGS,
				'parts'         => array(
					1 => __( 'Street Address', 'pillion' ),
					2 => __( 'Address Line 2', 'pillion' ),
					3 => __( 'City', 'pillion' ),
					4 => __( 'State / Province / Region', 'pillion' ),
					5 => __( 'ZIP / Postal Code', 'pillion' ),
					6 => __( 'Country', 'pillion' ),
				),
				'default_parts' => array( 1, 2, 3, 4, 5, 6 ),
			),
			'select'      => array(
				'name'         => __( 'Drop down', 'pillion' ),
				'settings'     => array_merge( self::CHOICE_SETTINGS, array( 'placeholder' ) ),
				'names'        => array(
					'defaultValue' => $selected_choice,
					'placeholder'  => array( __( 'First line, which cannot be selected', 'pillion' ) ),
				),
				'check_answer' => array( FormAnswers::class, 'choice_problem' ),
			),
			'radio'       => array(
				'name'         => __( 'Radio buttons', 'pillion' ),
				'settings'     => self::CHOICE_SETTINGS,
				'names'        => array( 'defaultValue' => $selected_choice ),
				'check_answer' => array( FormAnswers::class, 'choice_problem' ),
			),
			'checkbox'    => array(
				'name'     => __( 'Checkboxes', 'pillion' ),
				'settings' => self::CHOICE_SETTINGS,
				'names'    => array( 'defaultValue' => $selected_choices ),
				'several'  => true,
				'complete' => array( FieldInput::class, 'add_checkbox_inputs' ),
			),
			'multiselect' => array(
				'name'     => __( 'Multi select', 'pillion' ),
				'settings' => self::CHOICE_SETTINGS,
				'names'    => array( 'defaultValue' => $selected_choices ),
				'several'  => true,
			),
			'consent'     => array(
				'name'     => __( 'Consent', 'pillion' ),
				'settings' => array( 'checkboxLabel', 'description', 'isRequired', 'errorMessage' ),
				'required' => true,
				'complete' => array( FieldInput::class, 'add_consent_parts' ),
			),
			'fileupload'  => array(
				'name'          => __( 'File', 'pillion' ),
				'settings'      => array( 'description', 'isRequired', 'allowedExtensions', 'maxFileSize', 'multipleFiles', 'errorMessage' ),
				'is_comparable' => false,
			),
			'hidden'      => array(
				'name'     => __( 'Hidden', 'pillion' ),
				'settings' => array( 'defaultValue', 'inputName' ),
			),
			'html'        => array(
				'name'     => __( 'Text between fields', 'pillion' ),
				'settings' => array( 'content' ),
				'label'    => __( 'Name, for you only', 'pillion' ),
				'silent'   => true,
			),
			'section'     => array(
				'name'     => __( 'Section', 'pillion' ),
				'settings' => array( 'description' ),
				'silent'   => true,
			),
			'page'        => array(
				'name'     => __( 'Page break', 'pillion' ),
				'settings' => array( 'nextButton', 'previousButton' ),
				'label'    => __( 'Name of the page that begins here', 'pillion' ),
				'silent'   => true,
			),
		);
		$defaults = self::row_defaults();
		return array_map( static fn( array $row ): array => $row + $defaults, $types );
	}

	/** @return Row|null Null if this kind of field is not supported. */
	public static function row( $type ): ?array {
		return is_string( $type ) ? self::all()[ $type ] ?? null : null;
	}

	/** Whether fields of a type have an answer. */
	public static function has_answer( $type ): bool {
		$row = self::row( $type );
		return null !== $row && ! $row['silent'];
	}

	/** Whether conditions can compare the answer of a field of this type. */
	public static function is_condition_source( $type ): bool {
		return self::has_answer( $type ) && self::row( $type )['is_comparable'];
	}

	public static function has_choices( $type ): bool {
		return in_array( 'choices', self::row( $type )['settings'] ?? array(), true );
	}

	/** @return array<int, string> Names of the parts of a name or an address, by their number. */
	public static function parts( string $type ): array {
		return self::row( $type )['parts'] ?? array();
	}

	/** @return string|null Why the site leaves out a field: its Gravity Forms type or `calculation`; null if the site shows it. */
	public static function unsupported_reason( array $field ): ?string {
		$type = (string) ( $field['type'] ?? '' );
		$kind = in_array( $type, self::CHOICE_TYPES, true ) ? (string) ( $field['inputType'] ?? '' ) : $type;
		if ( ! self::row( $kind ) ) {
			return $type;
		}
		return empty( $field['enableCalculation'] ) ? null : 'calculation';
	}

	/** @return string A message about a field of the plugin’s own forms that the site leaves out; empty if it shows the field. */
	public static function unsupported_message( array $field ): string {
		$reason = self::unsupported_reason( $field );
		if ( null === $reason || 'administrative' === ( $field['visibility'] ?? '' ) ) {
			return '';
		}
		/* translators: 1: label of a field, 2: its type */
		return sprintf( __( '“%1$s” (%2$s) is not shown: the site does not support this kind of field.', 'pillion' ), self::label( $field ), $reason );
	}

	public static function label( array $field ): string {
		$label = trim( wp_strip_all_tags( is_scalar( $field['label'] ?? null ) ? (string) $field['label'] : '' ) );
		/* translators: %d: number of a field */
		return '' !== $label ? $label : sprintf( __( 'Field %d', 'pillion' ), (int) ( $field['id'] ?? 0 ) );
	}
}
