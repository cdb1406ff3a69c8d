<?php
/**
 * Page templates by name (R2). They are the site's, not the theme's, so they can be chosen whatever theme is active.
 */

namespace Pillion\Content;

use Pillion\Editor\Declarations;
use WP_Post;

final class Templates {
	public function register(): void {
		add_filter( 'theme_page_templates', array( $this, 'add' ) );
		add_action( 'init', array( $this, 'register_block_templates' ) );
	}

	/** Name of a page's template; empty for a plain page. */
	public static function of( WP_Post $post ): string {
		$template = (string) get_page_template_slug( $post );
		return 'default' === $template ? '' : $template;
	}

	/**
	 * @param array<string, string> $templates Name → title, as the theme has them.
	 * @return array<string, string>
	 */
	public function add( array $templates ): array {
		return self::all() + $templates;
	}

	/** Block themes offer only templates they know as blocks; WordPress takes such from plugins since 6.7. */
	public function register_block_templates(): void {
		if ( ! function_exists( 'register_block_template' ) ) {
			return;
		}
		foreach ( self::all() as $name => $title ) {
			register_block_template(
				"pillion//$name",
				array(
					'title'       => $title,
					'description' => __( 'Shown by the site; what WordPress shows itself stays plain.', 'pillion' ),
					'content'     => '<!-- wp:post-content {"layout":{"type":"constrained"}} /-->',
					'post_types'  => array( 'page' ),
				)
			);
		}
	}

	/**
	 * @return array<string, string> Name, as the site declares it, → title in the editor.
	 */
	private static function all(): array {
		return (array) apply_filters( 'pillion_templates', array_map( static fn( string $title ): string => translate( $title, 'pillion' ), Declarations::templates() ) );
	}
}
