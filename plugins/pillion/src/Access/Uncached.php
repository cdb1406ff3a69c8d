<?php
/**
 * Keeps responses out of page caches, proxies and CDNs: all responses to a consumer key, and all at routes that the
 * site requests. These caches use the URL alone as the key: they would send a keyed response to any client, and stale
 * content to the site (decision 056).
 */

namespace Pillion\Access;

defined( 'ABSPATH' ) || exit;

use WP_REST_Request;

final class Uncached {
	/** One header per kind of cache: browsers and proxies, Varnish and Fastly, CDNs (RFC 9213), nginx, LiteSpeed. */
	const HEADERS = array(
		'Cache-Control'             => 'no-store, private',
		'Surrogate-Control'         => 'no-store',
		'CDN-Cache-Control'         => 'no-store',
		'X-Accel-Expires'           => '0',
		'X-LiteSpeed-Cache-Control' => 'no-cache',
	);

	/** All routes of this plugin and of forms. */
	const SITE_ROUTES = '~^/(?:gusto|pillion|gf)(?:/|$)~';

	public function register(): void {
		// Also if the key is wrong: that response must not be cached either.
		if ( Keys::is_sent() ) {
			self::forbid_caching();
		}
		add_filter( 'rest_pre_dispatch', array( $this, 'forbid_caching_of_route' ), PHP_INT_MIN, 3 );
	}

	/** Marks the response as uncacheable. Page cache plugins read the constant, other caches the headers. */
	public static function forbid_caching(): void {
		defined( 'DONOTCACHEPAGE' ) || define( 'DONOTCACHEPAGE', true );
		add_filter( 'nocache_headers', array( self::class, 'add_headers' ), PHP_INT_MAX );
		nocache_headers();
	}

	/** Marks responses of the site's routes, whether the client sends a key or not. */
	public function forbid_caching_of_route( $response, $server, WP_REST_Request $request ) {
		if ( Keys::is_rest() && ( preg_match( self::SITE_ROUTES, $request->get_route() ) || null !== KeyRules::capabilities( $request, array() ) ) ) {
			self::forbid_caching();
		}
		return $response;
	}

	/**
	 * @param array<string, string> $headers
	 * @return array<string, string>
	 */
	public static function add_headers( $headers ): array {
		return self::HEADERS + (array) $headers;
	}
}
