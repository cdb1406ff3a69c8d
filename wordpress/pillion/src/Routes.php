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
		$types = get_post_types(
			array(
				'public'       => true,
				'show_in_rest' => true,
			)
		);
		unset( $types['attachment'] );
		$arguments = array(
			'post_type'              => array_values( $types ),
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
	 * @return array{id: int, type: string, rest_base: string, slug: string, path: string, title: string, template: string, theme: string, is_front: bool, lang: string, modified: string, noindex: bool}
	 */
	private static function route( WP_Post $post, string $lang ): array {
		$front = self::is_front( $post );
		return array(
			'id'        => $post->ID,
			'type'      => $post->post_type,
			'rest_base' => self::rest_base( $post->post_type ),
			'slug'      => $post->post_name,
			'path'      => $front ? '/' : self::path( $post ),
			'title'     => html_entity_decode( wp_strip_all_tags( get_the_title( $post ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'template'  => Templates::of( $post ),
			'theme'     => Acf::theme_of( $post->ID ),
			'is_front'  => $front,
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
