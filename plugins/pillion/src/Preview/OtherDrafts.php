<?php
/**
 * Paths of other unpublished posts, for links inside a preview.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use WP_Post;

final class OtherDrafts {
	/** Maximum number of paths; the latest ones are used. */
	const MOST = 200;

	/**
	 * @param int $user   User who may edit the posts.
	 * @param int $except The previewed post.
	 * @return array<string, int> Post id by the path that it would have.
	 */
	public static function of( int $user, int $except ): array {
		$paths = array();
		foreach ( array_merge( self::unpublished(), self::autosaved( $user ) ) as $post ) {
			if ( $post->ID !== $except && count( $paths ) < self::MOST && user_can( $user, 'edit_post', $post->ID ) ) {
				$paths += array( self::path( $post ) => $post->ID );
			}
		}
		return $paths;
	}

	/** @return WP_Post[] */
	private static function unpublished(): array {
		return get_posts(
			array(
				'post_type'              => Routes::types(),
				'post_status'            => array( 'draft', 'pending', 'future', 'private' ),
				'numberposts'            => self::MOST,
				// All languages of Polylang.
				'lang'                   => '',
				'orderby'                => 'modified',
				'order'                  => 'DESC',
				'update_post_term_cache' => false,
				'update_post_meta_cache' => false,
			)
		);
	}

	/**
	 * Published posts with an autosave of this user that is newer than the saved post.
	 *
	 * @return WP_Post[]
	 */
	private static function autosaved( int $user ): array {
		global $wpdb;
		$query = "SELECT page.ID FROM $wpdb->posts AS page JOIN $wpdb->posts AS autosave ON autosave.post_parent = page.ID
			WHERE autosave.post_type = 'revision' AND autosave.post_author = %d AND autosave.post_name LIKE %s
			AND page.post_status = 'publish' AND autosave.post_modified_gmt > page.post_modified_gmt
			ORDER BY autosave.post_modified_gmt DESC LIMIT %d";
		$ids   = array_map( 'intval', $wpdb->get_col( $wpdb->prepare( $query, $user, '%-autosave-v1', self::MOST ) ) );
		return array_filter( array_map( array( Draft::class, 'find' ), $ids ) );
	}

	/** Does not check whether another post has the slug: that would need a query per post. */
	private static function path( WP_Post $post ): string {
		$values                = get_object_vars( $post );
		$values['post_status'] = 'publish';
		$values['filter']      = 'raw';
		$values['post_name']   = '' !== $post->post_name ? $post->post_name : sanitize_title( $post->post_title, (string) $post->ID );
		return Routes::path_as_published( new WP_Post( (object) $values ) );
	}
}
