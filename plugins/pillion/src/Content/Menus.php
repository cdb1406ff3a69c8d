<?php
/**
 * Menu locations, and the menus in them: `gusto/nav/menu-locations` (R17).
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Languages\Translations;
use Pillion\Lib\Data;
use Pillion\Lib\Language;
use WP_Error;
use WP_REST_Request;
use WP_REST_Response;

/** @phpstan-type Item array{id: int, title: string, url: string, target: string, classes: string[], children: array<int, mixed>} */
final class Menus {
	public function register(): void {
		// After the theme's locations, so that these are listed last.
		add_action( 'after_setup_theme', array( $this, 'register_locations' ), 20 );
		add_action( 'rest_api_init', array( $this, 'register_routes' ) );
	}

	public function register_locations(): void {
		$locations = array();
		// Polylang adds a location per language itself.
		foreach ( Translations::are_elsewhere() ? array( Language::default_tag() ) : Language::all() as $lang ) {
			foreach ( self::location_names() as $location => $name ) {
				$suffix                           = Language::suffix( $lang );
				$locations[ $location . $suffix ] = $suffix ? "$name ($lang)" : $name;
			}
		}
		register_nav_menus( $locations );
	}

	public function register_routes(): void {
		KeyRules::add_route( 'gusto', '/nav/menu-locations', array( $this, 'get_locations' ), '__return_true', Language::ARGUMENT );
		KeyRules::add_route( 'gusto', '/nav/menu-locations/(?P<location>[\w-]+)', array( $this, 'get_location' ), '__return_true', Language::ARGUMENT );
	}

	public function get_locations( WP_REST_Request $request ): WP_REST_Response {
		$lang  = Language::requested( $request );
		$menus = array();
		foreach ( array_keys( self::location_names() ) as $location ) {
			$menus[ $location ] = self::menu_at( $location, $lang );
		}
		return new WP_REST_Response( $menus );
	}

	/** @return WP_REST_Response|WP_Error 404 if the location is unknown or has no menu. */
	public function get_location( WP_REST_Request $request ) {
		$menu = self::menu_at( (string) $request['location'], Language::requested( $request ) );
		return $menu
			? new WP_REST_Response( $menu )
			: new WP_Error( 'pillion_menu_not_found', __( 'No menu is set for that location.', 'pillion' ), array( 'status' => 404 ) );
	}

	/** @return array<string, string> Names on the Menus screen, by location. */
	public static function location_names(): array {
		return array(
			'main_menu'   => __( 'Main menu', 'pillion' ),
			'social_menu' => __( 'Social networks', 'pillion' ),
			'legals_menu' => __( 'Legal pages', 'pillion' ),
		);
	}

	/**
	 * The menu of a location. A language without one gets the menu of a fallback language, with links to its own pages.
	 *
	 * @return array{id: int, name: string, slug: string, items: Item[]}|null
	 */
	private static function menu_at( string $location, string $lang ): ?array {
		$menu_id    = 0;
		$found_lang = $lang;
		foreach ( Language::order( $lang ) as $found_lang ) {
			$menu_id = Translations::source()->menu_at( $location, $found_lang );
			if ( $menu_id ) {
				break;
			}
		}
		$menu = isset( self::location_names()[ $location ] ) && $menu_id ? wp_get_nav_menu_object( $menu_id ) : false;
		if ( ! $menu ) {
			return null;
		}
		$items = self::visible_items( (int) $menu->term_id );
		if ( $found_lang !== $lang ) {
			self::translate_links( $items, $lang );
		}
		return array(
			'id'    => (int) $menu->term_id,
			'name'  => $menu->name,
			'slug'  => $menu->slug,
			'items' => self::build_tree( $items ),
		);
	}

	/**
	 * Menu items without those of pages that the site does not show: deleted ones, which WordPress marks, unpublished
	 * ones, and ones with a password. Polylang's language switcher is left out too, because the site has its own.
	 *
	 * @return \WP_Post[]
	 */
	private static function visible_items( int $menu_id ): array {
		return array_filter(
			Data::to_array( wp_get_nav_menu_items( $menu_id ) ),
			static fn( $item ): bool => empty( $item->_invalid ) && '#pll_switcher' !== $item->url && ( 'post_type' !== $item->type || self::is_shown( (int) $item->object_id ) )
		);
	}

	private static function is_shown( int $post_id ): bool {
		return 'publish' === get_post_status( $post_id ) && '' === get_post_field( 'post_password', $post_id );
	}

	/**
	 * Adapts a fallback language's menu: links to pages lead to their translations. A title that equals the page's
	 * title becomes the title of the translation.
	 *
	 * @param \WP_Post[] $items Changed in place.
	 */
	private static function translate_links( array $items, string $lang ): void {
		foreach ( $items as $item ) {
			if ( 'post_type' !== $item->type ) {
				continue;
			}
			$item->url   = Translations::url_in( (int) $item->object_id, $lang, (string) $item->url );
			$translation = Translations::group( Translations::group_of( (int) $item->object_id ) )[ $lang ] ?? null;
			if ( $translation && self::is_shown( $translation->ID ) && get_the_title( (int) $item->object_id ) === $item->title ) {
				$item->title = get_the_title( $translation );
			}
		}
	}

	/**
	 * Items below their parents. An item whose parent is not shown moves to the top level.
	 *
	 * @param \WP_Post[] $posts
	 * @return Item[]
	 */
	private static function build_tree( array $posts, int $parent = 0 ): array {
		$ids   = wp_list_pluck( $posts, 'ID' );
		$items = array();
		foreach ( $posts as $post ) {
			$item_parent = in_array( (int) $post->menu_item_parent, $ids, true ) ? (int) $post->menu_item_parent : 0;
			if ( $item_parent === $parent ) {
				$items[] = self::to_item( $post ) + array( 'children' => self::build_tree( $posts, (int) $post->ID ) );
			}
		}
		return $items;
	}

	/**
	 * @param \WP_Post $post A menu item from wp_get_nav_menu_items().
	 * @return array{id: int, title: string, url: string, target: string, classes: string[]}
	 */
	private static function to_item( $post ): array {
		return array(
			'id'      => (int) $post->ID,
			// Titles are stored with HTML entities; the response has plain text.
			'title'   => html_entity_decode( (string) $post->title, ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'url'     => (string) $post->url,
			'target'  => (string) $post->target,
			'classes' => array_values( array_filter( array_map( 'strval', (array) $post->classes ) ) ),
		);
	}
}
