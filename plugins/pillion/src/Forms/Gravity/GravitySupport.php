<?php
/**
 * How the site supports each kind of field and each setting of Gravity Forms, for *Pillion → Forms*, the form
 * description and the documentation. Kinds with a row in FieldTypes work. data/gravity-forms.json lists all others, and
 * the kinds that work with a difference.
 */

namespace Pillion\Forms\Gravity;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\FieldTypes;
use Pillion\Lib\Data;

/**
 * @phpstan-type Row array{level: 'works'|'differs'|'left-out', then: string}
 * @phpstan-type Finding array{field: int|null, label: string, what: string, level: string, then: string, blocks: bool}
 */
final class GravitySupport {
	const WORKS    = 'works';
	const LEFT_OUT = 'left-out';

	/** Captchas, which visitors of the site cannot answer. */
	const CAPTCHAS = array( 'captcha', 'turnstile' );

	/** @var array<string, mixed>|null */
	private static $table = null;

	/** @return array{kinds: array<string, Row>, settings: array<string, Row>, other: Row} */
	public static function table(): array {
		if ( null === self::$table ) {
			self::$table = Data::file( 'data/gravity-forms.json' );
		}
		return self::$table + array(
			'kinds'    => array(),
			'settings' => array(),
			'other'    => array(
				'level' => self::LEFT_OUT,
				'then'  => '',
			),
		);
	}

	/** @return Finding[] Parts of a form that do not work as on Gravity Forms' own page. */
	public static function findings_for( array $form ): array {
		$findings = array();
		foreach ( (array) ( $form['fields'] ?? array() ) as $field ) {
			$field = (array) $field;
			if ( 'administrative' === ( $field['visibility'] ?? '' ) ) {
				continue;
			}
			$kind = self::support_of( $field );
			if ( self::WORKS !== $kind['level'] ) {
				$findings[] = self::finding( $field, (string) ( $field['type'] ?? '' ), $kind );
			}
			foreach ( self::LEFT_OUT === $kind['level'] ? array() : self::used_settings( $field ) as $setting ) {
				$findings[] = self::finding( $field, $setting, self::table()['settings'][ $setting ] );
			}
		}
		foreach ( self::used_form_settings( $form ) as $setting ) {
			$findings[] = self::finding( array(), $setting, self::table()['settings'][ $setting ] );
		}
		return $findings;
	}

	/** @return Row How the site supports the kind of a field, without its settings. */
	public static function support_of( array $field ): array {
		$type  = (string) ( $field['type'] ?? '' );
		$table = self::table();
		if ( in_array( $type, FieldTypes::CHOICE_TYPES, true ) && ! in_array( $field['inputType'] ?? '', array( 'radio', 'checkbox' ), true ) ) {
			return $table['other'];
		}
		$row = $table['kinds'][ $type ] ?? ( FieldTypes::row( $type ) ? array( 'level' => self::WORKS ) : $table['other'] );
		return $row + array( 'then' => '' );
	}

	/** @return string[] Names of the field's settings that the table lists. */
	private static function used_settings( array $field ): array {
		$has = array(
			'calculation'  => ! empty( $field['enableCalculation'] ),
			'noDuplicates' => ! empty( $field['noDuplicates'] ),
			'richText'     => ! empty( $field['useRichTextEditor'] ),
			'inputMask'    => ! empty( $field['inputMask'] ) && ! empty( $field['inputMaskValue'] ),
			'selectAll'    => ! empty( $field['enableSelectAll'] ),
		);
		return array_keys( array_filter( $has ) );
	}

	/** @return string[] Names of the form's own settings that the table lists. */
	private static function used_form_settings( array $form ): array {
		$has = array(
			'limitEntries' => ! empty( $form['limitEntries'] ),
			'requireLogin' => ! empty( $form['requireLogin'] ),
			'save'         => ! empty( $form['save']['enabled'] ),
			'submitImage'  => 'image' === ( $form['button']['type'] ?? '' ),
		);
		return array_keys( array_filter( $has ) );
	}

	/**
	 * @param array<string, mixed> $field Empty: a setting of the form.
	 * @param Row                  $row
	 * @return Finding
	 */
	private static function finding( array $field, string $what, array $row ): array {
		return array(
			'field'  => $field ? (int) ( $field['id'] ?? 0 ) : null,
			'label'  => $field ? FieldTypes::label( $field ) : '',
			'what'   => $what,
			'level'  => $row['level'],
			'then'   => (string) ( $row['then'] ?? '' ),
			// A required field that visitors do not see: Gravity Forms would reject every sign-up.
			'blocks' => self::LEFT_OUT === $row['level'] && ! empty( $field['isRequired'] ),
		);
	}
}
