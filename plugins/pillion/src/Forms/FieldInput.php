<?php
/**
 * Converts a field between the format of Gravity Forms and the controls of the form screen.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

/** @phpstan-type Typed array<string, mixed> Values of the controls of one field: texts, lists of parts, rules. */
final class FieldInput {
	/** @return Typed Values of the controls for a stored field. */
	public static function from_field( array $field ): array {
		$choices                 = Data::rows( $field['choices'] ?? null );
		$typed                   = array_map( 'strval', array_filter( $field, 'is_scalar' ) );
		$typed['nextButton']     = (string) Data::at( $field, 'nextButton.text' );
		$typed['previousButton'] = (string) Data::at( $field, 'previousButton.text' );
		$typed['choices']        = self::format_choices( $choices );
		$typed['parts']          = self::visible_parts( $field );
		$selected                = wp_list_pluck( wp_list_filter( $choices, array( 'isSelected' => true ) ), 'value' );
		if ( $selected ) {
			$typed['defaultValue'] = implode( ', ', $selected );
		}
		$logic          = Data::to_array( $field['conditionalLogic'] ?? null );
		$typed['logic'] = array(
			'action' => (string) ( $logic['actionType'] ?? 'show' ),
			'type'   => (string) ( $logic['logicType'] ?? 'all' ),
			'rules'  => false === ( $logic['enabled'] ?? true ) ? array() : Data::rows( $logic['rules'] ?? null ),
		);
		return $typed;
	}

	/**
	 * The field in the format of Gravity Forms. Settings that the screen does not know stay unchanged.
	 *
	 * @param Typed                $typed
	 * @param array<string, mixed> $before The stored field, or an empty array.
	 */
	public static function to_field( array $typed, array $before, int $form_id ): array {
		$type  = (string) $typed['type'];
		$id    = (int) $typed['id'];
		$row   = FieldTypes::row( $type );
		$field = array(
			'id'     => $id,
			'formId' => $form_id,
			'type'   => $type,
			'label'  => self::text( $typed, 'label' ),
		) + $before + self::default_properties();
		// A type that the screen does not offer: only its label can be changed.
		if ( null === $row ) {
			return $field;
		}
		foreach ( $row['settings'] as $setting ) {
			$field = self::to_setting( $setting, $typed, $field ) + $field;
		}
		// Adds properties that depend on the settings, such as the inputs of a checkbox field.
		if ( $row['complete'] ) {
			$field = call_user_func( $row['complete'], $field );
		}
		$field['conditionalLogic'] = self::to_logic( $typed );
		return $field;
	}

	/**
	 * @param Typed $typed
	 * @return string The value of a control, without invalid characters; empty if it is missing.
	 */
	public static function text( array $typed, string $name ): string {
		$raw  = $typed[ $name ] ?? '';
		$text = wp_check_invalid_utf8( is_scalar( $raw ) ? (string) $raw : '', true );
		$text = str_replace( array( "\r\n", "\0" ), array( "\n", '' ), $text );
		return trim( in_array( $name, FieldSettings::HTML, true ) ? wp_kses_post( $text ) : $text );
	}

	/**
	 * Parses choices: one per line, with an optional value after a bar.
	 *
	 * @return array<int, array{text: string, value: string}>
	 */
	public static function parse_choices( string $lines ): array {
		$choices = array();
		foreach ( array_filter( array_map( 'trim', explode( "\n", $lines ) ), 'strlen' ) as $line ) {
			$bar       = strrpos( $line, '|' );
			$text      = trim( false === $bar ? $line : substr( $line, 0, $bar ) );
			$value     = trim( false === $bar ? $line : substr( $line, $bar + 1 ) );
			$choices[] = array(
				'text'  => '' !== $text ? $text : $value,
				'value' => '' !== $value ? $value : $text,
			);
		}
		return $choices;
	}

