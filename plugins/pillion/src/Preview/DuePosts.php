<?php
/**
 * Publishes scheduled posts that are due when the site asks for it. WordPress' cron needs visits to WordPress, which a
 * headless WordPress does not have.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Access\Keys;
use Pillion\Content\Routes;
use Pillion\Lib\Lock;
use WP_REST_Response;

final class DuePosts {
	/** Posts per call. The response tells the site when the next one is due. */
	const MAX_POSTS = 50;

	const LOCK = 'due_posts';

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
	}

	public function register_route(): void {
		KeyRules::add_route( 'pillion/v1', '/due', array( self::class, 'publish_due' ), array( Keys::class, 'is_served' ), array(), 'POST' );
	}

	public static function publish_due(): WP_REST_Response {
		$published = 0;
		// Two servers of the site can call at the same time.
		if ( self::due_ids() && Lock::acquire( self::LOCK ) ) {
			$published = self::publish_all();
			Lock::release( self::LOCK );
		}
		return Preview::response( array( 'published' => $published, 'next' => self::next_date() ) );
	}

	/**
	 * Publishes the due posts without a user, as WordPress' cron does.
	 *
	 * @return int Number of published posts.
	 */
	private static function publish_all(): int {
		$user = get_current_user_id();
		wp_set_current_user( 0 );
		$published = 0;
		foreach ( self::due_ids() as $id ) {
			check_and_publish_future_post( $id );
			$published += 'publish' === get_post_status( $id ) ? 1 : 0;
		}
		wp_set_current_user( $user );
		return $published;
	}

	/**
	 * Posts without a date have the date 0000-00-00. MySQL 8 refuses comparisons with an incomplete date.
	 *
	 * @return int[]
	 */
	private static function due_ids(): array {
		global $wpdb;
		$query = "SELECT ID FROM $wpdb->posts WHERE post_status = 'future' AND post_date_gmt > '1970-01-01' AND post_date_gmt <= %s ORDER BY post_date_gmt LIMIT %d";
		return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( $query, gmdate( 'Y-m-d H:i:s' ), self::MAX_POSTS ) ) );
	}

	/** When the next scheduled post is due, in WordPress' time zone. Null: no post is scheduled. */
	private static function next_date(): ?string {
		$next = get_posts(
			array(
				'post_type'        => Routes::types(),
				'post_status'      => 'future',
				'orderby'          => 'date',
				'order'            => 'ASC',
				'numberposts'      => 1,
				'suppress_filters' => true,
			)
		);
		return $next ? (string) get_date_from_gmt( $next[0]->post_date_gmt, 'c' ) : null;
	}
}
