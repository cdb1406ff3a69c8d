<?php
/**
 * A page to start from: every section in its usual order, empty.
 */

namespace Pillion;

/** Registers the pattern "Landing page". */
final class SectionPattern {

	/** Slug of the pattern and of its category. */
	const SLUG     = 'pillion/landing-page';
	const CATEGORY = 'pillion';

	/** Hooks everything up. */
	public function register(): void {
		add_action( 'init', array( $this, 'register_pattern' ) );
		// Patterns of the theme and of the pattern directory are drawn for pages that WordPress shows itself. The site has
		// none of their looks, so they would only stand in front of the one that works.
		remove_action( 'init', '_register_theme_block_patterns' );
		add_filter( 'should_load_remote_block_patterns', '__return_false' );
	}

	/** Offers the pattern when a page is created, and in the inserter. */
	public function register_pattern(): void {
		register_block_pattern_category( self::CATEGORY, array( 'label' => __( 'Page sections', 'pillion' ) ) );
		register_block_pattern(
			self::SLUG,
			array(
				'title'         => __( 'Landing page', 'pillion' ),
				'description'   => __( 'All sections of a landing page, empty, to be filled in.', 'pillion' ),
				'categories'    => array( self::CATEGORY ),
				'blockTypes'    => array( 'core/post-content' ),
				'postTypes'     => array( 'page' ),
				'viewportWidth' => 1200,
				'content'       => $this->content(),
			)
		);
	}

	/** The pattern's blocks. Empty on purpose: placeholders say what goes where, and nothing invented can be published. */
	private function content(): string {
		$row = array( 'label' => '', 'value' => '' );
		return implode(
			"\n\n",
			array(
				'<!-- wp:pillion/hero /-->',
				get_comment_delimited_block_content( 'pillion/statement', array( 'facts' => array( $row, $row ) ), '' ),
				self::items( 'acts', 'act' ),
				get_comment_delimited_block_content( 'pillion/feature', array( 'figures' => array( $row, $row ) ), '' ),
				self::items( 'gallery', 'gallery-picture' ),
				'<!-- wp:pillion/quote /-->',
				self::items( 'questions', 'question' ),
				'<!-- wp:pillion/sign-up /-->',
				'<!-- wp:pillion/wordmark /-->',
			)
		);
	}

	/**
	 * A section of three items.
	 *
	 * @param string $section Name of its block.
	 * @param string $item    Name of an item's.
	 */
	private static function items( string $section, string $item ): string {
		return "<!-- wp:pillion/$section -->\n" . str_repeat( "<!-- wp:pillion/$item /-->\n", 3 ) . "<!-- /wp:pillion/$section -->";
	}
}
