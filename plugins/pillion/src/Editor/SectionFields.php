<?php
/**
 * The fields of each section, and the sanitisation of block attributes.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

final class SectionFields {

	/** Kinds that are read as another kind. A list is read by the block name of its items. */
	const READ_AS = array( 'paragraphs' => 'inline', 'drawing' => 'svg', 'form' => 'id' );

	/** Marks in a headline: `em` is the second typeface, `mark` the quieter colour. */
	const INLINE = array( 'em' => array(), 'strong' => array(), 'mark' => array(), 'br' => array() );

	/**
	 * Fields of every section block.
	 *
	 * @return array<string, array<string, string>> Kind by member by block name. Kinds: `text`, `inline`, `rows`, `id`,
	 * `picture`, `film`, `svg`, or the name of an inner block for a list of those.
	 */
	public static function sections(): array {
		$sections = array_filter( Declarations::blocks(), static fn( array $block ): bool => ! isset( $block['parent'] ) );
		/**
		 * Lets a plugin add sections: register the block, add its fields here, and add a section of that type (the
		 * block's name after the slash) to the site's front end.
		 *
		 * @param array $sections Kind by member by block name.
		 */
		return (array) apply_filters( 'pillion_sections', array_map( array( self::class, 'field_kinds' ), $sections ) );
	}

	/** @return array<string, array<string, string>> As in sections(): fields of blocks inside a section. */
	public static function items(): array {
		static $items = null;
		if ( null === $items ) {
			$items = array_filter( Declarations::blocks(), static fn( array $block ): bool => isset( $block['parent'] ) );
			$items = array_map( array( self::class, 'field_kinds' ), $items );
		}
		return $items;
	}

	/** @return array<string, string> Kinds of a declaration's fields, as in sections(). */
	private static function field_kinds( array $declaration ): array {
		return array_map(
			static fn( array $field ): string => 'list' === $field['kind'] ? 'pillion/' . $field['of'] : self::READ_AS[ $field['kind'] ] ?? $field['kind'],
			$declaration['fields']
		);
	}

	/**
	 * Values of a block. Each field is present and has the right type.
	 *
	 * @param array<string, string> $fields Kind by member.
	 * @param array                 $block  As from parse_blocks(); without `innerBlocks`, its lists are empty.
	 */
	public static function read( array $fields, array $block ): array {
		$attributes = Data::to_array( $block['attrs'] ?? null );
		$items      = self::items();
		$values     = array();
		foreach ( $fields as $member => $kind ) {
			$values[ $member ] = isset( $items[ $kind ] )
				? self::read_items( $kind, $items[ $kind ], $block )
				: self::value( $kind, $attributes[ $member ] ?? null );
		}
		$drawings = array_intersect_key( $values, array_flip( array_keys( $fields, 'svg', true ) ) );
		if ( '' !== implode( '', $drawings ) ) {
			// A drawing is placed on the middle of the picture, which therefore has no focal point.
			return $values;
		}
		foreach ( array_keys( $fields, 'picture', true ) as $member ) {
			$point = self::focal_point( $attributes[ self::focal_point_of( $member ) ] ?? null );
			if ( $point && $values[ $member ] ) {
				$values[ $member ]['focal_point'] = $point;
			}
		}
		return $values;
	}

	/**
	 * Attribute with the focal point of a picture. blocks/shared/pictures.ts has the same.
	 *
	 * @param string $member Attribute with the picture.
	 */
	public static function focal_point_of( string $member ): string {
		return $member . 'FocalPoint';
	}

	/**
	 * The point of a picture that stays visible when the picture is cropped.
	 *
	 * @param mixed $value The attribute of the block.
	 * @return array{x: float, y: float}|null Fractions from the left and from the top; null if invalid.
	 */
	private static function focal_point( $value ): ?array {
		$point = array();
		foreach ( array( 'x', 'y' ) as $axis ) {
			$fraction = Data::to_array( $value )[ $axis ] ?? null;
			if ( ! is_numeric( $fraction ) ) {
				return null;
			}
			$point[ $axis ] = round( min( 1, max( 0, (float) $fraction ) ), 2 );
		}
		return $point;
	}

	/**
	 * One attribute, sanitised by its kind. An invalid value becomes the kind's empty value.
	 *
	 * @param string $kind  See sections().
	 * @param mixed  $value The attribute of the block.
	 */
	private static function value( string $kind, $value ) {
		switch ( $kind ) {
			case 'inline':
				return self::inline( $value );
			case 'rows':
				return self::label_rows( $value );
			case 'id':
				return self::id( $value );
			case 'picture':
				return SectionPictures::read( self::id( $value ) );
			case 'film':
				return SectionPictures::read_film( self::id( $value ) );
			case 'svg':
				return self::svg( $value );
			default:
				return self::text( $value );
		}
	}

	/**
	 * Plain text without markup; entities become characters.
	 *
	 * @param mixed $value The attribute of the block.
	 */
	public static function text( $value ): string {
		if ( ! is_scalar( $value ) || is_bool( $value ) ) {
			return '';
		}
		return trim( html_entity_decode( wp_strip_all_tags( (string) $value ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ) );
	}

	/**
	 * HTML with only the marks of INLINE, without attributes, and all closed.
	 *
	 * @param mixed $value The attribute of the block.
	 */
	private static function inline( $value ): string {
		if ( ! is_scalar( $value ) || is_bool( $value ) ) {
			return '';
		}
		$html = (string) preg_replace( '#<(script|style)\b[^>]*>.*?</\1\s*>#si', '', (string) $value );
		$html = force_balance_tags( wp_kses( self::replace_old_marks( $html ), self::INLINE ) );
		return trim( (string) preg_replace( '#<br\s*/?>#', '<br>', $html ) );
	}

	/**
	 * A drawing as pasted. WordPress does not show it, and the site uses its shapes only (decision 004).
	 *
	 * @param mixed $value The attribute of the block.
	 */
	private static function svg( $value ): string {
		$svg = is_string( $value ) ? trim( $value ) : '';
		return strlen( $svg ) <= Declarations::longest_drawing() && false !== stripos( $svg, '<svg' ) ? $svg : '';
	}

	/** Replaces `i` and `b`, for example in pasted text, with `em` and `strong`. */
	private static function replace_old_marks( string $html ): string {
		$html = (string) preg_replace( '#<(/?)i(?=[\s>])#i', '<$1em', $html );
		return (string) preg_replace( '#<(/?)b(?=[\s>])#i', '<$1strong', $html );
	}

	/**
	 * Pairs of label and value, without empty pairs.
	 *
	 * @param mixed $value The attribute of the block.
	 * @return array<int, array{label: string, value: string}>
	 */
	private static function label_rows( $value ): array {
		$rows = array();
		foreach ( Data::to_array( $value ) as $row ) {
			$row = Data::to_array( $row );
			$row = array( 'label' => self::text( $row['label'] ?? '' ), 'value' => self::text( $row['value'] ?? '' ) );
			if ( '' !== $row['label'] . $row['value'] ) {
				$rows[] = $row;
			}
		}
		return $rows;
	}

	/**
	 * A positive id, from a number, a string of digits or `{"id": …}`; 0 if invalid.
	 *
	 * @param mixed $value The attribute of the block.
	 */
	public static function id( $value ): int {
		if ( is_array( $value ) ) {
			$value = $value['id'] ?? 0;
		}
		return is_numeric( $value ) && $value >= 1 && $value <= PHP_INT_MAX ? (int) $value : 0;
	}

	/**
	 * Inner blocks of one name as items. Other inner blocks are left out.
	 *
	 * @param string                $name   Of the block.
	 * @param array<string, string> $fields Kind by member.
	 * @return array[]
	 */
	private static function read_items( string $name, array $fields, array $block ): array {
		$items = array();
		foreach ( $block['innerBlocks'] ?? array() as $inner ) {
			if ( $name === $inner['blockName'] ) {
				$items[] = self::read( $fields, $inner );
			}
		}
		return $items;
	}
}
