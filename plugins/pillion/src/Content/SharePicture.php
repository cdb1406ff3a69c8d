<?php
/**
 * The picture of shared links: the featured image, with any theme.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Editor\SectionPictures;

final class SharePicture {
	public function register(): void {
		// Themes without thumbnail support hide the panel from editors, and the site does not use the theme.
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
					'description' => __( 'The featured image with all its sizes, or null.', 'pillion' ),
					'type'        => array( 'object', 'null' ),
					'context'     => array( 'view' ),
					'readonly'    => true,
				),
			)
		);
	}
}
