<?php
/**
 * What the site declares of its sections and templates. The file is written by the site's build from its own sources, so
 * both sides read the same declaration.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

/** Reads `blocks/sections.json`. */
final class Declarations {

	/** @var array|null The file, once it was read. */
	private static $file = null;

	/** @var array<string, array>|null See blocks(), once they were put in order. */
	private static $blocks = null;

	/**
	 * Sections and items as blocks, each section followed by its items: the order the inserter shows them in.
	 *
	 * @return array<string, array> Block name => declaration, an item's with the name of its section as `parent`.
	 */
	public static function blocks(): array {
		if ( null !== self::$blocks ) {
			return self::$blocks;
		}
		self::$blocks = array();
		foreach ( self::file()['sections'] as $name => $section ) {
			if ( ! empty( $section['isOfWordPress'] ) ) {
				continue;
			}
			self::$blocks[ "pillion/$name" ] = $section;
			foreach ( $section['fields'] as $field ) {
				if ( 'list' === $field['kind'] ) {
					self::$blocks[ 'pillion/' . $field['of'] ] = self::file()['items'][ $field['of'] ];
				}
			}
		}
		return self::$blocks;
	}

	/** @return array<string, string> Titles of the page templates, by the site's name. */
	public static function templates(): array {
		return self::file()['templates'];
	}

	/** Longest drawing in characters. */
	public static function longest_drawing(): int {
		return (int) self::file()['longestDrawing'];
	}

	/** @return string[] Names of the sections with own styles in the editor. */
	public static function edit_styles(): array {
		return self::file()['editStyles'];
	}

	/** What the editor's scripts have to know. */
	public static function for_editor(): array {
		return array(
			'sections'       => self::translate_texts( self::file()['sections'] ),
			'items'          => self::translate_texts( self::file()['items'] ),
			'longestDrawing' => self::longest_drawing(),
		);
	}

	/** Members with texts for editors; `scripts/translations.mjs` has the same lists. In a group every string is a text. */
	const TEXTS  = array( 'title', 'description', 'label', 'placeholder', 'help', 'hint', 'guide', 'add' );
	const GROUPS = array( 'keywords', 'names', 'example' );

	/**
	 * Declarations in the editor's language, as far as the plugin has translations.
	 *
	 * @param array $declared In English.
	 * @param bool  $is_text  Whether every string in it is a text.
	 */
	public static function translate_texts( array $declared, bool $is_text = false ): array {
		foreach ( $declared as $key => $value ) {
			if ( is_array( $value ) ) {
				$declared[ $key ] = self::translate_texts( $value, $is_text || in_array( $key, self::GROUPS, true ) );
			} elseif ( is_string( $value ) && '' !== $value && ( $is_text || in_array( $key, self::TEXTS, true ) ) ) {
				$declared[ $key ] = translate( $value, 'pillion' ); // phpcs:ignore WordPress.WP.I18n -- sections.json has the text.
			}
		}
		return $declared;
	}

	/** The content of a file that cannot be read. Pages stay as they are. */
	const EMPTY = array(
		'sections'       => array(),
		'items'          => array(),
		'templates'      => array(),
		'editStyles'     => array(),
		'longestDrawing' => 0,
	);

	/** The whole file; members that it lacks are empty. It may be half copied while the plugin is updated. */
	private static function file(): array {
		if ( null === self::$file ) {
			self::$file = Data::file( 'blocks/sections.json' ) + self::EMPTY;
		}
		return self::$file;
	}
}
