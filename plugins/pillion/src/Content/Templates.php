<?php
/**
 * Page templates by name (R2). They belong to the site and not to a theme, so they are available with any theme.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Editor\Declarations;
use WP_Post;

final class Templates {
	public function register(): void {
		add_filter( 'theme_page_templates', array( $this, 'add_templates' ) );
		add_action( 'init', array( $this, 'register_block_templates' ) );
		// Core returns registered templates by name, and the block editor reads the first one as 0 (WordPress 7.1).
		add_filter( 'get_block_templates', 'array_values' );
	}

	/** Name of a page's template; empty for a plain page. */
	public static function name_of( WP_Post $post ): string {
		$template = (string) get_page_template_slug( $post );
		return 'default' === $template ? '' : $template;
	}

	/**
	 * @param array<string, string> $templates Titles by name, from the theme.
	 * @return array<string, string>
	 */
	public function add_templates( array $templates ): array {
		return self::all() + $templates;
	}

	/** Block themes offer only templates that are registered as blocks, which plugins can do since WordPress 6.7. */
	public function register_block_templates(): void {
		if ( ! function_exists( 'register_block_template' ) ) {
			return;
		}
		foreach ( self::all() as $name => $title ) {
			register_block_template(
				"pillion//$name",
				array(
					'title'       => $title,
					'description' => __( 'The site uses this template. Pages that WordPress shows itself stay plain.', 'pillion' ),
					'content'     => '<!-- wp:post-content {"layout":{"type":"constrained"}} /-->',
					'post_types'  => array( 'page' ),
				)
			);
		}
	}

	/** @return array<string, string> Titles in the editor, by the site's name of the template. */
	private static function all(): array {
		return (array) apply_filters( 'pillion_templates', array_map( static fn( string $title ): string => translate( $title, 'pillion' ), Declarations::templates() ) );
	}
}
