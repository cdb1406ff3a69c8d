<?php
/**
 * Where old addresses lead: kept one post each, and told to the site by `pillion/v1/redirects`.
 */

namespace Pillion\Redirects;

use Pillion\Access\KeyRules;
use Pillion\Lib\Language;
use WP_REST_Request;
use WP_REST_Response;

/**
 * @phpstan-type Redirect array{id: int, from: string, status: int, to: string, page: int}
 */
final class Redirects {
	const TYPE = 'pillion_redirect';

	/** Redirects in one answer: as many as stay below what the site reads of one. */
	const PER_PAGE = 1000;

	public function register(): void {
		add_action( 'init', array( $this, 'register_type' ) );
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
		( new RedirectsPage() )->register();
		( new OldPaths() )->register();
	}

	/**
	 * One post each, so that two editors who save at once overwrite nothing, and backups and exports hold them. Title:
	 * the path; name: its hash, which is indexed; content: the target; menu order: the status; parent: the page that left
	 * it when it moved, 0 where an editor made it.
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
		register_rest_route(
			'pillion/v1',
			'/redirects',
			array(
				'methods'             => 'GET',
				'permission_callback' => '__return_true',
				KeyRules::MARK        => array(),
				'args'                => Language::ARGUMENT + array(
					'page' => array(
						'type'    => 'integer',
						'default' => 1,
						'minimum' => 1,
					),
				),
				'callback'            => array( $this, 'get_redirects' ),
			)
		);
	}

	/** All of them, oldest first, a thousand at a time; paths carry their language themselves. */
	public function get_redirects( WP_REST_Request $request ): WP_REST_Response {
		$total  = self::count();
		$answer = array(
			'total'    => $total,
			'per_page' => self::PER_PAGE,
			'items'    => array_map(
				static function ( array $redirect ): array {
					return array(
						'from'   => $redirect['from'],
						'status' => $redirect['status'],
						'to'     => 410 === $redirect['status'] ? null : $redirect['to'],
					);
				},
				self::some( self::PER_PAGE, ( (int) $request['page'] - 1 ) * self::PER_PAGE )
			),
		);
		$response = new WP_REST_Response( $answer );
		$response->header( 'X-WP-Total', (string) $total );
		$response->header( 'X-WP-TotalPages', (string) (int) ceil( $total / self::PER_PAGE ) );
		return $response;
	}

	/**
	 * @param string $search Part of a path or target; '' for all.
	 * @param string $order  SQL of our own, never of anybody else's.
	 * @return Redirect[]
	 */
	public static function some( int $limit, int $offset, string $search = '', string $order = 'ID ASC' ): array {
		global $wpdb;
		$where = self::where( $search );
		// phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- $where is prepared below, $order written in this plugin.
		return array_map( array( self::class, 'of_row' ), $wpdb->get_results( "SELECT ID, post_title, post_content, menu_order, post_parent FROM $wpdb->posts WHERE $where ORDER BY $order" . $wpdb->prepare( ' LIMIT %d OFFSET %d', $limit, $offset ) ) );
	}

	public static function count( string $search = '' ): int {
		global $wpdb;
		return (int) $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->posts WHERE " . self::where( $search ) );
	}

	/**
	 * @return Redirect|null
	 */
	public static function get( int $id ): ?array {
		return self::one( 'ID = %d', $id );
	}

	/**
	 * @param string $from As `RedirectRules::path` gives it.
	 * @return Redirect|null
	 */
	public static function at( string $from ): ?array {
		return self::one( 'post_name = %s', self::name( $from ) );
	}

	/**
	 * @return Redirect[] Those a page left when it moved or went.
	 */
	public static function left_by( int $page ): array {
		global $wpdb;
		$where = self::where( '' );
		return array_map( array( self::class, 'of_row' ), $wpdb->get_results( $wpdb->prepare( "SELECT ID, post_title, post_content, menu_order, post_parent FROM $wpdb->posts WHERE $where AND post_parent = %d", $page ) ) );
	}

	/**
	 * Keeps a redirect; what it is made of has been judged.
	 *
	 * @param Redirect $redirect Id 0: a new one.
	 * @return int Its id, 0 where WordPress would not take it.
	 */
	public static function save( array $redirect ): int {
		$post = array(
			'ID'           => $redirect['id'],
			'post_type'    => self::TYPE,
			'post_status'  => 'private',
			'post_name'    => self::name( $redirect['from'] ),
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

	/** Tells whoever listens, the site's messenger first of all, that redirects are others now. */
	public static function changed( string $path ): void {
		do_action( 'pillion_changed', 'redirects', 0, $path, 'publish' );
	}

	private static function name( string $from ): string {
		return md5( $from );
	}

	private static function where( string $search ): string {
		global $wpdb;
		$where = $wpdb->prepare( "post_type = %s AND post_status = 'private'", self::TYPE );
		if ( '' === $search ) {
			return $where;
		}
		// Stored encoded, typed as people write.
		$like = '%' . $wpdb->esc_like( implode( '/', array_map( 'rawurlencode', explode( '/', rawurldecode( $search ) ) ) ) ) . '%';
		return $where . $wpdb->prepare( ' AND (post_title LIKE %s OR post_content LIKE %s)', $like, $like );
	}

	/**
	 * @param string     $condition SQL with one placeholder.
	 * @param string|int $value
	 * @return Redirect|null
	 */
	private static function one( string $condition, $value ): ?array {
		global $wpdb;
		$where = self::where( '' );
		// phpcs:ignore WordPress.DB.PreparedSQL.InterpolatedNotPrepared, WordPress.DB.PreparedSQLPlaceholders -- both are of this class.
		$row = $wpdb->get_row( $wpdb->prepare( "SELECT ID, post_title, post_content, menu_order, post_parent FROM $wpdb->posts WHERE $where AND $condition ORDER BY ID LIMIT 1", $value ) );
		return $row ? self::of_row( $row ) : null;
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
			// WordPress writes the entity where the user may not write HTML.
			'to'     => str_replace( '&amp;', '&', (string) $row->post_content ),
			'page'   => (int) $row->post_parent,
		);
	}
}
