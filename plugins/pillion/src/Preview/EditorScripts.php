<?php
/**
 * Adds the preview to the block editor: the site in a pane, warnings before publishing, and links for others.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Lib\Admin;
use Pillion\Lib\Assets;
use Pillion\Site\Connection;
use Pillion\Site\SitePage;

final class EditorScripts {
	public function register(): void {
		add_action( 'enqueue_block_editor_assets', array( $this, 'enqueue' ) );
	}

	/** Only for posts that the site shows: the editors of templates and widgets show no page of it. */
	public function enqueue(): void {
		$screen = get_current_screen();
		if ( ! $screen || 'post' !== $screen->base || ! in_array( $screen->post_type, Routes::types(), true ) ) {
			return;
		}
		Assets::add_to_editor( 'pillionPreview', self::script_data() );
		wp_enqueue_style( Assets::style( 'pillion-preview', 'assets/preview/preview.css', array( 'wp-components' ) ) );
	}

	/**
	 * @return array{missing: bool, settings: string, share: bool} `missing`: the site is not configured; `settings`:
	 * the screen to configure it, empty without the right; `share`: whether the user may create links for others.
	 */
	private static function script_data(): array {
		$post = get_post();
		return array(
			'share'    => $post && PreviewLinks::can_share( $post, get_current_user_id() ),
			'missing'  => ! Connection::is_configured(),
			'settings' => current_user_can( Admin::SETTINGS_CAPABILITY ) ? Admin::url( SitePage::PAGE ) : '',
		);
	}
}
