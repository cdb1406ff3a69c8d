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
	private $top = -1;

	/** @var array[] Ordinary blocks since the last section. */
	private $run = array();

	/** @var int|null Index of the first block of the run. */
	private $run_top = null;

	/** @var array<string, true> Open patterns, to stop a pattern that contains itself. */
	private $open = array();

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
		SectionPictures::prime( $this->pictures( $blocks ) );
		foreach ( $blocks as $block ) {
			// The editor does not count the empty lines between blocks.
			$this->top += self::is_blank( $block ) ? 0 : 1;
			$this->walk( array( $block ) );
		}
		$this->end_run();
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
	private function walk( array $blocks ): void {
		foreach ( $blocks as $block ) {
			$name = (string) $block['blockName'];
			if ( isset( $this->open[ self::pattern_key( $block ) ] ) ) {
				continue; // A pattern inside itself.
			}
			if ( isset( $this->fields[ $name ] ) ) {
				$this->end_run();
				// The type is the block's name after the slash.
				$this->items[]   = array( 'type' => substr( $name, (int) strpos( $name, '/' ) + 1 ) ) + SectionFields::read( $this->fields[ $name ], $block );
				$this->sources[] = $this->top;
			} elseif ( $this->holds_section( $block ) ) {
				$this->walk_inside( $block );
			} else {
				$this->run[] = $block;
				if ( null === $this->run_top && ! self::is_blank( $block ) ) {
					$this->run_top = $this->top;
				}
			}
		}
	}

	/** Reads the blocks of a wrapper or a pattern. */
	private function walk_inside( array $block ): void {
		$key = self::pattern_key( $block );
		if ( ! $key ) {
			$this->walk( $block['innerBlocks'] );
			return;
		}
		$this->open[ $key ] = true;
		$this->walk( parse_blocks( self::pattern_content( $block ) ) );
		unset( $this->open[ $key ] );
	}

	/** Whether a block contains a section at any depth. */
	private function holds_section( array $block ): bool {
		$key = self::pattern_key( $block );
		if ( $key ) {
			return $this->names_section( self::pattern_content( $block ) );
		}
		foreach ( $block['innerBlocks'] as $inner ) {
			if ( isset( $this->fields[ $inner['blockName'] ] ) || $this->holds_section( $inner ) ) {
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
	private function end_run(): void {
		$content = trim( serialize_blocks( $this->run ) );
		$source  = (int) $this->run_top;

		$this->run     = array();
		$this->run_top = null;
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
	private function pictures( array $blocks ): array {
		$ids = array();
		foreach ( $blocks as $block ) {
			foreach ( array_keys( $this->all_fields[ $block['blockName'] ] ?? array(), 'picture', true ) as $member ) {
				$ids[] = SectionFields::id( $block['attrs'][ $member ] ?? 0 );
			}
			array_push( $ids, ...$this->pictures( $block['innerBlocks'] ) );
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
