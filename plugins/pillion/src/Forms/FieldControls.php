<?php
/**
 * The controls of one field on the form screen.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

/**
 * @phpstan-import-type Typed from FieldInput
 * @phpstan-import-type Row from FieldTypes
 */
final class FieldControls {
	/** Placeholders for the number of a field and of a condition, which the script of the screen inserts. */
	const NEW_FIELD = '__field__';

	const NEW_RULE = '__rule__';

	private string $key;

	/** @var array<string, mixed> */
	private $typed;

	/** @var array<string, string> */
	private $problems;

	/** @var array<string, string> */
	private $condition_sources;

	/**
	 * @param string                $key               Key of the field on the screen.
	 * @param Typed                 $typed
	 * @param array<string, string> $problems          Of the whole screen, by path.
	 * @param array<string, string> $condition_sources Labels of the fields that conditions can use, by id.
	 */
	public function __construct( string $key, array $typed, array $problems, array $condition_sources ) {
		$this->key               = $key;
		$this->typed             = $typed;
		$this->problems          = $problems;
		$this->condition_sources = $condition_sources;
	}

	public function render(): void {
		$type          = (string) ( $this->typed['type'] ?? '' );
		$row           = FieldTypes::row( $type );
		$name          = $row ? $row['name'] : $type;
		$problem_paths = array_filter( array_keys( $this->problems ), fn( string $path ): bool => 0 === strpos( $path, "fields.$this->key." ) );
		$open          = $problem_paths || ! empty( $this->typed['isNew'] ) ? ' open' : '';
		echo '<li class="pillion-field" data-pillion-field="' . esc_attr( (string) ( $this->typed['id'] ?? '' ) ) . '"' . ( FieldTypes::is_condition_source( $type ) ? ' data-asks' : '' ) . '>';
		echo '<details' . esc_attr( $open ) . '><summary><span class="pillion-type">' . esc_html( $name ) . '</span> <strong data-pillion-title>' . esc_html( FieldInput::text( $this->typed, 'label' ) ) . '</strong>';
		echo '<span class="pillion-flag" data-pillion-needed' . ( empty( $this->typed['isRequired'] ) ? ' hidden' : '' ) . '>' . esc_html__( 'Required', 'pillion' ) . '</span></summary><div class="pillion-settings">';
		$this->render_hidden( 'id' );
		$this->render_hidden( 'type' );
		if ( $row ) {
			$this->render_settings( $row );
		} else {
			$this->render_unsupported();
		}
		echo '</div></details>';
		$this->render_move_buttons();
		echo '</li>';
	}

	/** @param Row $row */
	private function render_settings( array $row ): void {
		$this->render_control( 'label', $row['label'] );
		$names = $row['names'] + FieldSettings::names();
		foreach ( $row['settings'] as $setting ) {
			list( $label, $help ) = $names[ $setting ] + array( '', '' );
			if ( 'parts' === $setting ) {
				$this->render_parts( $label, $row['parts'] );
			} elseif ( in_array( $setting, FieldSettings::FLAGS, true ) ) {
				$this->render_checkbox( $setting, $label );
			} else {
				$this->render_control( $setting, $label, $help );
			}
		}
		$this->render_logic();
	}

	private function render_control( string $setting, string $label, string $help = '' ): void {
		$value        = $this->typed[ $setting ] ?? '';
		$value        = is_scalar( $value ) ? (string) $value : '';
		$path         = "fields.$this->key.$setting";
		$is_multiline = in_array( $setting, FieldSettings::LINES, true );
		FormControl::open( $path, $label, $is_multiline );
		$attributes = FormControl::attributes( $path, $help, $this->problems );
		$options    = FieldSettings::options( $setting );
		if ( $options ) {
			FormControl::select( $attributes, $options, $value );
		} elseif ( $is_multiline ) {
			FormControl::textarea( $attributes, $value, 'description' === $setting ? 2 : 4 );
		} else {
			FormControl::text_input( $attributes . ( 'label' === $setting ? ' data-pillion-label' : '' ), $value );
		}
		FormControl::close( $path, $help, $this->problems );
	}

	private function render_checkbox( string $setting, string $label ): void {
		$path = "fields.$this->key.$setting";
		echo '<p class="pillion-box"><label><input type="checkbox" value="1"' . FormControl::attributes( $path, '', $this->problems ) . ( 'isRequired' === $setting ? ' data-pillion-required' : '' ) . checked( ! empty( $this->typed[ $setting ] ), true, false ) . '> ' . esc_html( $label ) . '</label></p>';
	}

	/** @param array<int, string> $parts Names by number. */
	private function render_parts( string $label, array $parts ): void {
		$path    = "fields.$this->key.parts";
		$visible = array_map( 'strval', (array) ( $this->typed['parts'] ?? array() ) );
		echo '<fieldset class="pillion-wide" id="' . esc_attr( FormControl::id( $path ) ) . '" tabindex="-1"><legend>' . esc_html( $label ) . '</legend>';
		foreach ( $parts as $number => $name ) {
			echo '<label class="pillion-part"><input type="checkbox" name="' . esc_attr( FormControl::name( $path ) ) . '[]" value="' . (int) $number . '"' . checked( in_array( (string) $number, $visible, true ), true, false ) . '> ' . esc_html( $name ) . '</label> ';
		}
		FormControl::note( $path, '', $this->problems );
		echo '</fieldset>';
	}

