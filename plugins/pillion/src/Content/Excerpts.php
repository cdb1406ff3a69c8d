<?php
/**
 * Enables excerpts for pages: one sentence for search engines and shared links.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

final class Excerpts {
	public function register(): void {
		add_action(
			'init',
			static function (): void {
				add_post_type_support( 'page', 'excerpt' );
			}
		);
	}
}
