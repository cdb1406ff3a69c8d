<?php
/**
 * Excerpts for pages: one sentence that search engines and shared links show.
 */

namespace Pillion\Content;

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