	private function render_hidden( string $setting ): void {
		echo '<input type="hidden" name="' . esc_attr( FormControl::name( "fields.$this->key.$setting" ) ) . '" value="' . esc_attr( (string) ( $this->typed[ $setting ] ?? '' ) ) . '">';
	}

	/** An unsupported field of an imported form: it stays unchanged, with a warning that the site does not show it. */
	private function render_unsupported(): void {
		$this->render_hidden( 'label' );
		echo '<div class="notice notice-warning inline pillion-wide"><p>' . esc_html( FieldTypes::unsupported_message( array_filter( $this->typed, 'is_scalar' ) ) ) . '</p></div>';
	}

	private function render_logic(): void {
		$logic = (array) ( $this->typed['logic'] ?? array() );
		$path  = "fields.$this->key.logic";
		$rules = Data::rows( $logic['rules'] ?? null );
		echo '<fieldset class="pillion-wide pillion-logic"><legend>' . esc_html__( 'Condition', 'pillion' ) . '</legend>';
		echo '<div data-pillion-when' . ( $rules ? '' : ' hidden' ) . '>';
		$this->render_bare_select(
			"$path.action",
			__( 'What happens', 'pillion' ),
			array(
				'show' => __( 'Show this field if', 'pillion' ),
				'hide' => __( 'Hide this field if', 'pillion' ),
			),
			(string) ( $logic['action'] ?? 'show' )
		);
		$this->render_bare_select(
			"$path.type",
			__( 'How many must be met', 'pillion' ),
			array(
				'all' => __( 'all of these are met', 'pillion' ),
				'any' => __( 'any of these is met', 'pillion' ),
			),
			(string) ( $logic['type'] ?? 'all' )
		);
		echo '</div><ul data-pillion-rules>';
		foreach ( $rules as $key => $rule ) {
			$this->render_rule( (string) $key, $rule );
		}
		echo '</ul><template data-pillion-new-rule>';
		$this->render_rule( self::NEW_RULE, array() );
		echo '</template><button type="button" class="button button-small" data-pillion-add-rule>' . esc_html__( 'Add a condition', 'pillion' ) . '</button></fieldset>';
	}

	private function render_rule( string $key, array $rule ): void {
		$path   = "fields.$this->key.logic.rules.$key";
		$chosen = FieldInput::text( $rule, 'fieldId' );
		// A chosen field that was removed stays in the list, so that its condition does not change silently.
		$others = $this->condition_sources + ( '' === $chosen ? array() : array( $chosen => "#$chosen" ) );
		unset( $others[ (string) ( $this->typed['id'] ?? '' ) ] );
		echo '<li>';
		$this->render_bare_select( "$path.fieldId", __( 'Field', 'pillion' ), array( '' => __( 'Choose a field', 'pillion' ) ) + $others, $chosen, ' data-pillion-other' );
		$this->render_bare_select( "$path.operator", __( 'Comparison', 'pillion' ), FieldSettings::operators(), FieldInput::text( $rule, 'operator' ) );
		$label = __( 'Answer', 'pillion' );
		echo '<input type="text" aria-label="' . esc_attr( $label ) . '" placeholder="' . esc_attr( $label ) . '"' . FormControl::attributes( "$path.value", '', $this->problems ) . ' value="' . esc_attr( FieldInput::text( $rule, 'value' ) ) . '"> ';
		echo '<button type="button" class="button-link button-link-delete" data-pillion-remove-rule>' . esc_html__( 'Remove condition', 'pillion' ) . '</button>';
		FormControl::note( "$path.value", '', $this->problems );
		echo '</li>';
	}

	/**
	 * A select control whose label is not visible.
	 *
	 * @param array<string, string> $options
	 * @param string                $attributes Escaped.
	 */
	private function render_bare_select( string $path, string $label, array $options, string $value, string $attributes = '' ): void {
		FormControl::select( FormControl::attributes( $path, '', array() ) . ' aria-label="' . esc_attr( $label ) . '"' . $attributes, $options, $value );
		echo ' ';
	}

	private function render_move_buttons(): void {
		$moves = array(
			'up'     => array( 'arrow-up-alt2', __( 'Move up', 'pillion' ) ),
			'down'   => array( 'arrow-down-alt2', __( 'Move down', 'pillion' ) ),
			'remove' => array( 'trash', __( 'Remove', 'pillion' ) ),
		);
		echo '<div class="pillion-moves">';
		foreach ( $moves as $move => list( $icon, $name ) ) {
			echo '<button type="button" class="button" data-pillion-move="' . esc_attr( $move ) . '" data-name="' . esc_attr( $name ) . '" title="' . esc_attr( $name ) . '"><span class="dashicons dashicons-' . esc_attr( $icon ) . '" aria-hidden="true"></span><span class="screen-reader-text">' . esc_html( $name . ': ' . FieldInput::text( $this->typed, 'label' ) ) . '</span></button>';
		}
		echo '</div>';
	}
}
