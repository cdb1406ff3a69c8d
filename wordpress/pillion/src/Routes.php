<?php
/**
 * Every page there is, by path: `gusto/routes` (R29).
 */

namespace Pillion;

use WP_Post;
use WP_Query;
use WP_REST_Request;
use WP_REST_Response;

final class Routes {
	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
	}

	public function register_route(): void {
		register_rest_route(
			'gusto',
			'/routes',
			array(
				'methods'             => 'GET',
				'permission_callback' => '__return_true',
				'args'                => Language::ARGUMENT,
				'callback'            => array( $this, 'get_routes' ),
			)
		);
	}

	public function get_routes( WP_REST_Request $request ): WP_REST_Response {
		$lang   = Language::of( $request );
		$routes = array();
		foreach ( self::published( $lang ) as $post ) {
			$routes[] = self::route( $post, $lang );
		}
		return new WP_REST_Response( $routes );
	}

	/**
	 * Published posts of every public type, whoever asks: a key sees no draft here either.
	 *
	 * @return WP_Post[]
	 */
	private static function published( string $lang ): array {
		$arguments = array(
			'post_type'              => self::types(),
			'post_status'            => 'publish',
			'has_password'           => false,
			'posts_per_page'         => -1,
			'orderby'                => 'ID',
			'order'                  => 'ASC',
			'no_found_rows'          => true,
			'ignore_sticky_posts'    => true,
			'update_post_term_cache' => false,
			// Read by Polylang and by WPML's bridge; core ignores it.
			'lang'                   => $lang,
		);
		return ( new WP_Query( apply_filters( 'pillion_routes_query', $arguments, $lang ) ) )->posts;
	}

	/**
	 * Post types whose posts are pages of the site.
	 *
	 * @return string[]
	 */
	public static function types(): array {
		$types = get_post_types(
			array(
				'public'       => true,
				'show_in_rest' => true,
			)
		);
		unset( $types['attachment'] );
		return array_values( $types );
	}

	/** Where the site shows a post; null where it does not: a draft, a page under a password, a type that has no pages. */
	public static function path_of( int $post_id ): ?string {
		$post = get_post( $post_id );
		if ( ! $post || 'publish' !== $post->post_status || '' !== $post->post_password || ! in_array( $post->post_type, self::types(), true ) ) {
			return null;
		}
		return self::is_front( $post ) ? '/' : self::path( $post );
	}

	/** The post that the site shows at a path, 0 for none. */
	public static function post_at( string $path ): int {
		$id = url_to_postid( home_url( $path ) );
		if ( ! $id ) {
			$page = get_page_by_path( trim( $path, '/' ), OBJECT, self::types() );
			$id   = $page ? $page->ID : 0;
		}
		$shown = self::path_of( $id );
		return null !== $shown && RedirectRules::path( $shown ) === RedirectRules::path( $path ) ? $id : 0;
	}

	/**
	 * @return array{id: int, type: string, rest_base: string, slug: string, path: string, title: string, template: string, theme: string, is_front: bool, lang: string, modified: string, noindex: bool}
	 */
	private static function route( WP_Post $post, string $lang ): array {
		return array(
			'id'        => $post->ID,
			'type'      => $post->post_type,
			'rest_base' => self::rest_base( $post->post_type ),
			'slug'      => $post->post_name,
			'path'      => self::is_front( $post ) ? '/' : self::path( $post ),
			'title'     => html_entity_decode( wp_strip_all_tags( get_the_title( $post ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'template'  => Templates::of( $post ),
			'theme'     => Acf::theme_of( $post->ID ),
			'is_front'  => self::is_front( $post ),
			'lang'      => $lang,
			'modified'  => (string) mysql_to_rfc3339( $post->post_modified_gmt ),
			'noindex'   => Found::is_hidden( $post ),
		);
	}

	private static function is_front( WP_Post $post ): bool {
		return 'page' === get_option( 'show_on_front' ) && (int) get_option( 'page_on_front' ) === $post->ID;
	}

	private static function rest_base( string $type ): string {
		$object = get_post_type_object( $type );
		return $object && $object->rest_base ? (string) $object->rest_base : $type;
	}

	/** Path below the site's own address, with the slashes its permalinks have. */
	private static function path( WP_Post $post ): string {
		if ( ! get_option( 'permalink_structure' ) ) {
			// Plain permalinks (`/?page_id=7`) carry no path: the names of the page and of those above it do.
			return '/' . get_page_uri( $post ) . '/';
		}
		$path = (string) wp_parse_url( (string) get_permalink( $post ), PHP_URL_PATH );
		$home = untrailingslashit( (string) wp_parse_url( home_url(), PHP_URL_PATH ) );
		return '' !== $home && 0 === strpos( $path, "$home/" ) ? substr( $path, strlen( $home ) ) : $path;
	}
}
