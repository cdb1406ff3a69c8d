<?php
/**
 * Reads `blocks/sections.json`: the site's sections and templates. The site's build writes this file from the sources of
 * the site, so both sides have the same declarations.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

final class Declarations {

	/** Members with texts for editors; `scripts/translations.mjs` has the same lists. In a group every string is a text. */
	const TEXTS  = array( 'title', 'description', 'label', 'placeholder', 'help', 'hint', 'guide', 'add' );
	const GROUPS = array( 'keywords', 'names', 'example' );

	/** Used for members that the file lacks, and if it cannot be read. */
	const EMPTY = array(
		'sections'       => array(),
		'items'          => array(),
		'templates'      => array(),
		'editStyles'     => array(),
		'longestDrawing' => 0,
	);

	/** @var array|null The file; null before the first use. */
	private static $file = null;

	/** @var array<string, array>|null Result of blocks(); null before the first use. */
	private static $blocks = null;

	/**
	 * Sections and items as blocks, in the order of the inserter: after each section its items.
	 *
	 * @return array<string, array> Declaration by block name. Only items have `parent`, the name of their section.
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

	/** @return array<string, string> Titles of the page templates by their name, such as `landing`. */
	public static function templates(): array {
		return self::file()['templates'];
	}

	/** Longest drawing in characters. */
	public static function longest_drawing(): int {
		return (int) self::file()['longestDrawing'];
	}

	/** @return string[] Names of the sections that have a stylesheet for the editor. */
	public static function edit_styles(): array {
		return self::file()['editStyles'];
	}

	/** Data for the editor's scripts. */
	public static function for_editor(): array {
		return array(
			'sections'       => self::translate_texts( self::file()['sections'] ),
			'items'          => self::translate_texts( self::file()['items'] ),
			'longestDrawing' => self::longest_drawing(),
		);
	}

	/**
	 * Declarations in the editor's language, as far as the plugin has translations.
	 *
	 * @param array $declared In English.
	 * @param bool  $is_group Whether it is in one of GROUPS.
	 */
	public static function translate_texts( array $declared, bool $is_group = false ): array {
		foreach ( $declared as $key => $value ) {
			if ( is_array( $value ) ) {
				$declared[ $key ] = self::translate_texts( $value, $is_group || in_array( $key, self::GROUPS, true ) );
			} elseif ( is_string( $value ) && '' !== $value && ( $is_group || in_array( $key, self::TEXTS, true ) ) ) {
				$declared[ $key ] = translate( $value, 'pillion' ); // phpcs:ignore WordPress.WP.I18n -- sections.json has the text.
			}
		}
		return $declared;
	}

	/** The whole file. An update of the plugin may have copied only part of it. */
	private static function file(): array {
		if ( null === self::$file ) {
			self::$file = Data::file( 'blocks/sections.json' ) + self::EMPTY;
		}
		return self::$file;
	}
}
