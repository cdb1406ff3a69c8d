<?php
/**
 * The kinds of field a form can have here: one row for each, with all that differs from kind to kind. The site's own table
 * is `packages/forms/src/kind.ts`; tests/contract/field-kinds.test.ts holds the two together.
 */

namespace Pillion\Forms;

/**
 * @phpstan-import-type FormField from Forms
 * @phpstan-import-type Typed from FieldInput
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
	/** Settings that a choice of one kind or several has. */
	const CHOICE_SETTINGS = array( 'description', 'isRequired', 'choices', 'defaultValue', 'errorMessage', 'inputName' );

	const TEXT_SETTINGS = array( 'description', 'isRequired', 'placeholder', 'defaultValue', 'errorMessage', 'inputName' );

	const PARTS_SETTINGS = array( 'description', 'isRequired', 'parts', 'errorMessage' );

	/**
	 * What a row says beside its name. Those below say what differs.
	 *
	 * @return array<string, mixed>
	 */
	private static function usual(): array {
		return array(
			// Settings on the form screen, in their order.
			'settings' => array(),
			// What the label is called there, and settings that are called otherwise than usual (FieldSettings::names).
			'label'    => __( 'Label', 'pillion' ),
			'helps'    => array(),
			// It asks nothing.
			'silent'   => false,
			// Several choices can be made.
			'several'  => false,
			// A condition of another field may compare its answer.
			'decides'  => true,
			// A new field of this kind must be answered, until somebody says otherwise.
			'required' => false,
			// Names of its parts by the number Gravity Forms gives each, and the parts that a new field asks for.
			'parts'    => array(),
			'shown'    => array(),
			// Gives a field what Gravity Forms stores with it and nobody types.
			'finish'   => null,
			// What is wrong with an answer, and with the value that a field begins with; null: nothing.
			'answer'   => null,
			'begins'   => null,
		);
	}

	/**
	 * @return array<string, Row> By Gravity Forms' type, in the order they are offered.
	 */
	public static function all(): array {
		$begins_with = array( __( 'Ticked to begin with', 'pillion' ), __( 'Several with commas between them.', 'pillion' ) );
		$chosen      = array( __( 'Chosen to begin with', 'pillion' ) );
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
				'finish'   => array( FieldInput::class, 'email' ),
				'answer'   => array( FormAnswers::class, 'email_problem' ),
				'begins'   => array( FormProblems::class, 'of_default_email' ),
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
				'begins'   => array( FormProblems::class, 'of_default_number' ),
			),
			'date'        => array(
				'name'     => __( 'Date', 'pillion' ),
				'settings' => array( 'description', 'isRequired', 'dateFormat', 'errorMessage' ),
			),
			'time'        => array(
				'name'     => __( 'Time', 'pillion' ),
				'settings' => array( 'description', 'isRequired', 'errorMessage' ),
				'finish'   => array( FieldInput::class, 'time' ),
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
					'placeholder'  => array( __( 'First line, which is no choice', 'pillion' ) ),
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
				'finish'   => array( FieldInput::class, 'boxes' ),
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
				'finish'   => array( FieldInput::class, 'consent' ),
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
		$usual       = self::usual();
		return array_map(
			static function ( array $type ) use ( $usual ): array {
				return $type + $usual;
			},
			$types
		);
	}

	/**
	 * @param mixed $type
	 * @return Row|null Nothing where a form cannot have such a field here.
	 */
	public static function row( $type ): ?array {
		return is_string( $type ) ? self::all()[ $type ] ?? null : null;
	}

	/**
	 * Whether fields of a type ask something.
	 *
	 * @param mixed $type
	 */
	public static function asks( $type ): bool {
		$row = self::row( $type );
		return null !== $row && ! $row['silent'];
	}

	/**
	 * Whether a condition can compare what a field of a type was answered.
	 *
	 * @param mixed $type
	 */
	public static function decides( $type ): bool {
		return self::asks( $type ) && self::row( $type )['decides'];
	}

	/**
	 * @param mixed $type
	 */
	public static function has_choices( $type ): bool {
		return in_array( 'choices', self::row( $type )['settings'] ?? array(), true );
	}

	/**
	 * Names of the parts of a name or an address, by their number.
	 *
	 * @return array<int, string>
	 */
	public static function parts( string $type ): array {
		return self::row( $type )['parts'] ?? array();
	}

	/**
	 * Why the site leaves a field out, in Gravity Forms' own words; `null` where it draws it.
	 *
	 * @param array<string, mixed> $field
	 */
	public static function unsupported( array $field ): ?string {
		$type = (string) ( $field['type'] ?? '' );
		// What shows several answers as boxes or buttons has a type of its own in newer forms.
		$drawn = in_array( $type, array( 'multi_choice', 'image_choice' ), true ) ? (string) ( $field['inputType'] ?? '' ) : $type;
		if ( ! isset( self::all()[ $drawn ] ) ) {
			return $type;
		}
		return empty( $field['enableCalculation'] ) ? null : 'calculation';
	}

	/**
	 * What becomes of a field that the site leaves out, for the editor.
	 *
	 * @param array<string, mixed> $field
	 * @return string Empty where the site draws it.
	 */
	public static function consequence( array $field ): string {
		$reason = self::unsupported( $field );
		if ( null === $reason || 'administrative' === ( $field['visibility'] ?? '' ) ) {
			return '';
		}
		/* translators: 1: label of a field, 2: its type */
		$what = sprintf( __( '“%1$s” (%2$s) is not shown: the site does not draw this kind of field.', 'pillion' ), self::label( $field ), $reason );
		if ( empty( $field['isRequired'] ) || Forms::is_fallback() ) {
			return $what;
		}
		return $what . ' ' . __( 'It is required, so Gravity Forms will refuse every sign-up that comes from the site: make it optional, or remove it.', 'pillion' );
	}

	/**
	 * @param array<string, mixed> $field
	 */
	public static function label( array $field ): string {
		$label = trim( wp_strip_all_tags( is_scalar( $field['label'] ?? null ) ? (string) $field['label'] : '' ) );
		/* translators: %d: number of a field */
		return '' !== $label ? $label : sprintf( __( 'Field %d', 'pillion' ), (int) ( $field['id'] ?? 0 ) );
	}
}
