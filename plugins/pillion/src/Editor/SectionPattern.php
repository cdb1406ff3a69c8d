<?php
/**
 * Registers the pattern “Landing page”: every section in its usual order, empty.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

final class SectionPattern {

	/** Slug of the pattern and of its category. */
	const SLUG     = 'pillion/landing-page';
	const CATEGORY = 'pillion';

	/** Number of items in a list without a declared number. */
	const DEFAULT_ITEM_COUNT = 2;

	public function register(): void {
		add_action( 'init', array( $this, 'register_pattern' ) );
		// Patterns of themes and of the pattern directory are made for pages that WordPress shows. The site does not
		// have their styles, so they would not look right.
		remove_action( 'init', '_register_theme_block_patterns' );
		add_filter( 'should_load_remote_block_patterns', '__return_false' );
	}

	/** Offers the pattern for new pages and in the inserter. */
	public function register_pattern(): void {
		register_block_pattern_category( self::CATEGORY, array( 'label' => __( 'Page sections', 'pillion' ) ) );
		register_block_pattern(
			self::SLUG,
			array(
				'title'         => __( 'Landing page', 'pillion' ),
				'description'   => __( 'All sections of a landing page, without content.', 'pillion' ),
				'categories'    => array( self::CATEGORY ),
				'blockTypes'    => array( 'core/post-content' ),
				'postTypes'     => array( 'page' ),
				'viewportWidth' => 1200,
				'content'       => $this->content(),
			)
		);
	}

	/**
	 * The blocks of the pattern. They are empty: placeholders explain each field, and no sample text can be published.
	 */
	private function content(): string {
		$sections = array_filter( Declarations::blocks(), static fn( array $block ): bool => isset( $block['order'] ) );
		return implode( "\n\n", array_map( array( self::class, 'section_block' ), array_keys( $sections ), $sections ) );
	}

	/** One section with its declared number of empty rows and items. */
	private static function section_block( string $name, array $declaration ): string {
		$attributes = array();
		$inner      = '';
		foreach ( $declaration['fields'] as $member => $field ) {
			if ( 'rows' === $field['kind'] && ! empty( $field['begin'] ) ) {
				$attributes[ $member ] = array_fill( 0, $field['begin'], array( 'label' => '', 'value' => '' ) );
			}
			if ( 'list' === $field['kind'] ) {
				$inner .= str_repeat( "<!-- wp:pillion/{$field['of']} /-->\n", $field['begin'] ?? self::DEFAULT_ITEM_COUNT );
			}
		}
		return get_comment_delimited_block_content( $name, $attributes, '' === $inner ? '' : "\n$inner" );
	}
}