	/**
	 * @param Typed $typed
	 * @return string[] Values of the preselected choices: one, or several separated by commas.
	 */
	public static function selected_choices( array $typed ): array {
		$text   = self::text( $typed, 'defaultValue' );
		$values = array_column( self::parse_choices( self::text( $typed, 'choices' ) ), 'value' );
		// The value of a choice can contain a comma.
		if ( empty( FieldTypes::row( $typed['type'] )['several'] ) || in_array( $text, $values, true ) ) {
			return '' === $text ? array() : array( $text );
		}
		return array_values( array_filter( array_map( 'trim', explode( ',', $text ) ), 'strlen' ) );
	}

	/**
	 * @param Typed $typed
	 * @return array<int, array{fieldId: string, operator: string, value: string}> The conditions of a field, by their key on the screen.
	 */
	public static function rules( array $typed ): array {
		$rules = array();
		foreach ( Data::rows( $typed['logic']['rules'] ?? null ) as $key => $rule ) {
			$rules[ $key ] = array(
				'fieldId'  => self::text( $rule, 'fieldId' ),
				'operator' => self::text( $rule, 'operator' ),
				'value'    => self::text( $rule, 'value' ),
			);
		}
		return $rules;
	}

	/** @param array<int, array<string, mixed>> $choices */
	private static function format_choices( array $choices ): string {
		$lines = array_map(
			static function ( array $choice ): string {
				$text  = (string) ( $choice['text'] ?? '' );
				$value = (string) ( $choice['value'] ?? '' );
				// A bar in the text would be read as the separator, so the value is always added.
				return $text === $value && false === strpos( $text, '|' ) ? $text : "$text|$value";
			},
			$choices
		);
		return implode( "\n", $lines );
	}

	/** @return string[] Numbers of the visible parts. */
	private static function visible_parts( array $field ): array {
		$numbers = array();
		foreach ( Data::rows( $field['inputs'] ?? null ) as $input ) {
			if ( empty( $input['isHidden'] ) ) {
				$numbers[] = explode( '.', (string) ( $input['id'] ?? '' ) )[1] ?? '';
			}
		}
		return $numbers;
	}

	/**
	 * @param Typed                $typed
	 * @param array<string, mixed> $field The stored field, with the settings that are already converted.
	 * @return array<string, mixed> Properties of the field.
	 */
	private static function to_setting( string $setting, array $typed, array $field ): array {
		if ( in_array( $setting, FieldSettings::FLAGS, true ) ) {
			return array( $setting => ! empty( $typed[ $setting ] ) );
		}
		$text = self::text( $typed, $setting );
		if ( in_array( $setting, FieldSettings::NUMBERS, true ) ) {
			return array( $setting => '' === $text ? '' : $text + 0 );
		}
		switch ( $setting ) {
			case 'choices':
				return self::to_choices( $typed );
			case 'parts':
				return array( 'inputs' => self::to_part_inputs( $typed, $field ) );
			case 'inputName':
				return array(
					'inputName'         => $text,
					'allowsPrepopulate' => '' !== $text,
				);
			case 'defaultValue':
				return array( 'defaultValue' => FieldTypes::has_choices( $field['type'] ) ? '' : $text );
			case 'nextButton':
			case 'previousButton':
				return array(
					$setting => array(
						'type' => 'text',
						'text' => $text,
					),
				);
		}
		return array( $setting => $text );
	}

	/** @param Typed $typed */
	private static function to_choices( array $typed ): array {
		$selected = self::selected_choices( $typed );
		$choices  = self::parse_choices( self::text( $typed, 'choices' ) );
		foreach ( $choices as $index => $choice ) {
			$choices[ $index ]['isSelected'] = in_array( $choice['value'], $selected, true );
			$choices[ $index ]['price']      = '';
		}
		return array(
			'choices' => $choices,
			'inputs'  => null,
		);
	}

	/** @return array<string, mixed> With an input for each box. */
	public static function add_checkbox_inputs( array $field ): array {
		$field['inputs'] = array();
		$number          = 0;
		foreach ( $field['choices'] as $choice ) {
			// Gravity Forms skips each tenth number, because 1.10 would equal 1.1.
			$number           += 0 === ( $number + 1 ) % 10 ? 2 : 1;
			$field['inputs'][] = self::to_input( $field['id'] . '.' . $number, $choice['text'] );
		}
		return $field;
	}

