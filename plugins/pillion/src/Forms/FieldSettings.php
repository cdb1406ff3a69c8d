<?php
/**
 * Settings of a field on the form screen: what they are called, and what they can be. Which kind of field has which is
 * said by FieldTypes.
 */

namespace Pillion\Forms;

final class FieldSettings {
	/** Settings that are on or off. */
	const FLAGS = array( 'isRequired', 'emailConfirmEnabled', 'multipleFiles' );

	/** Settings that hold a number or nothing. */
	const NUMBERS = array( 'maxLength', 'rangeMin', 'rangeMax', 'maxFileSize' );

	/** Settings in which HTML may be written, as in a page. */
	const HTML = array( 'checkboxLabel', 'content' );

	/** Settings of several lines. */
	const LINES = array( 'choices', 'checkboxLabel', 'content', 'description' );

	/** Longest text of a setting, in characters. */
	const LIMIT = 20000;

	/**
	 * What each setting is called on the form screen, and its help. A kind of field may say it otherwise.
	 *
	 * @return array<string, string[]>
	 */
	public static function names(): array {
		return array(
			'description'         => array( __( 'Description', 'pillion' ), __( 'Stands under the field.', 'pillion' ) ),
			'isRequired'          => array( __( 'Required', 'pillion' ) ),
			'placeholder'         => array( __( 'Placeholder', 'pillion' ) ),
			'defaultValue'        => array( __( 'Default value', 'pillion' ) ),
			'errorMessage'        => array( __( 'Error message', 'pillion' ), __( 'In place of the site’s own, when the answer is missing or wrong.', 'pillion' ) ),
			'inputName'           => array( __( 'Filled in from the address', 'pillion' ), __( 'With “city”, a link that ends in ?city=Oslo fills it in.', 'pillion' ) ),
			'maxLength'           => array( __( 'Longest answer, in characters', 'pillion' ) ),
			'size'                => array( __( 'Size', 'pillion' ) ),
			'emailConfirmEnabled' => array( __( 'Ask for it twice', 'pillion' ) ),
			'phoneFormat'         => array( __( 'Format', 'pillion' ) ),
			'numberFormat'        => array( __( 'Format', 'pillion' ) ),
			'dateFormat'          => array( __( 'Format', 'pillion' ), __( 'Of what arrives with you. Visitors choose in their own calendar.', 'pillion' ) ),
			'rangeMin'            => array( __( 'Smallest', 'pillion' ) ),
			'rangeMax'            => array( __( 'Largest', 'pillion' ) ),
			'choices'             => array( __( 'Choices, one a line', 'pillion' ), __( '“Press and radio|press” shows “Press and radio” and stores “press”.', 'pillion' ) ),
			'checkboxLabel'       => array( __( 'What the visitor agrees to', 'pillion' ), __( 'Links may be written as HTML. The label is used where this is empty.', 'pillion' ) ),
			'allowedExtensions'   => array( __( 'Kinds of file', 'pillion' ), __( 'With commas: pdf, jpg, png.', 'pillion' ) ),
			'maxFileSize'         => array( __( 'Largest file, in MB', 'pillion' ) ),
			'multipleFiles'       => array( __( 'Several files may be sent', 'pillion' ) ),
			'content'             => array( __( 'Text', 'pillion' ), __( 'HTML may be written.', 'pillion' ) ),
			'nextButton'          => array( __( 'Button that leads on to it', 'pillion' ) ),
			'previousButton'      => array( __( 'Button that leads back', 'pillion' ) ),
		);
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
