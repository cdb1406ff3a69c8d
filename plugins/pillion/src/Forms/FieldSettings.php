<?php
/**
 * Names, help and values of the settings on the form screen. FieldTypes lists the settings of each kind of field.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

final class FieldSettings {
	/** Settings with a checkbox. */
	const FLAGS = array( 'isRequired', 'emailConfirmEnabled', 'multipleFiles' );

	/** Settings that hold a number or nothing. */
	const NUMBERS = array( 'maxLength', 'rangeMin', 'rangeMax', 'maxFileSize' );

	/** Settings that allow the HTML of posts. */
	const HTML = array( 'checkboxLabel', 'content' );

	/** Settings with several lines. */
	const LINES = array( 'choices', 'checkboxLabel', 'content', 'description' );

	/** Longest text of a setting, in characters. */
	const LIMIT = 20000;

	/** @return array<string, string[]> Label and help of each setting. A kind of field can override them. */
	public static function names(): array {
		return array(
			'description'         => array( __( 'Description', 'pillion' ), __( 'Shown below the field.', 'pillion' ) ),
			'isRequired'          => array( __( 'Required', 'pillion' ) ),
			'placeholder'         => array( __( 'Placeholder', 'pillion' ) ),
			'defaultValue'        => array( __( 'Default value', 'pillion' ) ),
			'errorMessage'        => array( __( 'Error message', 'pillion' ), __( 'Replaces the site’s message when the answer is missing or invalid.', 'pillion' ) ),
			'inputName'           => array( __( 'Filled in from the address', 'pillion' ), __( 'Example: with “city”, a link that ends in ?city=Oslo fills in “Oslo”.', 'pillion' ) ),
			'maxLength'           => array( __( 'Longest answer, in characters', 'pillion' ) ),
			'size'                => array( __( 'Size', 'pillion' ) ),
			'emailConfirmEnabled' => array( __( 'Ask for it twice', 'pillion' ) ),
			'phoneFormat'         => array( __( 'Format', 'pillion' ) ),
			'numberFormat'        => array( __( 'Format', 'pillion' ) ),
			'dateFormat'          => array( __( 'Format', 'pillion' ), __( 'Format of the stored date. Visitors use the calendar of their browser.', 'pillion' ) ),
			'rangeMin'            => array( __( 'Smallest', 'pillion' ) ),
			'rangeMax'            => array( __( 'Largest', 'pillion' ) ),
			'parts'               => array( __( 'Parts to ask for', 'pillion' ) ),
			'choices'             => array( __( 'Choices, one per line', 'pillion' ), __( '“Press and radio|press” shows “Press and radio” and stores “press”.', 'pillion' ) ),
			'checkboxLabel'       => array( __( 'What the visitor agrees to', 'pillion' ), __( 'Links can be written as HTML. If this is empty, the label is shown.', 'pillion' ) ),
			'allowedExtensions'   => array( __( 'Kinds of file', 'pillion' ), __( 'Separated by commas: pdf, jpg, png.', 'pillion' ) ),
			'maxFileSize'         => array( __( 'Largest file, in MB', 'pillion' ) ),
			'multipleFiles'       => array( __( 'Allow several files', 'pillion' ) ),
			'content'             => array( __( 'Text', 'pillion' ), __( 'HTML is allowed.', 'pillion' ) ),
			'nextButton'          => array( __( 'Button to this page', 'pillion' ) ),
			'previousButton'      => array( __( 'Button to the previous page', 'pillion' ) ),
		);
	}

	/** @return array<string, string> Names of the options by value; empty for a setting without a list of options. */
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

	/** @return array<string, string> Names of the comparisons of a condition, by Gravity Forms' operator. */
	public static function operators(): array {
		return array(
			'is'          => __( 'is', 'pillion' ),
			'isnot'       => __( 'is not', 'pillion' ),
			'>'           => __( 'is larger than', 'pillion' ),
			'<'           => __( 'is smaller than', 'pillion' ),
			'contains'    => __( 'contains', 'pillion' ),
			'starts_with' => __( 'begins with', 'pillion' ),
			'ends_with'   => __( 'ends with', 'pillion' ),
		);
	}
}
