<?php
/**
 * Fields for the texts of the site, declared in `data/texts.json`, and the validation of each kind of value.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;
use Pillion\Lib\Language;

/**
 * @phpstan-import-type Field from Strings
 * @phpstan-type Declared array{kind: string, label?: string, help?: string, default: mixed, isOwn?: bool, isOptional?: bool, least?: int, choices?: array<string, string>}
 */
final class StringFields {
	/**
	 * @var array<string, array{label: string, texts: array<string, Declared>}>|null The declarations; null until the
	 * file is read.
	 */
	private static $declarations = null;

	/**
	 * Groups of texts from `data/texts.json`, by name. Empty if the file cannot be read, for example while an update
	 * copies it.
	 *
	 * @return array<string, array{label: string, texts: array<string, Declared>}>
	 */
	public static function declarations(): array {
		if ( null === self::$declarations ) {
			self::$declarations = Data::file( 'data/texts.json' )['groups'] ?? array();
		}
		return self::$declarations;
	}

	/**
	 * Fields by their path in the `Strings` type of the site, in the order of the settings page. `links` are separate,
	 * because editors choose their names.
	 *
	 * @return array<string, Field>
	 */
	public static function all(): array {
		return array_merge( array(), ...array_column( self::groups(), 'fields' ) );
	}

	/**
	 * Default texts of a language, by path: `pt-BR` has those of `pt`. Empty if the kit does not have the language.
	 *
	 * @param string $lang A listed tag, which is safe in the name of a file.
	 * @return array<string, string>
	 */
	public static function defaults( string $lang ): array {
		$primary = Language::primary( $lang );
		if ( 'en' === $primary ) {
			return self::english_texts();
		}
		return array_map( 'strval', Data::file( "data/texts/$primary.json" ) );
	}

	/**
	 * Texts that visitors read, by path. The brand's own texts, numbers, choices and addresses have no language.
	 *
	 * @return array<string, string>
	 */
	public static function english_texts(): array {
		$texts = array();
		foreach ( self::declarations() as $group => $declared ) {
			foreach ( $declared['texts'] as $name => $text ) {
				$path = '' === $group ? $name : "$group.$name";
				if ( 'link' === $text['kind'] ) {
					$texts[ "$path.title" ] = (string) $text['default']['title'];
				} elseif ( in_array( $text['kind'], array( 'text', 'lines' ), true ) && empty( $text['isOwn'] ) && empty( $text['isOptional'] ) ) {
					$texts[ $path ] = (string) $text['default'];
				}
			}
		}
		return $texts;
	}

	/**
	 * Fields by path in their groups, with translated labels.
	 *
	 * @param string $lang The defaults are in this language; in English if the kit does not have it.
	 * @return array<int, array{title: string, fields: array<string, Field>}>
	 */
	public static function groups( string $lang = 'en' ): array {
		$groups   = array();
		$defaults = self::defaults( $lang );
		foreach ( self::declarations() as $group => $declared ) {
			$fields = array();
			foreach ( $declared['texts'] as $name => $text ) {
				$path    = '' === $group ? $name : "$group.$name";
				$fields += 'link' === $text['kind'] ? self::link_fields( $path, $text['default'] ) : array( $path => self::to_field( $text ) );
			}
			foreach ( array_intersect_key( $defaults, $fields ) as $path => $text ) {
				$fields[ $path ]['default'] = $text;
			}
			$groups[] = array(
				'title'  => self::translate_declared( $declared['label'] ),
				'fields' => $fields,
			);
		}
		return $groups;
	}

	/**
	 * The field of a declared text, with translated labels. The brand must fill in a text that `isOwn`, so its default is
	 * not offered.
	 *
	 * @param Declared $text
	 * @return Field
	 */
	private static function to_field( array $text ): array {
		$text['label']   = self::translate_declared( $text['label'] );
		$text['help']    = isset( $text['help'] ) ? self::translate_declared( $text['help'] ) : '';
		$text['choices'] = array_map( array( self::class, 'translate_declared' ), $text['choices'] ?? array() );
		$text['default'] = empty( $text['isOwn'] ) ? (string) $text['default'] : '';
		return $text;
	}

