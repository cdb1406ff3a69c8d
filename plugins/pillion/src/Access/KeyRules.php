<?php
/**
 * The requests that a consumer key allows: those of the site (packages/content/src/wordpress/endpoints.ts), with the
 * rights of a logged-out client plus the capabilities listed here. A route of this plugin declares that it is for the
 * site with `KeyRules::MARK` among the arguments of `register_rest_route()`, as `add_route()` does. Other requests ignore
 * the key.
 */

namespace Pillion\Access;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Content\Strings;
use Pillion\Lib\Language;
use WP_Error;
use WP_REST_Request;

final class KeyRules {
	/**
	 * Argument of a route for the site's server. Its value lists the capabilities that the route needs; most need none.
	 */
	const MARK = 'pillion_key';

	/** WordPress settings that the site's pages show. The site gets no others, such as the administrator's address. */
	const SETTINGS = array( 'title', 'description', 'language', 'show_on_front', 'page_on_front', 'page_for_posts', 'posts_per_page', 'site_logo', 'site_icon' );

	/** Route of a form, of Gravity Forms or of this plugin. */
	const FORM = '~^/gf/v2/forms/\d+$~';

	/** The capability that Gravity Forms requires for reading a form. */
	const FORM_CAPABILITY = 'gravityforms_edit_forms';

	const SUBMISSIONS = '~^/gf/v2/forms/\d+/submissions$~';

	const MENU_ITEM = '~^/wp/v2/menu-items/\d+$~';

	/** Route of the list of menu items. */
	const MENU_ITEMS = '/wp/v2/menu-items';

	/** Registers a route for the site's server, which may send its key. It needs none of the lent capabilities. */
	public static function add_route( string $route_namespace, string $path, callable $callback, callable $permission, array $args = array(), string $method = 'GET' ): void {
		register_rest_route(
			$route_namespace,
			$path,
			array(
				'methods'             => $method,
				'permission_callback' => $permission,
				'callback'            => $callback,
				'args'                => $args,
				self::MARK            => array(),
			)
		);
	}

	/**
	 * @param array<string, mixed> $handler Arguments of the route that WordPress matched; empty before that.
	 * @return string[]|null Capabilities that this call needs; null if the call ignores keys.
	 */
	public static function capabilities( WP_REST_Request $request, array $handler ): ?array {
		if ( isset( $handler[ self::MARK ] ) ) {
			return array_map( 'strval', (array) $handler[ self::MARK ] );
		}
		$route = untrailingslashit( $request->get_route() );
		// In patterns `$` also matches before a final line break, so WordPress finds a route that `trim_data` does not.
		if ( str_ends_with( $route, "\n" ) ) {
			return null;
		}
		if ( 'POST' === $request->get_method() ) {
			// Gravity Forms accepts submissions from any client.
			return preg_match( self::SUBMISSIONS, $route ) ? array() : null;
		}
		if ( ! in_array( $request->get_method(), array( 'GET', 'HEAD' ), true ) ) {
			return null;
		}
		foreach ( self::readable_routes() as $pattern => $capabilities ) {
			if ( preg_match( $pattern, $route ) ) {
				return $capabilities;
			}
		}
		return null;
	}

	/** @return array<string, string[]> Required capabilities by pattern of the route. The index is an empty route. */
	private static function readable_routes(): array {
		return array(
			'~^$~'                                          => array(),
			'~^/wp/v2/(?:' . self::type_pattern() . ')(?:/\d+)?$~' => array(),
			'~^/wp/v2/media(?:/\d+)?$~'                     => array(),
			'~^/wp/v2/search$~'                             => array(),
			'~^/wp/v2/menus(?:/\d+)?$~'                     => array( 'edit_theme_options' ),
			'~^/wp/v2/menu-items(?:/\d+)?$~'                => array( 'edit_theme_options' ),
			'~^/wp/v2/menu-locations(?:/[\w-]+)?$~'         => array( 'edit_theme_options' ),
			'~^/wp/v2/settings$~'                           => array( 'manage_options' ),
			self::FORM                                      => array( self::FORM_CAPABILITY ),
		);
	}

	/** Pattern of the REST bases of all post types that the site shows. */
	private static function type_pattern(): string {
		return implode( '|', array_map( static fn( string $type ): string => preg_quote( Routes::rest_base( $type ), '~' ), Routes::types() ) );
	}

	/**
	 * The lent capabilities also open drafts of menus, so a key may only request published content.
	 *
	 * @return WP_Error|null Null if the request is allowed.
	 */
	public static function draft_refusal( WP_REST_Request $request ): ?WP_Error {
		$unpublished = array_diff( wp_parse_list( $request['status'] ?? array() ), array( 'publish', 'inherit' ) );
		// `status` of a POST request is a value to store.
		if ( 'edit' !== $request['context'] && ( ! $unpublished || 'POST' === $request->get_method() ) ) {
			return null;
		}
		return new WP_Error( 'pillion_key_published_only', __( 'A consumer key can read published content only. Leave out context=edit and any status other than publish.', 'pillion' ), array( 'status' => 403 ) );
	}

	/** Removes data that the site does not need from a response. */
	public static function trim_response( $response, WP_REST_Request $request ) {
		$response = rest_ensure_response( $response );
		$data     = is_wp_error( $response ) ? null : $response->get_data();
		if ( is_array( $data ) ) {
			$response->set_data( self::trim_data( $data, untrailingslashit( $request->get_route() ) ) );
		}
		return $response;
	}

	private static function trim_data( array $data, string $route ): array {
		if ( '/wp/v2/settings' === $route ) {
			$string_options = array_map( array( Strings::class, 'option' ), Language::all() );
			return array_intersect_key( $data, array_flip( array_merge( self::SETTINGS, $string_options ) ) );
		}
		if ( preg_match( self::FORM, $route ) ) {
			// Notifications hold the recipients of mails.
			return isset( $data['notifications'] ) ? array( 'notifications' => array() ) + $data : $data;
		}
		if ( preg_match( self::MENU_ITEM, $route ) ) {
			// Lists contain no draft items, because their default status is `publish`.
			$is_published = 'publish' === get_post_status( (int) ( $data['id'] ?? 0 ) ) && self::is_published_item( $data );
			return $is_published ? $data : array();
		}
		return self::MENU_ITEMS === $route ? array_values( array_filter( $data, array( self::class, 'is_published_item' ) ) ) : $data;
	}

	/**
	 * Whether the site may get a menu item. The item of an unpublished post would show its title. An item without the
	 * needed members, because the client requested others (`_fields`), counts as unpublished.
	 *
	 * @param mixed $item Of a menu, as in core's response.
	 */
	private static function is_published_item( $item ): bool {
		if ( 'post_type' !== ( $item['type'] ?? 'post_type' ) ) {
			return true;
		}
		$post_id = (int) ( $item['object_id'] ?? 0 );
		return $post_id && 'publish' === get_post_status( $post_id );
	}
}
