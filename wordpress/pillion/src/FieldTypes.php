<?php
/**
 * The kinds of field a form can have here, and which settings each has. The site draws these and leaves out any other
 * (`server/content/form-fields.ts`); a test holds the two lists together.
 */

namespace Pillion;

final class FieldTypes {
	/** Fields that ask nothing. */
	const SILENT = array( 'html', 'section', 'page' );

	/** Settings that a choice of one kind or several has. */
	const OF_CHOICES = array( 'description', 'isRequired', 'choices', 'defaultValue', 'errorMessage', 'inputName' );

	const OF_TEXT = array( 'description', 'isRequired', 'placeholder', 'defaultValue', 'errorMessage', 'inputName' );

	/** Parts of a new name or address that are asked for, by the number Gravity Forms gives each. */
	const SHOWN = array(
		'name'    => array( 3, 6 ),
		'address' => array( 1, 2, 3, 4, 5, 6 ),
	);

	/**
	 * @return array<string, array{name: string, settings: string[]}> By Gravity Forms' type, in the order they are offered.
	 */
	public static function all(): array {
		$types = array(
			'text'        => array( __( 'Single line', 'pillion' ), array_merge( self::OF_TEXT, array( 'maxLength' ) ) ),
			'textarea'    => array( __( 'Paragraph', 'pillion' ), array_merge( self::OF_TEXT, array( 'size', 'maxLength' ) ) ),
			'email'       => array( __( 'Email', 'pillion' ), array_merge( self::OF_TEXT, array( 'emailConfirmEnabled' ) ) ),
			'phone'       => array( __( 'Phone', 'pillion' ), array_merge( self::OF_TEXT, array( 'phoneFormat' ) ) ),
			'website'     => array( __( 'Website', 'pillion' ), self::OF_TEXT ),
			'number'      => array( __( 'Number', 'pillion' ), array_merge( self::OF_TEXT, array( 'numberFormat', 'rangeMin', 'rangeMax' ) ) ),
			'date'        => array( __( 'Date', 'pillion' ), array( 'description', 'isRequired', 'dateFormat', 'errorMessage' ) ),
			'time'        => array( __( 'Time', 'pillion' ), array( 'description', 'isRequired', 'errorMessage' ) ),
			'name'        => array( __( 'Name in parts', 'pillion' ), array( 'description', 'isRequired', 'parts', 'errorMessage' ) ),
			'address'     => array( __( 'Address', 'pillion' ), array( 'description', 'isRequired', 'parts', 'errorMessage' ) ),
			'select'      => array( __( 'Drop down', 'pillion' ), array_merge( self::OF_CHOICES, array( 'placeholder' ) ) ),
			'radio'       => array( __( 'Radio buttons', 'pillion' ), self::OF_CHOICES ),
			'checkbox'    => array( __( 'Checkboxes', 'pillion' ), self::OF_CHOICES ),
			'multiselect' => array( __( 'Multi select', 'pillion' ), self::OF_CHOICES ),
			'consent'     => array( __( 'Consent', 'pillion' ), array( 'checkboxLabel', 'description', 'isRequired', 'errorMessage' ) ),
			'fileupload'  => array( __( 'File', 'pillion' ), array( 'description', 'isRequired', 'allowedExtensions', 'maxFileSize', 'multipleFiles', 'errorMessage' ) ),
			'hidden'      => array( __( 'Hidden', 'pillion' ), array( 'defaultValue', 'inputName' ) ),
			'html'        => array( __( 'Text between fields', 'pillion' ), array( 'content' ) ),
			'section'     => array( __( 'Section', 'pillion' ), array( 'description' ) ),
			'page'        => array( __( 'Page break', 'pillion' ), array( 'nextButton', 'previousButton' ) ),
		);
		return array_map(
			static function ( array $type ): array {
				return array(
					'name'     => $type[0],
					'settings' => $type[1],
				);
			},
			$types
		);
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
		if ( ! empty( $field['enableCalculation'] ) ) {
			return 'calculation';
		}
		return 'time' === $drawn && '24' !== (string) ( $field['timeFormat'] ?? '' ) ? 'time of 12 hours' : null;
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
		$what = sprintf( __( '“%1$s” (%2$s) is not shown: the site does not draw this kind of field. The rest of the form works.', 'pillion' ), self::label( $field ), $reason );
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

	/**
	 * Names of the parts of a name or an address, by their number.
	 *
	 * @return array<int, string>
	 */
	public static function parts( string $type ): array {
		$parts = array(
			'name'    => array(
				2 => __( 'Prefix', 'pillion' ),
				3 => __( 'First', 'pillion' ),
				4 => __( 'Middle', 'pillion' ),
				6 => __( 'Last', 'pillion' ),
				8 => __( 'Suffix', 'pillion' ),
			),
			'address' => array(
				1 => __( 'Street Address', 'pillion' ),
				2 => __( 'Address Line 2', 'pillion' ),
				3 => __( 'City', 'pillion' ),
				4 => __( 'State / Province / Region', 'pillion' ),
				5 => __( 'ZIP / Postal Code', 'pillion' ),
				6 => __( 'Country', 'pillion' ),
			),
		);
		return $parts[ $type ] ?? array();
	}

	/**
	 * The values a setting can have, for those that are chosen from a list.
	 *
	 * @return array<string, string> Empty for a setting that is typed.
	 */
	public static function options( string $setting ): array {
		$options = array(
			'size'         => array(
				'small'  => __( 'Small', 'pillion' ),
				'medium' => __( 'Medium', 'pillion' ),
				'large'  => __( 'Large', 'pillion' ),
			),
			'phoneFormat'  => array(
				'international' => __( 'Any country', 'pillion' ),
				'standard'      => '(###) ###-####',
			),
			'numberFormat' => array(
				'decimal_dot'   => '9,999.99',
				'decimal_comma' => '9.999,99',
				'currency'      => __( 'Currency', 'pillion' ),
			),
			'dateFormat'   => array(
				'dmy'       => 'dd/mm/yyyy',
				'mdy'       => 'mm/dd/yyyy',
				'dmy_dot'   => 'dd.mm.yyyy',
				'dmy_dash'  => 'dd-mm-yyyy',
				'ymd_dash'  => 'yyyy-mm-dd',
				'ymd_slash' => 'yyyy/mm/dd',
				'ymd_dot'   => 'yyyy.mm.dd',
			),
		);
		return $options[ $setting ] ?? array();
	}
}