	/** A declared text in the editor's language, if the plugin has a translation. */
	private static function translate_declared( string $text ): string {
		return translate( $text, 'pillion' ); // phpcs:ignore WordPress.WP.I18n -- declared texts are read, not written here.
	}

	/** Schema of the option for core's settings endpoint. Null clears a member. */
	public static function schema(): array {
		$properties = array();
		foreach ( self::all() as $path => $field ) {
			$place = &$properties;
			$keys  = explode( '.', $path );
			$last  = array_pop( $keys );
			foreach ( $keys as $key ) {
				$place[ $key ]['type'] = 'object';
				$place                 = &$place[ $key ]['properties'];
			}
			$place[ $last ] = array(
				'type'        => array( 'number' === $field['kind'] ? 'integer' : 'string', 'null' ),
				'description' => $field['label'],
			);
			unset( $place );
		}
		$properties['links'] = array(
			'type'                 => 'object',
			'additionalProperties' => array( 'type' => 'string' ),
		);
		return array(
			'type'       => 'object',
			'properties' => $properties,
		);
	}

	/**
	 * @param Field $field
	 * @return array{value: string|int|null, problem: string|null} A null value without a problem: the field is empty.
	 */
	public static function validate( array $field, $raw ): array {
		if ( null === $raw || '' === $raw ) {
			return self::valid( null );
		}
		if ( ! is_scalar( $raw ) || is_bool( $raw ) ) {
			/* translators: %s: name of a field */
			return self::invalid( sprintf( __( '%s: enter a text.', 'pillion' ), $field['label'] ) );
		}
		$text  = self::clean_text( (string) $raw, 'lines' === $field['kind'] || 'svg' === $field['kind'] );
		$limit = Strings::MAX_LENGTHS[ $field['kind'] ] ?? Strings::MAX_LENGTH_OTHERS;
		if ( mb_strlen( $text ) > $limit ) {
			/* translators: 1: name of a field, 2: a number */
			return self::invalid( sprintf( __( '%1$s: the text can have up to %2$d characters.', 'pillion' ), $field['label'], $limit ) );
		}
		return '' === $text ? self::valid( null ) : self::validate_kind( $field, $text );
	}

	/**
	 * Named addresses. The settings page sends a row per link and one more, `{ name, address }`, for a new one.
	 *
	 * @param array<mixed>          $raw    Addresses by name.
	 * @param array<string, string> $stored Kept if the new address is invalid.
	 * @return array{values: array<string, string>, problems: array<string, string>}
	 */
	public static function validate_links( array $raw, array $stored ): array {
		$values   = array();
		$problems = array();
		foreach ( $raw as $name => $address ) {
			if ( is_array( $address ) ) {
				$name    = is_scalar( $address['name'] ?? '' ) ? trim( (string) ( $address['name'] ?? '' ) ) : '';
				$address = $address['address'] ?? '';
				if ( '' === $name && '' === $address ) {
					continue;
				}
			}
			$label = (string) $name;
			if ( ! preg_match( '/^[A-Za-z][\w-]{0,40}$/', $label ) ) {
				/* translators: %s: what was typed */
				$problems['links'] = sprintf( __( 'Link “%s”: a name can contain letters, digits, - and _, and must start with a letter.', 'pillion' ), $label );
				continue;
			}
			$result = self::validate( array( 'kind' => 'address', 'label' => $label ), $address );
			if ( null !== $result['problem'] ) {
				$problems[ "links.$label" ] = $result['problem'];
				$result['value']            = $stored[ $label ] ?? null;
			}
			if ( null !== $result['value'] ) {
				$values[ $label ] = (string) $result['value'];
			}
		}
		return compact( 'values', 'problems' );
	}

