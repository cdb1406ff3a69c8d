<?php
/**
 * Registers the section blocks, their editor assets, and the REST field `sections`.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Assets;
use Pillion\Lib\Rest;
use Pillion\Site\Connection;

final class Sections {

	/** Post types with `sections` in their REST response. */
	const POST_TYPES = array( 'page', 'post' );

	/** Handle of the editor's script and style for all blocks. */
	const ASSET = 'pillion-sections';

	/** WordPress scripts that the editor's script needs. */
	const DEPENDENCIES = array( 'wp-api-fetch', 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-core-data', 'wp-data', 'wp-editor', 'wp-element', 'wp-i18n', 'wp-notices', 'wp-plugins', 'wp-rich-text' );

	public function register(): void {
		add_action( 'init', array( $this, 'register_assets' ) );
		add_action( 'init', array( SectionBlocks::class, 'register' ) );
		add_action( 'enqueue_block_editor_assets', array( $this, 'add_declarations' ) );
		add_action( 'rest_api_init', array( $this, 'register_field' ) );
		add_filter( 'block_categories_all', array( $this, 'add_category' ) );
		( new SectionPattern() )->register();
	}

	/** Registers the editor's script, with the editor parts of all sections, and its styles. */
	public function register_assets(): void {
		Assets::script( self::ASSET, 'blocks/sections.js', self::DEPENDENCIES );
		$styles = array( Assets::style( self::ASSET . '-shared', 'blocks/editor.css' ) );
		foreach ( Declarations::edit_styles() as $name ) {
			$styles[] = Assets::style( self::ASSET . "-edit-$name", "blocks/edit/$name.css", array( $styles[0] ) );
		}
		$site = Connection::address();
		if ( '' !== $site ) {
			// Its colours and typefaces. The address is the same for all builds of the site, so it has no version.
			wp_register_style( self::ASSET . '-site', "$site/api/editor.css", $styles, null );
			$styles[] = self::ASSET . '-site';
		}
		wp_register_style( self::ASSET, false, $styles, false );
	}

	/** Prints the declarations for the editor's script. */
	public function add_declarations(): void {
		Assets::add_data( self::ASSET, 'pillionDeclared', Declarations::for_editor() );
	}

	/**
	 * Puts the group of sections first in the inserter.
	 *
	 * @param array[] $categories
	 * @return array[]
	 */
	public function add_category( array $categories ): array {
		array_unshift( $categories, array( 'slug' => 'pillion', 'title' => __( 'Page sections', 'pillion' ), 'icon' => null ) );
		return $categories;
	}

	/**
	 * Adds `sections` to pages, posts and, for previews, their revisions. Not in the `edit` context, because the block
	 * editor does not use it.
	 */
	public function register_field(): void {
		$types  = self::POST_TYPES;
		$schema = array(
			'description' => __( 'The page as a list of sections, in order.', 'pillion' ),
			'type'        => 'array',
			'items'       => array( 'type' => 'object' ),
		);
		foreach ( self::POST_TYPES as $type ) {
			$types[] = $type . '-revision';
		}
		Rest::add_field( $types, 'sections', array( $this, 'sections_of' ), $schema );
	}

	/**
	 * Sections of a post.
	 *
	 * @param array $response The response without this field. It has no `id` if the client did not request that; then the
	 * global post is used, which the REST controller has set.
	 * @return array[] Empty if the post requires a password.
	 */
	public function sections_of( array $response ): array {
		$post = get_post( isset( $response['id'] ) ? (int) $response['id'] : null );
		if ( ! $post || post_password_required( $post ) ) {
			return array();
		}
		return ( new SectionTree() )->read( $post->post_content );
	}
}
