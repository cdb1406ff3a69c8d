<?php
/**
 * The sections of a page as blocks of the editor, and as a tree in the page's REST answer.
 */

namespace Pillion\Editor;

use Pillion\Site\Connection;

use const Pillion\DIRECTORY;
use const Pillion\PLUGIN_FILE;

/** Registers the blocks, what they need in the editor, and the REST field `sections`. */
final class Sections {

	/** Scripts under `blocks/shared/`, in the order they need each other; a section's own comes after them. */
	const SHARED = array( 'kit', 'pictures', 'rows', 'items', 'drawing', 'section', 'template-reminder' );

	/** Post types whose REST answer carries `sections`. */
	const POST_TYPES = array( 'page', 'post' );

	/** Handle of the editor's script and style, which every block asks for. */
	const ASSET = 'pillion-sections';

	/** Hooks everything up. */
	public function register(): void {
		add_action( 'init', array( $this, 'register_assets' ) );
		add_action( 'init', array( SectionBlocks::class, 'register' ) );
		add_action( 'enqueue_block_editor_assets', array( $this, 'hand_on_declarations' ) );
		add_action( 'rest_api_init', array( $this, 'register_field' ) );
		add_filter( 'block_categories_all', array( $this, 'add_category' ) );
		( new SectionPattern() )->register();
	}

	/**
	 * Registers scripts and style of the editor. Blocks ask for them by one handle: its script makes the blocks, after
	 * those of sections with an editor part of their own, which come after the shared ones, and these after WordPress'.
	 */
	public function register_assets(): void {
		$shared = array( 'wp-api-fetch', 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-core-data', 'wp-data', 'wp-editor', 'wp-element', 'wp-i18n', 'wp-notices', 'wp-plugins', 'wp-rich-text' );
		foreach ( self::SHARED as $name ) {
			$shared = array( $this->register_script( $name, "shared/$name.js", $shared ) );
		}
		$edits = $shared;
		foreach ( Declarations::edits( 'js' ) as $name ) {
			$edits[] = $this->register_script( "edit-$name", "edit/$name.js", $shared );
		}
		wp_register_script( self::ASSET, plugins_url( 'blocks/shared/register.js', PLUGIN_FILE ), $edits, $this->version( 'shared/register.js' ), true );
		$styles = array( $this->register_style( 'shared', 'editor.css', array() ) );
		foreach ( Declarations::edits( 'css' ) as $name ) {
			$styles[] = $this->register_style( "edit-$name", "edit/$name.css", array( $styles[0] ) );
		}
		$site = Connection::address();
		if ( '' !== $site ) {
			// Its colours and typefaces. The address is the same for all builds of the site, so it has no version.
			wp_register_style( self::ASSET . '-site', "$site/api/editor.css", $styles, null );
			$styles[] = self::ASSET . '-site';
		}
		wp_register_style( self::ASSET, false, $styles, false );
	}

	/** Gives the editor's scripts the declarations, where an editor is opened. */
	public function hand_on_declarations(): void {
		wp_add_inline_script( self::ASSET . '-kit', 'window.pillionDeclared = ' . Declarations::for_editor(), 'before' );
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
		wp_register_script( $handle, plugins_url( "blocks/$file", PLUGIN_FILE ), $needs, $this->version( $file ), true );
		wp_set_script_translations( $handle, 'pillion' );
		return $handle;
	}

	/**
	 * Registers one stylesheet of the editor.
	 *
	 * @param string   $name  Its handle's own part.
	 * @param string   $file  Path under `blocks/`.
	 * @param string[] $needs Handles it comes after.
	 * @return string The handle.
	 */
	private function register_style( string $name, string $file, array $needs ): string {
		$handle = self::ASSET . "-$name";
		wp_register_style( $handle, plugins_url( "blocks/$file", PLUGIN_FILE ), $needs, $this->version( $file ) );
		return $handle;
	}

	/**
	 * Version of a file: when it was changed.
	 *
	 * @param string $file Path under `blocks/`.
	 */
	private function version( string $file ): string {
		return (string) filemtime( DIRECTORY . "/blocks/$file" );
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
