<?php
/**
 * Redirects of old addresses. Each is stored as a post; the site reads them at `pillion/v1/redirects`.
 */

namespace Pillion\Redirects;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Lib\Language;
use WP_REST_Request;
use WP_REST_Response;

/**
 * `page`: the moved or deleted page that an automatic redirect belongs to; 0 if an editor or a push added it.
 *
 * @phpstan-type Redirect array{id: int, from: string, status: int, to: string, page: int}
 */
final class Redirects {
	const TYPE = 'pillion_redirect';

	/** Redirects per response, limited by the site's size limit. */
	const PER_PAGE = 1000;

	public function register(): void {
		add_action( 'init', array( $this, 'register_type' ) );
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
		( new RedirectsPage() )->register();
		( new OldPaths() )->register();
	}

	/**
	 * Each redirect is a post, so that two editors cannot overwrite each other, and backups and exports include them.
	 * Title: the path; name: its hash, which is indexed; content: the target; menu order: the status; parent: the moved
	 * or deleted page, or 0 if an editor created it.
	 */
	public function register_type(): void {
		register_post_type(
			self::TYPE,
			array(
				'labels'           => array( 'name' => __( 'Redirects', 'pillion' ) ),
				'public'           => false,
				'rewrite'          => false,
				'query_var'        => false,
				'delete_with_user' => false,
				'supports'         => false,
			)
		);
	}

	public function register_route(): void {
		$page = array(
			'type'    => 'integer',
			'default' => 1,
			'minimum' => 1,
		);
		// Public: any visitor can follow the redirects.
		KeyRules::add_route( 'pillion/v1', '/redirects', array( $this, 'get_redirects' ), '__return_true', Language::ARGUMENT + array( 'page' => $page ) );
	}

	/** All redirects, oldest first, 1,000 per page. Paths include their language prefix. */
	public function get_redirects( WP_REST_Request $request ): WP_REST_Response {
		$total = self::count();
		$data  = array(
			'total'    => $total,
			'per_page' => self::PER_PAGE,
			'items'    => array_map(
				static fn( array $redirect ): array => array(
					'from'   => $redirect['from'],
					'status' => $redirect['status'],
					'to'     => 410 === $redirect['status'] ? null : $redirect['to'],
				),
				self::find( self::PER_PAGE, ( (int) $request['page'] - 1 ) * self::PER_PAGE )
			),
		);
		$response = new WP_REST_Response( $data );
		$response->header( 'X-WP-Total', (string) $total );
		$response->header( 'X-WP-TotalPages', (string) (int) ceil( $total / self::PER_PAGE ) );
		return $response;
	}

	/**
	 * @param string $search Part of a path or target; '' for all.
	 * @param string $order  Trusted SQL from this plugin.
	 * @return Redirect[]
	 */
	public static function find( int $limit, int $offset, string $search = '', string $order = 'ID ASC' ): array {
		global $wpdb;
		return self::select( self::where( $search ) . " ORDER BY $order" . $wpdb->prepare( ' LIMIT %d OFFSET %d', $limit, $offset ) );
	}

	public static function count( string $search = '' ): int {
		global $wpdb;
		return (int) $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->posts WHERE " . self::where( $search ) );
	}

	/** @return Redirect|null */
	public static function get( int $id ): ?array {
		return self::rows( 'ID = %d', $id )[0] ?? null;
	}

	/**
	 * @param string $from As returned by `RedirectRules::normalise_path`.
	 * @return Redirect|null
	 */
	public static function find_at( string $from ): ?array {
		return self::rows( 'post_name = %s', self::hash_of( $from ) )[0] ?? null;
	}

	/** @return Redirect[] Automatic redirects of a page. */
	public static function automatic_of( int $page ): array {
		return self::rows( 'post_parent = %d', $page );
	}

	/**
	 * Saves a validated redirect.
	 *
	 * @param Redirect $redirect Id 0: a new one.
	 * @return int Its id; 0 if WordPress could not save it.
	 */
	public static function save( array $redirect ): int {
		// `from` is percent-encoded, so it has no backslash that WordPress would remove.
		$post = array(
			'ID'           => $redirect['id'],
			'post_type'    => self::TYPE,
			'post_status'  => 'private',
			'post_name'    => self::hash_of( $redirect['from'] ),
			'post_title'   => $redirect['from'],
			'post_content' => wp_slash( $redirect['to'] ),
			'menu_order'   => $redirect['status'],
			'post_parent'  => $redirect['page'],
		);
		return (int) ( $redirect['id'] ? wp_update_post( $post ) : wp_insert_post( $post ) );
	}

	public static function remove( int $id ): void {
		if ( self::TYPE === get_post_type( $id ) ) {
			wp_delete_post( $id, true );
		}
	}

	/** Notifies listeners, such as the site's change queue, that redirects have changed. */
	public static function notify_changed( string $path ): void {
		do_action( 'pillion_changed', 'redirects', 0, $path, 'publish' );
	}

	private static function hash_of( string $from ): string {
		return md5( $from );
	}

	private static function where( string $search ): string {
		global $wpdb;
		$where = $wpdb->prepare( "post_type = %s AND post_status = 'private'", self::TYPE );
		if ( '' === $search ) {
			return $where;
		}
		// Paths are stored encoded, but the search is typed as readable text. The query of a target is stored as typed.
		$typed   = '%' . $wpdb->esc_like( $search ) . '%';
		$encoded = '%' . $wpdb->esc_like( implode( '/', array_map( 'rawurlencode', explode( '/', rawurldecode( $search ) ) ) ) ) . '%';
		return $where . $wpdb->prepare( ' AND (post_title LIKE %s OR post_content LIKE %s OR post_content LIKE %s)', $encoded, $encoded, $typed );
	}

	/**
	 * @param string     $condition SQL with one placeholder.
	 * @param string|int $value
	 * @return Redirect[] Oldest first.
	 */
	private static function rows( string $condition, $value ): array {
		global $wpdb;
		// phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- $condition is written in this class.
		return self::select( self::where( '' ) . $wpdb->prepare( " AND $condition ORDER BY ID", $value ) );
	}

	/**
	 * @param string $clauses Prepared SQL after `WHERE`.
	 * @return Redirect[]
	 */
	private static function select( string $clauses ): array {
		global $wpdb;
		// phpcs:ignore WordPress.DB.PreparedSQL.InterpolatedNotPrepared -- prepared by the callers.
		return array_map( array( self::class, 'of_row' ), $wpdb->get_results( "SELECT ID, post_title, post_content, menu_order, post_parent FROM $wpdb->posts WHERE $clauses" ) );
	}

	/**
	 * @param object $row
	 * @return Redirect
	 */
	private static function of_row( $row ): array {
		return array(
			'id'     => (int) $row->ID,
			'from'   => (string) $row->post_title,
			'status' => (int) $row->menu_order,
			// WordPress writes the entity for users who may not write unfiltered HTML.
			'to'     => str_replace( '&amp;', '&', (string) $row->post_content ),
			'page'   => (int) $row->post_parent,
		);
	}
}