	/**
	 * Validates a text by the kind of its field. An unknown choice counts as empty. A `number` becomes an integer, a
	 * `count` a string of digits without leading zeros.
	 *
	 * @param Field  $field
	 * @param string $text  Cleaned, not empty.
	 * @return array{value: string|int|null, problem: string|null} As of `validate`.
	 */
	private static function validate_kind( array $field, string $text ): array {
		switch ( $field['kind'] ) {
			case 'number':
				return ctype_digit( $text ) && (int) $text >= $field['least']
					? self::valid( (int) $text )
					/* translators: 1: name of a field, 2: a number */
					: self::invalid( sprintf( __( '%1$s: enter a whole number of at least %2$d.', 'pillion' ), $field['label'], $field['least'] ) );
			case 'count':
				return ctype_digit( $text ) && strlen( $text ) <= 9 && (int) $text >= $field['least']
					? self::valid( (string) (int) $text )
					/* translators: 1: name of a field, 2: a number */
					: self::invalid( sprintf( __( '%1$s: enter a whole number of at least %2$d, with up to nine digits.', 'pillion' ), $field['label'], $field['least'] ) );
			case 'choice':
				return self::valid( isset( $field['choices'][ $text ] ) ? $text : null );
			case 'svg':
				return self::is_svg( $text )
					? self::valid( $text )
					/* translators: %s: name of a field */
					: self::invalid( sprintf( __( '%s: enter well-formed SVG markup with a viewBox and without scripts.', 'pillion' ), $field['label'] ) );
			case 'address':
			case 'audio':
				return self::is_address( $text )
					? self::valid( $text )
					/* translators: 1: name of a field, 2: what was typed */
					: self::invalid( sprintf( __( '%1$s: “%2$s” is not an address. It must begin with /, #, https://, http://, mailto: or tel:.', 'pillion' ), $field['label'], $text ) );
			default:
				return self::valid( $text );
		}
	}

	/** The text as typed, without invalid UTF-8, control characters and surrounding space. */
	private static function clean_text( string $text, bool $keep_lines ): string {
		$text = str_replace( array( "\r\n", "\r" ), "\n", wp_check_invalid_utf8( $text, true ) );
		$text = (string) preg_replace( '/[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]/', '', $text );
		return trim( $keep_lines ? $text : str_replace( "\n", ' ', $text ) );
	}

	/** A path of the site, an anchor, or a URL with one of the allowed schemes; none of them can run scripts. */
	private static function is_address( string $text ): bool {
		if ( preg_match( '/[\s<>"\\\\]/', $text ) || 0 === strpos( $text, '//' ) ) {
			return false;
		}
		return (bool) preg_match( '~^(/|#|https?://[^/]+|mailto:.+@.+|tel:\+?[\d().-]+)~i', $text );
	}

	/** The site needs the `viewBox` for the proportions. */
	private static function is_svg( string $text ): bool {
		if ( ! preg_match( '/^(<\?xml[^>]*>\s*)?<svg\s([^>]*\s)?viewBox\s*=/', $text ) || preg_match( '/<script|<foreignObject|<!ENTITY|<!DOCTYPE|\son\w+\s*=|javascript:/i', $text ) ) {
			return false;
		}
		if ( ! function_exists( 'simplexml_load_string' ) ) {
			return true;
		}
		$before = libxml_use_internal_errors( true );
		$tree   = simplexml_load_string( $text, 'SimpleXMLElement', LIBXML_NONET );
		libxml_clear_errors();
		libxml_use_internal_errors( $before );
		return false !== $tree;
	}

	/**
	 * Three fields for a link.
	 *
	 * @param array{title: string, url: string} $default_link
	 * @return array<string, Field>
	 */
	private static function link_fields( string $path, array $default_link ): array {
		return array(
			"$path.title"  => array(
				'kind'    => 'text',
				'label'   => __( 'Title of the link', 'pillion' ),
				'default' => $default_link['title'],
			),
			"$path.url"    => array(
				'kind'    => 'address',
				'label'   => __( 'Address of the link', 'pillion' ),
				'default' => $default_link['url'],
			),
			"$path.target" => array(
				'kind'    => 'choice',
				'label'   => __( 'Opens', 'pillion' ),
				'choices' => array(
					''       => __( 'In the same tab', 'pillion' ),
					'_blank' => __( 'In a new tab', 'pillion' ),
				),
			),
		);
	}

	/**
	 * @param string|int|null $value
	 * @return array{value: string|int|null, problem: null}
	 */
	private static function valid( $value ): array {
		return array( 'value' => $value, 'problem' => null );
	}

	/** @return array{value: null, problem: string} */
	private static function invalid( string $problem ): array {
		return array( 'value' => null, 'problem' => $problem );
	}
}
