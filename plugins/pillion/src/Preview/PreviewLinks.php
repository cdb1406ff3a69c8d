<?php
/**
 * Links to a preview for people without an account. A link has a lifetime in days, counts its visits and can be
 * withdrawn. Each link is a row of post meta, so that counting one cannot restore another that is being withdrawn.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Rest;
use WP_Error;
use WP_Post;
use WP_REST_Request;
use WP_REST_Response;

/**
 * `until` is in Unix seconds, `user` is the creator.
 *
 * @phpstan-type Link array{id: string, until: int, user: int, opened: int}
 */
final class PreviewLinks {
	const META = '_pillion_preview_links';

	/** Possible lifetimes in days. */
	const DAYS = array( 1, 7, 30 );

	/** Maximum number of open links per post. */
	const MAX_LINKS = 50;

	/** Attempts to count a visit while other visits change the row. */
	const TRIES = 10;

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_routes' ) );
	}

	public function register_routes(): void {
		$links      = Preview::ROUTE . '/links';
		$permission = array( self::class, 'can_manage_links' );
		$days       = array( 'type' => 'integer', 'enum' => self::DAYS, 'required' => true );
		Rest::add_route( $links, 'GET', array( self::class, 'list_links' ), $permission );
		Rest::add_route( $links, 'POST', array( self::class, 'create_link' ), $permission, array( 'days' => $days ) );
		Rest::add_route( "$links/(?P<link>[0-9a-f]+)", 'DELETE', array( self::class, 'revoke_link' ), $permission );
	}

	/**
	 * Whether a user may share a preview with people without an account: they may edit the post and publish posts of
	 * its type.
	 */
	public static function can_share( WP_Post $post, int $user ): bool {
		$type       = get_post_type_object( $post->post_type );
		$is_allowed = null !== $type && user_can( $user, $type->cap->publish_posts );
		return user_can( $user, 'edit_post', $post->ID ) && (bool) apply_filters( 'pillion_may_share_preview', $is_allowed, $post, $user );
	}

	/**
	 * Only users who may share the preview may create, list or withdraw links: the list contains the links' addresses.
	 *
	 * @return true|WP_Error
	 */
	public static function can_manage_links( WP_REST_Request $request ) {
		$result = Preview::can_edit( $request );
		$post   = Preview::requested_post( $request );
		if ( true !== $result || ! $post || self::can_share( $post, get_current_user_id() ) ) {
			return $result;
		}
		return new WP_Error( 'pillion_preview_share', __( 'You are not allowed to create links to this preview. Ask a user who can publish.', 'pillion' ), array( 'status' => 403 ) );
	}

	/** Whether a link exists and has not expired. */
	public static function is_open( int $post, string $id ): bool {
		foreach ( self::links_of( $post ) as $link ) {
			if ( $link['id'] === $id ) {
				return $link['until'] > time();
			}
		}
		return false;
	}

	/** Counts a visit. A link that is withdrawn at the same moment stays withdrawn. */
	public static function count_visit( int $post, string $id ): void {
		global $wpdb;
		for ( $try = 0; $try < self::TRIES; $try++ ) {
			foreach ( self::rows_of( $post ) as $row ) {
				$link = self::parse_row( $row['meta_value'] );
				if ( ! $link || $link['id'] !== $id ) {
					continue;
				}
				++$link['opened'];
				// Updates the row only if it has not changed since it was read.
				$where   = array( 'meta_id' => $row['meta_id'], 'meta_value' => $row['meta_value'] );
				$counted = $wpdb->update( $wpdb->postmeta, array( 'meta_value' => maybe_serialize( $link ) ), $where );
				wp_cache_delete( $post, 'post_meta' );
				if ( $counted ) {
					return;
				}
			}
		}
	}

	public static function list_links( WP_REST_Request $request ): WP_REST_Response {
		$post  = (int) $request->get_url_params()['post'];
		$links = array();
		foreach ( self::links_of( $post ) as $link ) {
			if ( $link['until'] > time() ) {
				$links[] = self::to_response_item( $post, $link );
			}
		}
		return Preview::response( $links );
	}

	/** @return WP_REST_Response|WP_Error */
	public static function create_link( WP_REST_Request $request ) {
		$post = (int) $request->get_url_params()['post'];
		$open = 0;
		foreach ( self::links_of( $post ) as $link ) {
			if ( $link['until'] > time() ) {
				++$open;
			} else {
				delete_post_meta( $post, self::META, $link );
			}
		}
		if ( $open >= self::MAX_LINKS ) {
			/* translators: %d: a number. */
			return new WP_Error( 'pillion_preview_links', sprintf( __( 'A page can have up to %d links to its preview. Withdraw one first.', 'pillion' ), self::MAX_LINKS ), array( 'status' => 409 ) );
		}
		$link = array(
			'id'     => bin2hex( random_bytes( 8 ) ),
			'until'  => time() + (int) $request['days'] * DAY_IN_SECONDS,
			'user'   => get_current_user_id(),
			'opened' => 0,
		);
		add_post_meta( $post, self::META, $link );
		return Preview::response( self::to_response_item( $post, $link ), 201 );
	}

	/** @return WP_REST_Response|WP_Error */
	public static function revoke_link( WP_REST_Request $request ) {
		$post = (int) $request->get_url_params()['post'];
		$id   = (string) $request->get_url_params()['link'];
		foreach ( self::rows_of( $post ) as $row ) {
			$link = self::parse_row( $row['meta_value'] );
			if ( $link && $link['id'] === $id ) {
				delete_metadata_by_mid( 'post', (int) $row['meta_id'] );
				return Preview::response( array( 'withdrawn' => $id ) );
			}
		}
		return new WP_Error( 'pillion_preview_links', __( 'This link does not exist. It may have been withdrawn already.', 'pillion' ), array( 'status' => 404 ) );
	}

	/**
	 * @param Link $link
	 * @return array{id: string, until: string, opened: int, url: string}
	 */
	private static function to_response_item( int $post, array $link ): array {
		return array(
			'id'     => $link['id'],
			'until'  => (string) wp_date( 'c', $link['until'] ),
			'opened' => $link['opened'],
			'url'    => Preview::opening_url( PreviewToken::for_link( $post, $link['user'], $link['id'], $link['until'] ) ),
		);
	}

	/** @return Link[] */
	private static function links_of( int $post ): array {
		return array_values( array_filter( array_map( array( self::class, 'parse_row' ), (array) get_post_meta( $post, self::META ) ) ) );
	}

	/** @return array<int, array{meta_id: string, meta_value: string}> */
	private static function rows_of( int $post ): array {
		global $wpdb;
		return (array) $wpdb->get_results( $wpdb->prepare( "SELECT meta_id, meta_value FROM $wpdb->postmeta WHERE post_id = %d AND meta_key = %s", $post, self::META ), ARRAY_A );
	}

	/** @return Link|null Null if it is malformed. */
	private static function parse_row( $stored ): ?array {
		$link = maybe_unserialize( $stored );
		if ( ! is_array( $link ) || ! is_string( $link['id'] ?? null ) ) {
			return null;
		}
		foreach ( array( 'until', 'user', 'opened' ) as $number ) {
			if ( ! is_int( $link[ $number ] ?? null ) ) {
				return null;
			}
		}
		return $link;
	}
}
