<?php
/**
 * Prints one control of the form screen: label, control, help and error. The control and its error have the same path,
 * as in `fields.2.label`.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;

final class FormControl {
	/** @return string Id of the control, and the beginning of its note's id. */
	public static function id( string $path ): string {
		return 'pillion-' . str_replace( '.', '-', $path );
	}

	public static function name( string $path ): string {
		return 'form[' . str_replace( '.', '][', $path ) . ']';
	}

	public static function open( string $path, string $label, bool $is_wide = false ): void {
		echo '<div class="pillion-control' . ( $is_wide ? ' pillion-wide' : '' ) . '"><label for="' . esc_attr( self::id( $path ) ) . '">' . esc_html( $label ) . '</label>';
	}

	/**
	 * @param array<string, string> $problems By path.
	 * @return string Id, name and ARIA attributes, escaped.
	 */
	public static function attributes( string $path, string $help, array $problems ): string {
		$id       = self::id( $path );
		$is_wrong = isset( $problems[ $path ] );
		return ' id="' . esc_attr( $id ) . '" name="' . esc_attr( self::name( $path ) ) . '"'
			. ( '' !== $help || $is_wrong ? ' aria-describedby="' . esc_attr( "$id-note" ) . '"' : '' )
			. ( $is_wrong ? ' aria-invalid="true"' : '' );
	}

	// phpcs:disable WordPress.Security.EscapeOutput.OutputNotEscaped -- $attributes are escaped by attributes().

	public static function text_input( string $attributes, string $value ): void {
		echo '<input type="text" class="large-text"' . $attributes . ' value="' . esc_attr( $value ) . '">';
	}

	public static function textarea( string $attributes, string $value, int $rows ): void {
		echo '<textarea class="large-text" rows="' . (int) $rows . '"' . $attributes . '>' . esc_textarea( $value ) . '</textarea>';
	}

	/** @param array<int|string, string> $options */
	public static function select( string $attributes, array $options, string $value ): void {
		echo '<select' . $attributes . '>' . Admin::options( $options, $value ) . '</select>';
	}

	// phpcs:enable

	/** @param array<string, string> $problems By path. A problem is shown instead of the help. */
	public static function note( string $path, string $help, array $problems ): void {
		$problem = $problems[ $path ] ?? '';
		$note    = '' !== $problem ? $problem : $help;
		if ( '' !== $note ) {
			echo '<p class="' . ( '' !== $problem ? 'notice notice-error inline' : 'description' ) . '" id="' . esc_attr( self::id( $path ) . '-note' ) . '">' . esc_html( $note ) . '</p>';
		}
	}

	/** @param array<string, string> $problems */
	public static function close( string $path, string $help, array $problems ): void {
		self::note( $path, $help, $problems );
		echo '</div>';
	}
}
