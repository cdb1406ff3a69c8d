<?php
/**
 * Converts a form between the format of Gravity Forms and the form screen.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

final class FormInput {
	/** @return array<string, mixed> Values of the controls for a stored form. */
	public static function from_form( array $form ): array {
		$thanks = Forms::default_confirmation( $form );
		return array(
			'title'     => (string) ( $form['title'] ?? '' ),
			'submit'    => (string) ( $form['button']['text'] ?? '' ),
			'firstPage' => (string) ( $form['pagination']['pages'][0] ?? '' ),
			'back'      => (string) ( $form['lastPageButton']['text'] ?? '' ),
			'notify'    => Notification::recipients( $form ),
			'thanks'    => array_map( 'strval', array_filter( $thanks, 'is_scalar' ) ),
			'fields'    => array_map( array( FieldInput::class, 'from_field' ), $form['fields'] ?? array() ),
		);
	}

	/**
	 * The form in the format of Gravity Forms. Settings that the screen does not know stay unchanged.
	 *
	 * @param array<string, mixed> $typed  Without problems.
	 * @param array<string, mixed> $before The stored form, or one with an id only.
	 */
	public static function to_form( array $typed, array $before ): array {
		$id     = (int) $before['id'];
		$stored = array_column( $before['fields'] ?? array(), null, 'id' );
		$fields = array();
		$pages  = array( FieldInput::text( $typed, 'firstPage' ) );
		foreach ( Data::rows( $typed['fields'] ?? null ) as $field ) {
			$stored_field  = $stored[ (int) $field['id'] ] ?? array();
			$is_same_field = ( $stored_field['type'] ?? '' ) === $field['type'];
			$fields[]      = array( 'pageNumber' => count( $pages ) ) + FieldInput::to_field( $field, $is_same_field ? $stored_field : array(), $id );
			if ( 'page' === $field['type'] ) {
				$pages[] = FieldInput::text( $field, 'label' );
			}
		}
		return array(
			'title'          => FieldInput::text( $typed, 'title' ),
			'button'         => array( 'text' => FieldInput::text( $typed, 'submit' ) ) + (array) ( $before['button'] ?? array() ) + array( 'type' => 'text' ),
			'fields'         => $fields,
			'pagination'     => count( $pages ) > 1 ? array( 'type' => 'steps', 'pages' => $pages ) + (array) ( $before['pagination'] ?? array() ) : null,
			'lastPageButton' => array(
				'type' => 'text',
				'text' => FieldInput::text( $typed, 'back' ),
			),
			// A number is not used again, because stored answers refer to it.
			'nextFieldId'    => max( (int) ( $before['nextFieldId'] ?? 1 ), 1 + max( wp_list_pluck( $fields, 'id' ) ) ),
			'confirmations'  => self::confirmations( (array) ( $typed['thanks'] ?? array() ), $before ),
			'notifications'  => Notification::to_notifications( FieldInput::text( $typed, 'notify' ), $before ),
		) + $before + array(
			'description'       => '',
			'labelPlacement'    => 'top_label',
			'enableHoneypot'    => true,
			'requiredIndicator' => 'text',
			'is_active'         => '1',
			'is_trash'          => '0',
		);
	}

	/**
	 * @param array<string, mixed> $thanks The typed confirmation, which replaces the default one.
	 * @param array<string, mixed> $before The stored form.
	 * @return array<string, array<string, mixed>>
	 */
	private static function confirmations( array $thanks, array $before ): array {
		$stored = Data::rows( $before['confirmations'] ?? null );
		$key    = (string) ( array_key_first( wp_list_filter( $stored, array( 'isDefault' => true ) ) ) ?? 'default' );
		$type   = (string) ( $thanks['type'] ?? 'message' );
		$new    = array(
			'id'        => $key,
			'name'      => 'Default Confirmation',
			'isDefault' => true,
			'type'      => in_array( $type, array( 'message', 'page', 'redirect' ), true ) ? $type : 'message',
			'message'   => wp_kses_post( FieldInput::text( $thanks, 'message' ) ),
			'url'       => FieldInput::text( $thanks, 'url' ),
			'pageId'    => (int) ( $thanks['pageId'] ?? 0 ),
		);
		return array( $key => $new + ( $stored[ $key ] ?? array() ) + array( 'queryString' => '' ) ) + $stored;
	}

	/** A new form: fields for name and email address. */
	public static function new_form(): array {
		$field = static function ( int $id, string $type, string $label ): array {
			return array(
				'id'         => $id,
				'type'       => $type,
				'label'      => $label,
				'isRequired' => true,
			);
		};
		return array(
			'title'         => '',
			'button'        => array( 'text' => __( 'Send', 'pillion' ) ),
			'fields'        => array( $field( 1, 'text', __( 'Name', 'pillion' ) ), $field( 2, 'email', __( 'Email', 'pillion' ) ) ),
			'confirmations' => array( 'default' => array( 'type' => 'message', 'message' => __( 'Thank you. We have received your answers.', 'pillion' ), 'isDefault' => true ) ),
		);
	}
}
