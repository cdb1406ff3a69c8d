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
 * `until` is in Unix seconds, `user` is the creator, `opened` is the number of visits.
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
		return in_array( $id, array_column( self::open_links_of( $post ), 'id' ), true );
	}

	/** Counts a visit. A link that is withdrawn at the same moment stays withdrawn. */
	public static function count_visit( int $post, string $id ): void {
		for ( $try = 0; $try < self::TRIES; $try++ ) {
			$row = self::row_of( $post, $id );
			if ( ! $row || self::increment_opened( $post, $row ) ) {
				return;
			}
		}
	}

	/**
	 * @param array{meta_id: string, meta_value: string} $row Of row_of().
	 * @return bool False: another visit changed the row since it was read, so nothing was counted.
	 */
	private static function increment_opened( int $post, array $row ): bool {
		global $wpdb;
		/** @var Link $link Not null: row_of() returns valid rows only. */
		$link = self::parse_link( $row['meta_value'] );
		++$link['opened'];
		$counted = $wpdb->update( $wpdb->postmeta, array( 'meta_value' => maybe_serialize( $link ) ), $row );
		wp_cache_delete( $post, 'post_meta' );
		return (bool) $counted;
	}

	public static function list_links( WP_REST_Request $request ): WP_REST_Response {
		$post  = Preview::requested_id( $request );
		$items = array_map( static fn( array $link ): array => self::to_response_item( $post, $link ), self::open_links_of( $post ) );
		return Preview::response( $items );
	}

	/** @return WP_REST_Response|WP_Error */
	public static function create_link( WP_REST_Request $request ) {
		$post = Preview::requested_id( $request );
		foreach ( self::links_of( $post ) as $link ) {
			if ( $link['until'] <= time() ) {
				delete_post_meta( $post, self::META, $link );
			}
		}
		if ( count( self::open_links_of( $post ) ) >= self::MAX_LINKS ) {
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
		$post = Preview::requested_id( $request );
		$id   = (string) $request->get_url_params()['link'];
		$row  = self::row_of( $post, $id );
		if ( $row ) {
			delete_metadata_by_mid( 'post', (int) $row['meta_id'] );
			return Preview::response( array( 'withdrawn' => $id ) );
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

	/** @return Link[] Links that have not expired. */
	private static function open_links_of( int $post ): array {
		return array_values( array_filter( self::links_of( $post ), static fn( array $link ): bool => $link['until'] > time() ) );
	}

	/** @return Link[] */
	private static function links_of( int $post ): array {
		return array_filter( array_map( array( self::class, 'parse_link' ), (array) get_post_meta( $post, self::META ) ) );
	}

	/**
	 * The database row of a link, read past WordPress' cache. Null if there is no such link.
	 *
	 * @return array{meta_id: string, meta_value: string}|null
	 */
	private static function row_of( int $post, string $id ): ?array {
		global $wpdb;
		$rows = (array) $wpdb->get_results( $wpdb->prepare( "SELECT meta_id, meta_value FROM $wpdb->postmeta WHERE post_id = %d AND meta_key = %s", $post, self::META ), ARRAY_A );
		foreach ( $rows as $row ) {
			$link = self::parse_link( $row['meta_value'] );
			if ( $link && $link['id'] === $id ) {
				return $row;
			}
		}
		return null;
	}

	/**
	 * @param mixed $stored The link, serialized or not.
	 * @return Link|null Null if it is malformed.
	 */
	private static function parse_link( $stored ): ?array {
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
