<?php
/**
 * The screen on which an editor edits a form.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Data;

final class FormScreen {
	/** @var array<string, mixed> */
	private $typed;

	/** @var array<string, string> */
	private $problems;

	/**
	 * @param array<string, mixed>  $typed    Values of the controls (`FormInput::from_form`), or rejected values as typed.
	 * @param array<string, string> $problems By path.
	 */
	public function __construct( array $typed, array $problems ) {
		$this->typed    = $typed;
		$this->problems = $problems;
	}

	/**
	 * @param int                  $id      0: a new form.
	 * @param string               $version Of the stored form, to detect a change by another editor.
	 * @param array<string, mixed> $stored  The stored form.
	 */
	public function render( int $id, string $version, array $stored ): void {
		$this->render_summary();
		echo '<form method="post" class="pillion-form" data-pillion-form data-next="' . $this->next_field_id( $stored ) . '"' . ( $this->problems ? ' data-unsaved' : '' ) . '>';
		wp_nonce_field( FormsPage::PAGE );
		echo '<input type="hidden" name="do" value="save"><input type="hidden" name="id" value="' . (int) $id . '"><input type="hidden" name="version" value="' . esc_attr( $version ) . '">';
		$this->render_line( 'title', __( 'Name of the form', 'pillion' ) );
		$this->render_fields();
		$this->render_sending();
		$this->render_confirmation( (array) ( $this->typed['thanks'] ?? array() ) );
		// The last control: if it is missing in the request, the server has cut off fields too.
		echo '<input type="hidden" name="end" value="1">';
		submit_button( __( 'Save form', 'pillion' ) );
		echo '</form>';
		$this->render_templates();
	}

	/** @return int Higher than the ids of all present and deleted fields. */
	private function next_field_id( array $stored ): int {
		$ids   = array_map( 'intval', wp_list_pluck( Data::rows( $this->typed['fields'] ?? null ), 'id' ) );
		$ids[] = (int) ( $stored['nextFieldId'] ?? 1 ) - 1;
		return 1 + max( $ids );
	}

	private function render_summary(): void {
		if ( ! $this->problems ) {
			return;
		}
		// WordPress moves notices without `inline`, and they lose the focus.
		echo '<div class="notice notice-error inline" role="alert" tabindex="-1" data-pillion-summary><p><strong>' . esc_html__( 'The form is not saved yet. Your changes are still here.', 'pillion' ) . '</strong></p><ul>';
		foreach ( $this->problems as $path => $problem ) {
			echo '<li><a href="#' . esc_attr( FormControl::id( (string) $path ) ) . '">' . esc_html( $problem ) . '</a></li>';
		}
		echo '</ul></div>';
	}

	/** A control with a label and one line of text. */
	private function render_line( string $path, string $label, string $help = '' ): void {
		$value = Data::at( $this->typed, $path );
		FormControl::open( $path, $label );
		FormControl::text_input( FormControl::attributes( $path, $help, $this->problems ), is_scalar( $value ) ? (string) $value : '' );
		FormControl::close( $path, $help, $this->problems );
	}

	private function render_fields(): void {
		$sources = $this->condition_sources();
		echo '<h2 id="pillion-fields" tabindex="-1">' . esc_html__( 'Fields', 'pillion' ) . '</h2><ol class="pillion-fields" data-pillion-fields>';
		foreach ( Data::rows( $this->typed['fields'] ?? null ) as $key => $field ) {
			( new FieldControls( (string) $key, $field, $this->problems, $sources ) )->render();
		}
		echo '</ol><p><label for="pillion-new-type" class="screen-reader-text">' . esc_html__( 'Kind of field', 'pillion' ) . '</label><select id="pillion-new-type">';
		echo Admin::options( wp_list_pluck( FieldTypes::all(), 'name' ), '' );
		echo '</select> <button type="button" class="button" data-pillion-add disabled>' . esc_html__( 'Add field', 'pillion' ) . '</button></p>';
	}

	/** @return array<string, string> Labels of the fields that a condition can use, by id. */
	private function condition_sources(): array {
		$labels = array();
		foreach ( Data::rows( $this->typed['fields'] ?? null ) as $field ) {
			if ( FieldTypes::is_condition_source( $field['type'] ?? '' ) ) {
				$labels[ (string) ( $field['id'] ?? '' ) ] = FieldTypes::label( $field );
			}
		}
		return $labels;
	}

	private function render_sending(): void {
		$is_paged = in_array( 'page', wp_list_pluck( Data::rows( $this->typed['fields'] ?? null ), 'type' ), true );
		echo '<h2>' . esc_html__( 'Sending', 'pillion' ) . '</h2><div class="pillion-settings">';
		$this->render_line( 'submit', __( 'Button', 'pillion' ) );
		$this->render_line( 'notify', __( 'Notification goes to', 'pillion' ), __( 'One email per sign-up. Separate several addresses with commas. Leave it empty for no emails.', 'pillion' ) );
		echo '</div><div class="pillion-settings" data-pillion-paged' . ( $is_paged ? '' : ' hidden' ) . '>';
		$this->render_line( 'firstPage', __( 'Name of the first page', 'pillion' ) );
		$this->render_line( 'back', __( 'Button from the last page to the previous one', 'pillion' ) );
		echo '</div>';
	}

	/** @param array<string, mixed> $thanks The default confirmation: type, message, url, pageId. */
	private function render_confirmation( array $thanks ): void {
		$type  = (string) ( $thanks['type'] ?? 'message' );
		$types = array(
			'message'  => __( 'Show a message', 'pillion' ),
			'page'     => __( 'Open a page', 'pillion' ),
			'redirect' => __( 'Open another address', 'pillion' ),
		);
		echo '<h2>' . esc_html__( 'After sign-up', 'pillion' ) . '</h2><div class="pillion-settings">';
		FormControl::open( 'thanks.type', __( 'What happens', 'pillion' ) );
		FormControl::select( FormControl::attributes( 'thanks.type', '', $this->problems ) . ' data-pillion-thanks', $types, $type );
		FormControl::close( 'thanks.type', '', $this->problems );
		echo '</div>';
		foreach ( array_keys( $types ) as $kind ) {
			echo '<div data-pillion-for="' . esc_attr( $kind ) . '"' . ( $kind === $type ? '' : ' hidden' ) . '>';
			$this->render_confirmation_controls( $kind, $thanks );
			echo '</div>';
		}
	}

	/** @param string $kind Type of a confirmation: message, page or redirect. */
	private function render_confirmation_controls( string $kind, array $thanks ): void {
		if ( 'redirect' === $kind ) {
			$this->render_line( 'thanks.url', __( 'Address', 'pillion' ), __( 'https://… or, on this site, /thank-you/', 'pillion' ) );
			return;
		}
		if ( 'page' === $kind ) {
			$titles = array( '' => __( 'Choose a page', 'pillion' ) ) + wp_list_pluck( get_pages(), 'post_title', 'ID' );
			FormControl::open( 'thanks.pageId', __( 'Page', 'pillion' ), true );
			FormControl::select( FormControl::attributes( 'thanks.pageId', '', $this->problems ), $titles, (string) ( $thanks['pageId'] ?? '' ) );
			FormControl::close( 'thanks.pageId', '', $this->problems );
			return;
		}
		$help = __( 'HTML is allowed.', 'pillion' );
		FormControl::open( 'thanks.message', __( 'Message', 'pillion' ), true );
		FormControl::textarea( FormControl::attributes( 'thanks.message', $help, $this->problems ), (string) ( $thanks['message'] ?? '' ), 4 );
		FormControl::close( 'thanks.message', $help, $this->problems );
	}

	/** One empty field of each kind for the screen's script to copy. */
	private function render_templates(): void {
		$sources = $this->condition_sources();
		foreach ( FieldTypes::all() as $type => $row ) {
			$typed = array(
				'id'         => FieldControls::NEW_FIELD,
				'type'       => $type,
				'isNew'      => true,
				'parts'      => $row['default_parts'],
				'size'       => 'medium',
				'isRequired' => $row['required'],
			);
			echo '<template data-pillion-new="' . esc_attr( $type ) . '">';
			( new FieldControls( FieldControls::NEW_FIELD, $typed, array(), $sources ) )->render();
			echo '</template>';
		}
	}
}
