<?php
/**
 * Meta of pages that editors change in a panel of the block editor, or in a meta box of the classic one.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Input;

final class PageMeta {
	/**
	 * A value that each reader of the page gets over REST. Only users who may edit the page can write it.
	 *
	 * @param string|int|bool $default_value
	 */
	public static function register( string $key, string $type, $default_value, callable $sanitize ): void {
		register_post_meta(
			'',
			$key,
			array(
				'type'              => $type,
				'single'            => true,
				'default'           => $default_value,
				'show_in_rest'      => true,
				'sanitize_callback' => $sanitize,
				'auth_callback'     => static fn( $allowed, $meta_key, $post_id ): bool => current_user_can( 'edit_post', $post_id ),
			)
		);
	}

	/** Whether the block editor can show a panel: it reads meta over REST. */
	public static function has_panel( string $type ): bool {
		return in_array( $type, Routes::types(), true ) && post_type_supports( $type, 'custom-fields' );
	}

	/**
	 * Whether the submitted form of a meta box may change a post. The same request can save others: a revision, for
	 * which `update_post_meta` changes its post, a redirect, or a post of another plugin. Bulk edit sends no `post_ID`.
	 */
	public static function current_user_can_save( int $post_id ): bool {
		$submitted_id = absint( Input::posted( 'post_ID' ) );
		return in_array( $submitted_id, array( 0, $post_id ), true ) && ! wp_is_post_revision( $post_id ) && current_user_can( 'edit_post', $post_id );
	}

	/**
	 * Stores a value. An empty one is deleted.
	 *
	 * @param string|int $value
	 */
	public static function save( int $post_id, string $key, $value ): void {
		if ( in_array( $value, array( '', 0 ), true ) ) {
			delete_post_meta( $post_id, $key );
		} else {
			update_post_meta( $post_id, $key, wp_slash( $value ) );
		}
	}
}