	/**
	 * @param Typed $typed
	 * @return array<int, array<string, mixed>>
	 */
	private static function to_part_inputs( array $typed, array $field ): array {
		$before  = array_column( Data::rows( $field['inputs'] ?? null ), null, 'id' );
		$visible = array_map( 'strval', array_filter( (array) ( $typed['parts'] ?? array() ), 'is_scalar' ) );
		$inputs  = array();
		foreach ( FieldTypes::parts( $field['type'] ) as $number => $name ) {
			$id       = $field['id'] . '.' . $number;
			$shown    = array( 'id' => $id, 'isHidden' => ! in_array( (string) $number, $visible, true ) );
			$inputs[] = $shown + ( $before[ $id ] ?? array() ) + self::to_input( $id, $name );
		}
		return $inputs;
	}

	/** @return array<string, mixed> With the three inputs and the choice of a Gravity Forms consent field. */
	public static function add_consent_parts( array $field ): array {
		if ( empty( $field['inputs'] ) ) {
			$id              = (string) $field['id'];
			$hidden          = array( 'isHidden' => true );
			$field['inputs'] = array( self::to_input( "$id.1", 'Consent' ), self::to_input( "$id.2", 'Text' ) + $hidden, self::to_input( "$id.3", 'Description' ) + $hidden );
		}
		$field['choices'] = array(
			array(
				'text'       => 'Checked',
				'value'      => '1',
				'isSelected' => false,
				'price'      => '',
			),
		);
		return $field;
	}

	/** @return array{id: string, label: string, name: string} A part of a field, in the format of Gravity Forms. */
	private static function to_input( string $id, string $label ): array {
		return array( 'id' => $id, 'label' => $label, 'name' => '' );
	}

	/** @return array<string, mixed> In the 24-hour format of browsers. */
	public static function set_time_format( array $field ): array {
		$field['timeFormat'] = '24';
		return $field;
	}

	/** @return array<string, mixed> With two inputs if the address must be entered twice. */
	public static function add_email_inputs( array $field ): array {
		$before          = array_column( Data::rows( $field['inputs'] ?? null ), null, 'id' );
		$field['inputs'] = null;
		if ( empty( $field['emailConfirmEnabled'] ) ) {
			return $field;
		}
		foreach ( array( '' => __( 'Enter Email', 'pillion' ), '.2' => __( 'Confirm Email', 'pillion' ) ) as $part => $label ) {
			$id                = $field['id'] . $part;
			$field['inputs'][] = ( $before[ $id ] ?? array() ) + self::to_input( $id, $label );
		}
		return $field;
	}

	/**
	 * @param Typed $typed
	 * @return array<string, mixed>|string Empty without conditions, as in Gravity Forms.
	 */
	private static function to_logic( array $typed ) {
		$rules = array_values( self::rules( $typed ) );
		if ( ! $rules ) {
			return '';
		}
		return array(
			'enabled'    => true,
			'actionType' => 'hide' === ( $typed['logic']['action'] ?? '' ) ? 'hide' : 'show',
			'logicType'  => 'any' === ( $typed['logic']['type'] ?? '' ) ? 'any' : 'all',
			'rules'      => $rules,
		);
	}

	/** @return array<string, mixed> Properties that Gravity Forms writes into each field. */
	private static function default_properties(): array {
		return array(
			'adminLabel'       => '',
			'isRequired'       => false,
			'size'             => 'large',
			'errorMessage'     => '',
			'visibility'       => 'visible',
			'inputs'           => null,
			'description'      => '',
			'placeholder'      => '',
			'cssClass'         => '',
			'defaultValue'     => '',
			'choices'          => '',
			'conditionalLogic' => '',
			'pageNumber'       => 1,
		);
	}
}
