<?php
/**
 * Renders sections as plain HTML for readers of `content.rendered`: feeds, search plugins, other front ends. The order
 * is headline, texts, rows, pictures.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

final class SectionFallback {

	/**
	 * Render callback of every section block.
	 *
	 * @param array     $attributes Attributes of the block.
	 * @param string    $content    Inner blocks, rendered.
	 * @param \WP_Block $block      The block.
	 */
	public static function render( $attributes, $content, $block ): string {
		$items    = SectionFields::items();
		$fields   = ( SectionFields::sections() + $items )[ $block->name ] ?? array();
		$declared = Declarations::blocks()[ $block->name ]['fields'] ?? array();
		$values   = SectionFields::read( $fields, array( 'attrs' => $attributes ) );
		$html     = '';
		foreach ( self::sort_for_reading( $fields ) as $member => $kind ) {
			// A crop shows the same picture again. Sections of other plugins have no declaration.
			$is_crop = $declared ? isset( $declared[ $member ]['cropOf'] ) : 'portrait' === $member;
			if ( ! $is_crop ) {
				$html .= self::render_member( $declared[ $member ]['as'] ?? $member, $kind, $values[ $member ] );
			}
		}
		$tag = isset( $items[ $block->name ] ) ? 'div' : 'section';
		return '' === $html . $content ? '' : "<$tag>\n$html$content</$tag>\n";
	}

	/**
	 * Fields with the texts before the pictures.
	 *
	 * @param array<string, string> $fields Kind by member.
	 * @return array<string, string>
	 */
	private static function sort_for_reading( array $fields ): array {
		$pictures = array_filter( $fields, static fn( string $kind ): bool => 'picture' === $kind );
		return array_diff_key( $fields, $pictures ) + $pictures;
	}

	/**
	 * One member as HTML.
	 *
	 * @param string $role  `as` of its declaration, such as `heading` or `title`; its name if it has no `as`.
	 * @param string $kind  Kind, see SectionFields::sections().
	 * @param mixed  $value Validated value.
	 */
	private static function render_member( string $role, string $kind, $value ): string {
		if ( empty( $value ) && '0' !== $value ) {
			return '';
		}
		switch ( $kind ) {
			case 'inline':
				return self::render_inline( $role, $value );
			case 'text':
				$tag = in_array( $role, array( 'title', 'question' ), true ) ? 'h3' : 'p';
				return "<$tag>" . esc_html( $value ) . "</$tag>\n";
			case 'rows':
				return self::render_rows( $value );
			case 'picture':
				return '<figure>' . wp_get_attachment_image( $value['id'], 'large' ) . "</figure>\n";
			default:
				return '';
		}
	}

	/** @param string $role See render_member(). */
	private static function render_inline( string $role, string $html ): string {
		switch ( $role ) {
			case 'heading':
				return "<h2>$html</h2>\n";
			case 'quote':
				return "<blockquote><p>$html</p></blockquote>\n";
			default:
				return "<p>$html</p>\n";
		}
	}

	/** @param array[] $rows Pairs, for a description list. */
	private static function render_rows( array $rows ): string {
		$html = '';
		foreach ( $rows as $row ) {
			$html .= '<dt>' . esc_html( $row['label'] ) . '</dt><dd>' . esc_html( $row['value'] ) . "</dd>\n";
		}
		return "<dl>\n$html</dl>\n";
	}
}
