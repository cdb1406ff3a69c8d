<?php
/**
 * The picture a page is shared with: its featured image, whatever theme is active.
 */

namespace Pillion\Content;

use Pillion\Editor\SectionPictures;

final class SharePicture {
	public function register(): void {
		// Themes without it take the panel away from editors; a headless site has no theme to ask.
		add_action(
			'after_setup_theme',
			static function (): void {
				add_theme_support( 'post-thumbnails' );
			},
			20
		);
		add_action( 'rest_api_init', array( $this, 'register_field' ) );
	}

	public function register_field(): void {
		register_rest_field(
			array( 'page', 'post' ),
			'picture',
			array(
				'get_callback' => static function ( array $answer ): ?array {
					return SectionPictures::read( (int) get_post_thumbnail_id( $answer['id'] ) );
				},
				'schema'       => array(
					'description' => __( 'The featured image with all its sizes, null where there is none.', 'pillion' ),
					'type'        => array( 'object', 'null' ),
					'context'     => array( 'view' ),
					'readonly'    => true,
				),
			)
		);
	}
}
