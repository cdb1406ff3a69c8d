<?php
/**
 * What each section is made of, and how an attribute an editor (or anybody else) wrote becomes a value the site can trust.
 */

namespace Pillion\Editor;

/** Reads attributes of a section block against its fields. */
final class SectionFields {

	/** How a declared kind is read, where it is not by its own name; a list is read by the name of its items' block. */
	const READ_AS = array( 'paragraphs' => 'inline', 'drawing' => 'svg', 'form' => 'id' );

	/** Marks a headline may carry: `em` is the turned word, `mark` steps back. */
	const INLINE = array( 'em' => array(), 'strong' => array(), 'mark' => array(), 'br' => array() );

	/**
	 * Fields of every section block.
	 *
	 * @return array<string, array<string, string>> Block name => member => kind: `text`, `inline`, `rows`, `id`,
	 *                                              `picture`, `svg`, or the name of an inner block for a list of those.
	 */
	public static function sections(): array {
		$sections = array_filter( Declarations::blocks(), static fn( array $block ): bool => ! isset( $block['parent'] ) );
		/**
		 * Lets a plugin add sections of its own: register the block, name its fields here, and give the site's front end
		 * a section of that type (the block's name after the slash).
		 *
		 * @param array $sections Block name => member => kind.
		 */
		return (array) apply_filters( 'pillion_sections', array_map( array( self::class, 'kinds' ), $sections ) );
	}

	/**
	 * Fields of blocks that only live inside a section.
	 *
	 * @return array<string, array<string, string>> As sections().
	 */
	public static function items(): array {
		static $items = null;
		if ( null === $items ) {
			$items = array_filter( Declarations::blocks(), static fn( array $block ): bool => isset( $block['parent'] ) );
			$items = array_map( array( self::class, 'kinds' ), $items );
		}
		return $items;
	}

	/**
	 * Kinds of a declaration's fields as sections() names them.
	 *
	 * @param array $declaration See Declarations::blocks().
	 * @return array<string, string>
	 */
	private static function kinds( array $declaration ): array {
		return array_map(
			static fn( array $field ): string => 'list' === $field['kind'] ? 'pillion/' . $field['of'] : self::READ_AS[ $field['kind'] ] ?? $field['kind'],
			$declaration['fields']
		);
	}

	/**
	 * Values of one block, every field present with the right type.
	 *
	 * @param array<string, string> $fields Member => kind.
	 * @param array                 $block  A block as parse_blocks() gives it.
	 * @return array<string, mixed>
	 */
	public static function read( array $fields, array $block ): array {
		$attributes = isset( $block['attrs'] ) && is_array( $block['attrs'] ) ? $block['attrs'] : array();
		$items      = self::items();
		$values     = array();
		foreach ( $fields as $member => $kind ) {
			$values[ $member ] = isset( $items[ $kind ] )
				? self::read_items( $kind, $items[ $kind ], $block )
				: self::value( $kind, $attributes[ $member ] ?? null );
		}
		return $values;
	}

	/**
	 * One attribute as its kind; what does not fit becomes the kind's empty value.
	 *
	 * @param string $kind  See sections().
	 * @param mixed  $value What the block holds.
	 * @return mixed
	 */
	public static function value( string $kind, $value ) {
		switch ( $kind ) {
			case 'inline':
				return self::inline( $value );
			case 'rows':
				return self::rows( $value );
			case 'id':
				return self::id( $value );
			case 'picture':
				return SectionPictures::read( self::id( $value ) );
			case 'svg':
				return self::svg( $value );
			default:
				return self::text( $value );
		}
	}

	/**
	 * A plain string: no markup, entities as characters.
	 *
	 * @param mixed $value What the block holds.
	 */
	public static function text( $value ): string {
		if ( ! is_scalar( $value ) || is_bool( $value ) ) {
			return '';
		}
		return trim( html_entity_decode( wp_strip_all_tags( (string) $value ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ) );
	}

	/**
	 * A headline: HTML with at most the marks of INLINE, none of them with attributes, all of them closed.
	 *
	 * @param mixed $value What the block holds.
	 */
	public static function inline( $value ): string {
		if ( ! is_scalar( $value ) || is_bool( $value ) ) {
			return '';
		}
		$html = (string) preg_replace( '#<(script|style)\b[^>]*>.*?</\1\s*>#si', '', (string) $value );
		$html = force_balance_tags( wp_kses( self::modern( $html ), self::INLINE ) );
		return trim( (string) preg_replace( '#<br\s*/?>#', '<br>', $html ) );
	}

	/**
	 * A drawing as its editor pasted it. The site takes nothing over but shapes (its decision 004), and nothing here shows it.
	 *
	 * @param mixed $value What the block holds.
	 */
	private static function svg( $value ): string {
		$svg = is_string( $value ) ? trim( $value ) : '';
		return strlen( $svg ) <= Declarations::longest_drawing() && false !== stripos( $svg, '<svg' ) ? $svg : '';
	}

	/**
	 * `i` and `b`, which some pasted text carries, as the marks they mean here.
	 *
	 * @param string $html Inline HTML.
	 */
	private static function modern( string $html ): string {
		$html = (string) preg_replace( '#<(/?)i(?=[\s>])#i', '<$1em', $html );
		return (string) preg_replace( '#<(/?)b(?=[\s>])#i', '<$1strong', $html );
	}

	/**
	 * Pairs of label and value; a pair without either is dropped.
	 *
	 * @param mixed $value What the block holds.
	 * @return array<int, array{label: string, value: string}>
	 */
	private static function rows( $value ): array {
		$rows = array();
		foreach ( is_array( $value ) ? $value : array() as $row ) {
			$row = is_array( $row ) ? $row : array();
			$row = array( 'label' => self::text( $row['label'] ?? '' ), 'value' => self::text( $row['value'] ?? '' ) );
			if ( '' !== $row['label'] . $row['value'] ) {
				$rows[] = $row;
			}
		}
		return $rows;
	}

	/**
	 * An id: a whole number of one or more, as number, string of digits or `{"id": …}`; anything else is 0.
	 *
	 * @param mixed $value What the block holds.
	 */
	public static function id( $value ): int {
		if ( is_array( $value ) ) {
			$value = $value['id'] ?? 0;
		}
		return is_numeric( $value ) && $value >= 1 && $value <= PHP_INT_MAX ? (int) $value : 0;
	}

	/**
	 * Inner blocks of one name as items; anything else in there is dropped.
	 *
	 * @param string                $name   Name of the inner block.
	 * @param array<string, string> $fields Its fields.
	 * @param array                 $block  The block around them.
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
