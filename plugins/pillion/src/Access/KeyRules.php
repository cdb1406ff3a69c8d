<?php
/**
 * What a consumer key may ask for: the calls the site makes (packages/content/src/wordpress/endpoints.ts), read as anybody may read them
 * but for what is lent here. A route of this plugin says itself that it is for the site, by `KeyRules::MARK` among the
 * arguments of `register_rest_route()`. For everything else a key is no key.
 */

namespace Pillion\Access;

use Pillion\Content\Routes;
use Pillion\Content\Strings;
use Pillion\Lib\Language;
use WP_Error;
use WP_REST_Request;

final class KeyRules {
	/** Argument of a route that is for the site's server; its value is the list of capabilities it needs, mostly none. */
	const MARK = 'pillion_key';

	/** Settings of WordPress that the site's pages show anyway. All others, the administrator's address first, stay here. */
	const SETTINGS = array( 'title', 'description', 'language', 'show_on_front', 'page_on_front', 'page_for_posts', 'posts_per_page', 'site_logo', 'site_icon' );

	/** Form of Gravity Forms, or of this plugin in its place. */
	const FORM = '~^/gf/v2/forms/\d+$~';

	/** What Gravity Forms asks of who reads a form. */
	const FORM_CAPABILITY = 'gravityforms_edit_forms';

	const SUBMISSIONS = '~^/gf/v2/forms/\d+/submissions$~';

	const MENU_ITEMS = '~^/wp/v2/menu-items(?:/\d+)?$~';

	/**
	 * @param array<string, mixed> $handler As WordPress matched it.
	 * @return string[]|null Capabilities that this call needs; null where it is not for a key.
	 */
	public static function capabilities( WP_REST_Request $request, array $handler ): ?array {
		if ( isset( $handler[ self::MARK ] ) ) {
			return array_map( 'strval', (array) $handler[ self::MARK ] );
		}
		$route = untrailingslashit( $request->get_route() );
		if ( 'POST' === $request->get_method() ) {
			// Gravity Forms itself lets anybody send.
			return preg_match( self::SUBMISSIONS, $route ) ? array() : null;
		}
		if ( ! in_array( $request->get_method(), array( 'GET', 'HEAD' ), true ) ) {
			return null;
		}
		foreach ( self::reads() as $pattern => $capabilities ) {
			if ( preg_match( $pattern, $route ) ) {
				return $capabilities;
			}
		}
		return null;
	}

	/**
	 * @return array<string, string[]> Capabilities by pattern of the routes that need them.
	 */
	private static function reads(): array {
		return array(
			'~^$~'                                          => array(),
			'~^/wp/v2/(?:' . self::types() . ')(?:/\d+)?$~' => array(),
			'~^/wp/v2/media(?:/\d+)?$~'                     => array(),
			'~^/wp/v2/search$~'                             => array(),
			'~^/wp/v2/menus(?:/\d+)?$~'                     => array( 'edit_theme_options' ),
			self::MENU_ITEMS                                => array( 'edit_theme_options' ),
			'~^/wp/v2/menu-locations(?:/[\w-]+)?$~'         => array( 'edit_theme_options' ),
			'~^/wp/v2/settings$~'                           => array( 'manage_options' ),
			self::FORM                                      => array( self::FORM_CAPABILITY ),
		);
	}

	/** Names under which WordPress answers with pages of the site, for a pattern. */
	private static function types(): string {
		$bases = array();
		foreach ( Routes::types() as $type ) {
			$object  = get_post_type_object( $type );
			$bases[] = preg_quote( $object && $object->rest_base ? (string) $object->rest_base : $type, '~' );
		}
		return implode( '|', $bases );
	}

	/** What is lent opens drafts of menus too: a key asks for what is published, as visitors see it. */
	public static function refusal( WP_REST_Request $request ): ?WP_Error {
		$statuses = array_diff( wp_parse_list( $request['status'] ?? array() ), array( 'publish', 'inherit' ) );
		if ( 'edit' !== $request['context'] && ( ! $statuses || 'POST' === $request->get_method() ) ) {
			return null;
		}
		return new WP_Error( 'pillion_key_published_only', __( 'A consumer key reads what is published: leave out context=edit and other states than publish.', 'pillion' ), array( 'status' => 403 ) );
	}

	/**
	 * Takes out of an answer what the site has no use for.
	 *
	 * @param mixed $answer
	 * @return mixed
	 */
	public static function trim( $answer, WP_REST_Request $request ) {
		$route = untrailingslashit( $request->get_route() );
		if ( is_wp_error( $answer ) || ! preg_match( '~^/wp/v2/settings$~', $route ) && ! preg_match( self::FORM, $route ) && ! preg_match( self::MENU_ITEMS, $route ) ) {
			return $answer;
		}
		$answer = rest_ensure_response( $answer );
		$data   = $answer->get_data();
		if ( is_array( $data ) ) {
			$answer->set_data( self::trimmed( $data, $route ) );
		}
		return $answer;
	}

	/**
	 * @param mixed[] $data
	 * @return mixed[]
	 */
	private static function trimmed( array $data, string $route ): array {
		if ( '/wp/v2/settings' === $route ) {
			$own = array_map( array( Strings::class, 'option' ), Language::all() );
			return array_intersect_key( $data, array_flip( array_merge( self::SETTINGS, $own ) ) );
		}
		if ( preg_match( self::FORM, $route ) ) {
			// Whom it mails is in there.
			return isset( $data['notifications'] ) ? array( 'notifications' => array() ) + $data : $data;
		}
		return isset( $data['id'] ) ? ( self::is_shown( $data ) ? $data : array() ) : array_values( array_filter( $data, array( self::class, 'is_shown' ) ) );
	}

	/**
	 * A menu may hold a page that is not published, with its title.
	 *
	 * @param mixed $item Of a menu, as core answers it.
	 */
	private static function is_shown( $item ): bool {
		return is_array( $item ) && ( 'post_type' !== ( $item['type'] ?? '' ) || 'publish' === get_post_status( (int) ( $item['object_id'] ?? 0 ) ) );
	}
}
