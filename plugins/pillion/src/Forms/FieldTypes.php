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
 *   helps: array<string, array{0: string, 1?: string}>,
 *   silent: bool,
 *   several: bool,
 *   decides: bool,
 *   required: bool,
 *   parts: array<int, string>,
 *   shown: int[],
 *   finish: callable|null,
 *   answer: callable|null,
 *   begins: callable|null
 * }
 */
final class FieldTypes {
	/** Settings of fields with choices. */
	const CHOICE_SETTINGS = array( 'description', 'isRequired', 'choices', 'defaultValue', 'errorMessage', 'inputName' );

	const TEXT_SETTINGS = array( 'description', 'isRequired', 'placeholder', 'defaultValue', 'errorMessage', 'inputName' );

	const PARTS_SETTINGS = array( 'description', 'isRequired', 'parts', 'errorMessage' );

	/** Default values of a row. */
	private static function row_defaults(): array {
		return array(
			// Settings on the form screen, in their order.
			'settings' => array(),
			// The name of the label on the form screen, and settings with another name or help than in
			// FieldSettings::names.
			'label'    => __( 'Label', 'pillion' ),
			'helps'    => array(),
			// The field has no answer.
			'silent'   => false,
			// A visitor can select several choices.
			'several'  => false,
			// Conditions of other fields can use its answer.
			'decides'  => true,
			// A new field of this kind is required by default.
			'required' => false,
			// Names of its parts by their Gravity Forms number, and the parts that a new field shows.
			'parts'    => array(),
			'shown'    => array(),
			// Adds properties that Gravity Forms stores and the screen does not show.
			'finish'   => null,
			// Checks of an answer and of the default value: a message, or null if it is valid.
			'answer'   => null,
			'begins'   => null,
		);
	}

	/** @return array<string, Row> By Gravity Forms' type, in the order of the screen. */
	public static function all(): array {
		$begins_with = array( __( 'Selected at first', 'pillion' ), __( 'Separate several with commas.', 'pillion' ) );
		$chosen      = array( __( 'Selected at first', 'pillion' ) );
		$types       = array(
			'text'        => array(
				'name'     => __( 'Single line', 'pillion' ),
				'settings' => array_merge( self::TEXT_SETTINGS, array( 'maxLength' ) ),
			),
			'textarea'    => array(
				'name'     => __( 'Paragraph', 'pillion' ),
				'settings' => array_merge( self::TEXT_SETTINGS, array( 'size', 'maxLength' ) ),
			),
			'email'       => array(
				'name'     => __( 'Email', 'pillion' ),
				'settings' => array_merge( self::TEXT_SETTINGS, array( 'emailConfirmEnabled' ) ),
				'finish'   => array( FieldInput::class, 'add_email_inputs' ),
				'answer'   => array( FormAnswers::class, 'email_problem' ),
				'begins'   => array( FormProblems::class, 'email_default_problem' ),
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
				'name'     => __( 'Number', 'pillion' ),
				'settings' => array_merge( self::TEXT_SETTINGS, array( 'numberFormat', 'rangeMin', 'rangeMax' ) ),
				'begins'   => array( FormProblems::class, 'number_default_problem' ),
			),
			'date'        => array(
				'name'     => __( 'Date', 'pillion' ),
				'settings' => array( 'description', 'isRequired', 'dateFormat', 'errorMessage' ),
			),
			'time'        => array(
				'name'     => __( 'Time', 'pillion' ),
				'settings' => array( 'description', 'isRequired', 'errorMessage' ),
				'finish'   => array( FieldInput::class, 'set_time_format' ),
			),
			'name'        => array(
				'name'     => __( 'Name in parts', 'pillion' ),
				'settings' => self::PARTS_SETTINGS,
				'parts'    => array(
					2 => __( 'Prefix', 'pillion' ),
					3 => __( 'First', 'pillion' ),
					4 => __( 'Middle', 'pillion' ),
					6 => __( 'Last', 'pillion' ),
					8 => __( 'Suffix', 'pillion' ),
				),
				'shown'    => array( 3, 6 ),
			),
			'address'     => array(
				'name'     => __( 'Address', 'pillion' ),
				'settings' => self::PARTS_SETTINGS,
				'parts'    => array(
					1 => __( 'Street Address', 'pillion' ),
					2 => __( 'Address Line 2', 'pillion' ),
					3 => __( 'City', 'pillion' ),
					4 => __( 'State / Province / Region', 'pillion' ),
					5 => __( 'ZIP / Postal Code', 'pillion' ),
					6 => __( 'Country', 'pillion' ),
				),
				'shown'    => array( 1, 2, 3, 4, 5, 6 ),
			),
			'select'      => array(
				'name'     => __( 'Drop down', 'pillion' ),
				'settings' => array_merge( self::CHOICE_SETTINGS, array( 'placeholder' ) ),
				'helps'    => array(
					'defaultValue' => $chosen,
					'placeholder'  => array( __( 'First line, which cannot be selected', 'pillion' ) ),
				),
				'answer'   => array( FormAnswers::class, 'choice_problem' ),
			),
			'radio'       => array(
				'name'     => __( 'Radio buttons', 'pillion' ),
				'settings' => self::CHOICE_SETTINGS,
				'helps'    => array( 'defaultValue' => $chosen ),
				'answer'   => array( FormAnswers::class, 'choice_problem' ),
			),
			'checkbox'    => array(
				'name'     => __( 'Checkboxes', 'pillion' ),
				'settings' => self::CHOICE_SETTINGS,
				'helps'    => array( 'defaultValue' => $begins_with ),
				'several'  => true,
				'finish'   => array( FieldInput::class, 'add_checkbox_inputs' ),
			),
			'multiselect' => array(
				'name'     => __( 'Multi select', 'pillion' ),
				'settings' => self::CHOICE_SETTINGS,
				'helps'    => array( 'defaultValue' => $begins_with ),
				'several'  => true,
			),
			'consent'     => array(
				'name'     => __( 'Consent', 'pillion' ),
				'settings' => array( 'checkboxLabel', 'description', 'isRequired', 'errorMessage' ),
				'required' => true,
				'finish'   => array( FieldInput::class, 'add_consent_parts' ),
			),
			'fileupload'  => array(
				'name'     => __( 'File', 'pillion' ),
				'settings' => array( 'description', 'isRequired', 'allowedExtensions', 'maxFileSize', 'multipleFiles', 'errorMessage' ),
				'decides'  => false,
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
		$usual       = self::row_defaults();
		return array_map( static fn( array $type ): array => $type + $usual, $types );
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

	/** Whether conditions can use the answer of a field of this type. */
	public static function is_condition_source( $type ): bool {
		return self::has_answer( $type ) && self::row( $type )['decides'];
	}

	public static function has_choices( $type ): bool {
		return in_array( 'choices', self::row( $type )['settings'] ?? array(), true );
	}

	/** @return array<int, string> Names of the parts of a name or an address, by their number. */
	public static function parts( string $type ): array {
		return self::row( $type )['parts'] ?? array();
	}

	/** Why the site leaves out a field: its Gravity Forms type or `calculation`; `null` if the site shows it. */
	public static function unsupported_reason( array $field ): ?string {
		$type = (string) ( $field['type'] ?? '' );
		// Newer forms store fields with several answers under these types.
		$drawn = in_array( $type, array( 'multi_choice', 'image_choice' ), true ) ? (string) ( $field['inputType'] ?? '' ) : $type;
		if ( ! isset( self::all()[ $drawn ] ) ) {
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
