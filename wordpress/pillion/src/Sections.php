<?php
/**
 * The sections of a page as blocks of the editor, and as a tree in the page's REST answer.
 */

namespace Pillion;

/** Registers the blocks, what they need in the editor, and the REST field `sections`. */
final class Sections {

	/** Folders under `blocks/`, in the order the inserter shows them. */
	const BLOCKS = array( 'hero', 'statement', 'acts', 'act', 'feature', 'gallery', 'gallery-picture', 'quote', 'questions', 'question', 'sign-up', 'wordmark' );

	/** Scripts under `blocks/shared/`, in the order they need each other; every block's own `edit.js` comes after them. */
	const SHARED = array( 'kit', 'pictures', 'rows', 'items', 'template-reminder' );

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

	/**
	 * Registers scripts and style of the editor. block.json asks for them by one handle, which has no file of its own: it
	 * stands for every block's script, those wait for the shared ones, and these for WordPress'.
	 */
	public function register_assets(): void {
		$shared = array( 'wp-api-fetch', 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-core-data', 'wp-data', 'wp-editor', 'wp-element', 'wp-i18n', 'wp-notices', 'wp-plugins', 'wp-rich-text' );
		foreach ( self::SHARED as $name ) {
			$shared = array( $this->register_script( $name, "shared/$name.js", $shared ) );
		}
		$edits = array();
		foreach ( self::BLOCKS as $name ) {
			$edits[] = $this->register_script( "edit-$name", "$name/edit.js", $shared );
		}
		wp_register_script( self::ASSET, false, $edits, false, true );
		wp_register_style( self::ASSET, plugins_url( 'blocks/editor.css', __DIR__ ), array(), $this->version( 'editor.css' ) );
	}

	/**
	 * Registers one script of the editor.
	 *
	 * @param string   $name  Its handle's own part.
	 * @param string   $file  Path under `blocks/`.
	 * @param string[] $needs Handles it comes after.
	 * @return string The handle.
	 */
	private function register_script( string $name, string $file, array $needs ): string {
		$handle = self::ASSET . "-$name";
		wp_register_script( $handle, plugins_url( "blocks/$file", __DIR__ ), $needs, $this->version( $file ), true );
		wp_set_script_translations( $handle, 'pillion' );
		return $handle;
	}

	/**
	 * Version of a file: when it was changed.
	 *
	 * @param string $file Path under `blocks/`.
	 */
	private function version( string $file ): string {
		return (string) filemtime( dirname( __DIR__ ) . "/blocks/$file" );
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
