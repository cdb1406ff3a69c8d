<?php
/**
 * The fields of the forms whose answers a destination can get.
 */

namespace Pillion\Destinations;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\FieldTypes;
use Pillion\Forms\Forms;
use Pillion\Forms\Gravity\GravityForms;
use Pillion\Lib\Data;

final class DestinationFields {
	/** Name of a field in a sign-up, or of one of its parts. */
	const NAME = '/^input_\d+(?:_\d+)*$/D';

	/**
	 * The fields to choose from, and those that are already chosen and no longer exist; these have their name as label.
	 * Files are never sent.
	 *
	 * @param array<int, string[]> $chosen Names by number of the form.
	 * @return array<int, array{title: string, fields: array<string, string>}> Labels by name, by number of the form.
	 */
	private static function choices( array $chosen ): array {
		$choices = array();
		foreach ( Forms::is_fallback() ? Forms::all() : GravityForms::all() as $form ) {
			$fields = array();
			foreach ( $form['fields'] as $field ) {
				$type          = $field['type'] ?? '';
				$has_no_answer = null !== FieldTypes::row( $type ) && ! FieldTypes::has_answer( $type );
				if ( ! $has_no_answer && 'fileupload' !== $type && null === FieldTypes::unsupported_reason( $field ) ) {
					$fields[ 'input_' . (int) $field['id'] ] = FieldTypes::label( $field );
				}
			}
			if ( $fields ) {
				$choices[ (int) $form['id'] ] = array( 'title' => (string) ( $form['title'] ?? '' ), 'fields' => $fields );
			}
		}
		foreach ( $chosen as $form_id => $names ) {
			/* translators: %d: number of a form */
			$choices[ $form_id ]           = $choices[ $form_id ] ?? array( 'title' => sprintf( __( 'Form %d', 'pillion' ), $form_id ), 'fields' => array() );
			$choices[ $form_id ]['fields'] += array_combine( $names, $names );
		}
		return $choices;
	}

	/**
	 * @param mixed[] $boxes The checked boxes, as posted: `fields[1][input_3]` is `$boxes[1]['input_3']`.
	 * @return array<int, string[]> Names by number of the form.
	 */
	public static function chosen_fields( array $boxes ): array {
		$chosen = array();
		foreach ( $boxes as $form_id => $boxes_of_form ) {
			$names = preg_grep( self::NAME, array_keys( Data::to_array( $boxes_of_form ) ) );
			if ( is_int( $form_id ) && $form_id > 0 && $names ) {
				$chosen[ $form_id ] = array_values( $names );
			}
		}
		return $chosen;
	}

	/** @param array<int, string[]> $chosen Names by number of the form. */
	public static function summary( array $chosen ): string {
		$choices = self::choices( $chosen );
		$parts   = array();
		foreach ( $chosen as $form_id => $names ) {
			$labels  = array_intersect_key( $choices[ $form_id ]['fields'], array_flip( $names ) );
			$parts[] = $choices[ $form_id ]['title'] . ': ' . implode( ', ', $labels );
		}
		return $parts ? implode( '; ', $parts ) : __( 'none', 'pillion' );
	}

	/** @param array<int, string[]> $chosen Names by number of the form. */
	public static function render( array $chosen ): void {
		$forms = self::choices( $chosen );
		foreach ( $forms as $form_id => $form ) {
			echo '<fieldset style="margin-bottom:1em"><legend style="padding:0"><strong>' . esc_html( $form['title'] ) . '</strong></legend>';
			foreach ( $form['fields'] as $name => $label ) {
				echo '<label><input type="checkbox" name="' . esc_attr( "fields[$form_id][$name]" ) . '" value="1"' . checked( in_array( $name, $chosen[ $form_id ] ?? array(), true ), true, false ) . '> ' . esc_html( $label ) . '</label><br>';
			}
			echo '</fieldset>';
		}
		echo '<p class="description">' . esc_html( $forms ? __( 'Answers to send. Without any, the message has no personal data.', 'pillion' ) : __( 'There is no form yet, so no answers can be chosen.', 'pillion' ) ) . '</p>';
	}
}
