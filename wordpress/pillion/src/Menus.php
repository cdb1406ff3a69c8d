<?php
/**
 * Menu locations, and the menus in them: `gusto/nav/menu-locations` (R17).
 */

namespace Pillion;

use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

/**
 * @phpstan-type Item array{id: int, title: string, url: string, target: string, classes: string[], children: array<int, mixed>}
 */
final class Menus {
	public function register(): void {
		// After the theme's own, so that ours come last in the list of locations.
		add_action( 'after_setup_theme', array( $this, 'register_locations' ), 20 );
		add_action( 'rest_api_init', array( $this, 'register_routes' ) );
	}

	public function register_locations(): void {
		$locations = array();
		foreach ( Language::all() as $lang ) {
			foreach ( self::names() as $location => $name ) {
				$suffix                           = Language::suffix( $lang );
				$locations[ $location . $suffix ] = $suffix ? "$name ($lang)" : $name;
			}
		}
		register_nav_menus( $locations );
	}

	public function register_routes(): void {
		$route = array(
			'methods'             => 'GET',
			'permission_callback' => '__return_true',
			'args'                => Language::ARGUMENT,
		);
		register_rest_route( 'gusto', '/nav/menu-locations', $route + array( 'callback' => array( $this, 'get_locations' ) ) );
		register_rest_route( 'gusto', '/nav/menu-locations/(?P<location>[\w-]+)', $route + array( 'callback' => array( $this, 'get_location' ) ) );
	}

	public function get_locations( WP_REST_Request $request ): WP_REST_Response {
		$lang  = Language::of( $request );
		$menus = array();
		foreach ( array_keys( self::names() ) as $location ) {
			$menus[ $location ] = self::menu_at( $location, $lang );
		}
		return new WP_REST_Response( $menus );
	}

	/**
	 * @return WP_REST_Response|WP_Error 404 where the location is unknown or holds no menu.
	 */
	public function get_location( WP_REST_Request $request ) {
		$menu = self::menu_at( (string) $request['location'], Language::of( $request ) );
		return $menu
			? new WP_REST_Response( $menu )
			: new WP_Error( 'pillion_menu_not_found', __( 'No menu is set for that location.', 'pillion' ), array( 'status' => 404 ) );
	}

	/**
	 * @return array<string, string> Location → its name on the Menus screen.
	 */
	private static function names(): array {
		return array(
			'main_menu'   => __( 'Main menu', 'pillion' ),
			'social_menu' => __( 'Social networks', 'pillion' ),
			'legals_menu' => __( 'Legal pages', 'pillion' ),
		);
	}

	/**
	 * The menu of one location; that of the site's own language where the asked one has none.
	 *
	 * @return array{id: int, name: string, slug: string, items: Item[]}|null
	 */
	private static function menu_at( string $location, string $lang ): ?array {
		$menus = get_nav_menu_locations();
		$id    = $menus[ $location . Language::suffix( $lang ) ] ?? $menus[ $location ] ?? 0;
		$menu  = isset( self::names()[ $location ] ) && $id ? wp_get_nav_menu_object( $id ) : false;
		if ( ! $menu ) {
			return null;
		}
		return array(
			'id'    => (int) $menu->term_id,
			'name'  => $menu->name,
			'slug'  => $menu->slug,
			'items' => self::tree( self::visible_items( (int) $menu->term_id ) ),
		);
	}

	/**
	 * Items but those whose page is gone or not published: WordPress marks the first, the second only for its own themes.
	 *
	 * @return \WP_Post[]
	 */
	private static function visible_items( int $menu_id ): array {
		$items = wp_get_nav_menu_items( $menu_id );
		return array_filter(
			is_array( $items ) ? $items : array(),
			static function ( $item ): bool {
				return empty( $item->_invalid ) && ( 'post_type' !== $item->type || 'publish' === get_post_status( (int) $item->object_id ) );
			}
		);
	}

	/**
	 * Items under their parents. One whose parent is not shown comes to the top rather than vanish.
	 *
	 * @param \WP_Post[] $posts
	 * @return Item[]
	 */
	private static function tree( array $posts, int $parent = 0 ): array {
		$ids   = wp_list_pluck( $posts, 'ID' );
		$items = array();
		foreach ( $posts as $post ) {
			$above = in_array( (int) $post->menu_item_parent, $ids, true ) ? (int) $post->menu_item_parent : 0;
			if ( $above === $parent ) {
				$items[] = self::item( $post ) + array( 'children' => self::tree( $posts, (int) $post->ID ) );
			}
		}
		return $items;
	}

	/**
	 * @param \WP_Post $post A menu item as wp_get_nav_menu_items() gives it.
	 * @return array{id: int, title: string, url: string, target: string, classes: string[]}
	 */
	private static function item( $post ): array {
		return array(
			'id'      => (int) $post->ID,
			// Titles are stored with entities; what travels is text.
			'title'   => html_entity_decode( (string) $post->title, ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'url'     => (string) $post->url,
			'target'  => (string) $post->target,
			'classes' => array_values( array_filter( array_map( 'strval', (array) $post->classes ) ) ),
		);
	}
}
