<?php
/**
 * Turns a page's blocks into the list of sections that the site shows. The blocks between two sections become one item
 * of rich text.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

final class SectionTree {

	/** @var array<string, array<string, string>> Fields by block name. */
	private $fields;

	/** @var array<string, array<string, string>> Fields by block name, including items. */
	private $all_fields;

	/** @var array[] Items read until now. */
	private $items = array();

	/** @var int[] For each item, the index of its top-level block; the first if it has several. */
	private $sources = array();

	/** @var int Index of the current top-level block, as the editor counts them. */
	private $top_index = -1;

	/** @var array[] Ordinary blocks since the last section. */
	private $text_blocks = array();

	/** @var int|null Index of the top-level block of the first of `$text_blocks`; null if they are blank. */
	private $text_index = null;

	/** @var array<string, true> Keys of the patterns that are being read, to stop one that contains itself. */
	private $open_patterns = array();

	public function __construct() {
		$this->fields     = SectionFields::sections();
		$this->all_fields = $this->fields + SectionFields::items();
	}

	/**
	 * Sections of a page.
	 *
	 * @param string $content Stored content with block comments.
	 * @return array[] Each with `type` and the members of that type.
	 */
	public function read( string $content ): array {
		$blocks = parse_blocks( $content );
		SectionPictures::load( $this->picture_ids( $blocks ) );
		foreach ( $blocks as $block ) {
			// The editor does not count the empty lines between blocks.
			$this->top_index += self::is_blank( $block ) ? 0 : 1;
			$this->read_blocks( array( $block ) );
		}
		$this->flush_text();
		return $this->items;
	}

	/** @return int[] For each section, the index of its top-level block; the first if it has several. */
	public function sources(): array {
		return $this->sources;
	}

	/** Whether a block is white space only. */
	private static function is_blank( array $block ): bool {
		return null === $block['blockName'] && '' === trim( $block['innerHTML'] );
	}

	/**
	 * Reads blocks in order. A wrapper (group, columns) with a section is unwrapped, because a section spans the page.
	 *
	 * @param array[] $blocks
	 */
	private function read_blocks( array $blocks ): void {
		foreach ( $blocks as $block ) {
			$name = (string) $block['blockName'];
			if ( isset( $this->open_patterns[ self::pattern_key( $block ) ] ) ) {
				continue; // A pattern inside itself.
			}
			if ( isset( $this->fields[ $name ] ) ) {
				$this->flush_text();
				// The type is the block's name after the slash.
				$this->items[]   = array( 'type' => substr( $name, (int) strpos( $name, '/' ) + 1 ) ) + SectionFields::read( $this->fields[ $name ], $block );
				$this->sources[] = $this->top_index;
			} elseif ( $this->contains_section( $block ) ) {
				$this->read_inner_blocks( $block );
			} else {
				$this->text_blocks[] = $block;
				if ( null === $this->text_index && ! self::is_blank( $block ) ) {
					$this->text_index = $this->top_index;
				}
			}
		}
	}

	/** Reads the blocks of a wrapper or a pattern. */
	private function read_inner_blocks( array $block ): void {
		$key = self::pattern_key( $block );
		if ( ! $key ) {
			$this->read_blocks( $block['innerBlocks'] );
			return;
		}
		$this->open_patterns[ $key ] = true;
		$this->read_blocks( parse_blocks( self::pattern_content( $block ) ) );
		unset( $this->open_patterns[ $key ] );
	}

	/** Whether a block contains a section at any depth. The block itself does not count. */
	private function contains_section( array $block ): bool {
		$key = self::pattern_key( $block );
		if ( $key ) {
			return $this->names_section( self::pattern_content( $block ) );
		}
		foreach ( $block['innerBlocks'] as $inner ) {
			if ( isset( $this->fields[ $inner['blockName'] ] ) || $this->contains_section( $inner ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether a pattern's content has a section, found by its block comments. A pattern inside counts too, and is
	 * examined when it is read.
	 */
	private function names_section( string $content ): bool {
		$names = array_merge( array_keys( $this->fields ), array( 'block', 'pattern' ) );
		return (bool) preg_match( '#<!-- wp:(?:' . implode( '|', array_map( 'preg_quote', $names ) ) . ')\s#', $content );
	}

	/**
	 * Renders the collected ordinary blocks as WordPress renders a page: with embeds, shortcodes, image sizes and
	 * automatic paragraphs.
	 */
	private function flush_text(): void {
		$content = trim( serialize_blocks( $this->text_blocks ) );
		$source  = (int) $this->text_index;

		$this->text_blocks = array();
		$this->text_index  = null;
		if ( '' === $content ) {
			return;
		}
		/** This filter is documented in wp-includes/post-template.php */
		$html = trim( apply_filters( 'the_content', $content ) );
		if ( '' !== $html ) {
			$this->items[]   = array( 'type' => 'rich-text', 'html' => $html );
			$this->sources[] = $source;
		}
	}

	/**
	 * @param array[] $blocks
	 * @return int[] Ids of the pictures in sections.
	 */
	private function picture_ids( array $blocks ): array {
		$ids = array();
		foreach ( $blocks as $block ) {
			foreach ( array_keys( $this->all_fields[ $block['blockName'] ] ?? array(), 'picture', true ) as $member ) {
				$ids[] = SectionFields::id( $block['attrs'][ $member ] ?? 0 );
			}
			array_push( $ids, ...$this->picture_ids( $block['innerBlocks'] ) );
		}
		return $ids;
	}

	/** Key of a pattern: the post of a synced one, the slug of a registered one, or an empty string. */
	private static function pattern_key( array $block ): string {
		if ( 'core/block' === $block['blockName'] ) {
			return 'post ' . SectionFields::id( $block['attrs']['ref'] ?? 0 );
		}
		return 'core/pattern' === $block['blockName'] ? 'slug ' . SectionFields::text( $block['attrs']['slug'] ?? '' ) : '';
	}

	/**
	 * Content of a synced pattern (a published `wp_block` post) or of a registered one.
	 *
	 * @param array $block Parsed `core/block` or `core/pattern`.
	 */
	private static function pattern_content( array $block ): string {
		if ( 'core/block' === $block['blockName'] ) {
			$post = get_post( SectionFields::id( $block['attrs']['ref'] ?? 0 ) );
			$open = $post && 'wp_block' === $post->post_type && 'publish' === $post->post_status && '' === $post->post_password;
			return $open ? $post->post_content : '';
		}
		$pattern = \WP_Block_Patterns_Registry::get_instance()->get_registered( SectionFields::text( $block['attrs']['slug'] ?? '' ) );
		return (string) ( $pattern['content'] ?? '' );
	}
}
