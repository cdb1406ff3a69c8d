<?php
/**
 * The sections of a page as blocks of the editor, and as a tree in the page's REST answer.
 */

namespace Pillion;

/** Registers the blocks, what they need in the editor, and the REST field `sections`. */
final class Sections {

	/** Folders under `blocks/`, in the order the inserter shows them. */
	const BLOCKS = array( 'hero', 'statement', 'acts', 'act', 'feature', 'sign-up', 'wordmark' );

	/** Post types whose REST answer carries `sections`. */
	const POST_TYPES = array( 'page', 'post' );

	/** Handle of the editor's script and style, named in every block.json. */
	const ASSET = 'pillion-sections';

	/** Hooks everything up. */
	public function register(): void {
		add_action( 'init', array( $this, 'register_assets' ) );
		add_action( 'init', array( $this, 'register_blocks' ) );
		add_action( 'rest_api_init', array( $this, 'register_field' ) );
		add_filter( 'block_categories_all', array( $this, 'add_category' ) );
		( new SectionPattern() )->register();
	}

	/** Registers script and style of the editor; block.json asks for them by handle. */
	public function register_assets(): void {
		$folder = dirname( __DIR__ ) . '/blocks/';
		wp_register_script(
			self::ASSET,
			plugins_url( 'blocks/editor.js', __DIR__ ),
			array( 'wp-api-fetch', 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-core-data', 'wp-data', 'wp-editor', 'wp-element', 'wp-i18n', 'wp-notices', 'wp-plugins', 'wp-rich-text' ),
			(string) filemtime( $folder . 'editor.js' ),
			true
		);
		wp_set_script_translations( self::ASSET, 'pillion' );
		wp_register_style( self::ASSET, plugins_url( 'blocks/editor.css', __DIR__ ), array(), (string) filemtime( $folder . 'editor.css' ) );
	}

	/** Registers the blocks; each is rendered by the server, since the site itself reads the tree. */
	public function register_blocks(): void {
		foreach ( self::BLOCKS as $name ) {
			register_block_type(
				dirname( __DIR__ ) . '/blocks/' . $name,
				array( 'render_callback' => array( SectionFallback::class, 'render' ) )
			);
		}
	}

	/**
	 * Puts the sections' own group first in the inserter.
	 *
	 * @param array[] $categories Categories of the inserter.
	 * @return array[]
	 */
	public function add_category( array $categories ): array {
		array_unshift( $categories, array( 'slug' => 'pillion', 'title' => __( 'Page sections', 'pillion' ), 'icon' => null ) );
		return $categories;
	}

	/**
	 * Adds `sections` to pages and posts, and to their revisions for previews. Not in the `edit` context: the block editor
	 * would wait for a tree that it never reads.
	 */
	public function register_field(): void {
		$types = self::POST_TYPES;
		foreach ( self::POST_TYPES as $type ) {
			$types[] = $type . '-revision';
		}
		register_rest_field(
			$types,
			'sections',
			array(
				'get_callback' => array( $this, 'read_field' ),
				'schema'       => array(
					'description' => __( 'The page as a list of sections, in order.', 'pillion' ),
					'type'        => 'array',
					'items'       => array( 'type' => 'object' ),
					'context'     => array( 'view' ),
					'readonly'    => true,
				),
			)
		);
	}

	/**
	 * Sections of the post being answered.
	 *
	 * @param array $answer The answer so far; without `id` when the client asked for few fields, hence the global post,
	 *                      which the REST controller has set.
	 * @return array[] Empty while the post wants a password.
	 */
	public function read_field( array $answer ): array {
		$post = get_post( isset( $answer['id'] ) ? (int) $answer['id'] : null );
		if ( ! $post || post_password_required( $post ) ) {
			return array();
		}
		return ( new SectionTree() )->read( $post->post_content );
	}
}
