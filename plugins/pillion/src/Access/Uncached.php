<?php
/**
 * Keeps answers out of page caches, proxies and CDNs: every answer to a consumer key, and every answer at an address that
 * the site asks. Such caches know answers by their address alone: they would hand a keyed answer to any client, and the
 * site an answer from before the last edit (decision 056).
 */

namespace Pillion\Access;

use WP_REST_Request;

final class Uncached {
	/** One for each kind of cache: browsers and proxies, Varnish and Fastly, CDNs (RFC 9213), nginx, LiteSpeed's server. */
	const HEADERS = array(
		'Cache-Control'             => 'no-store, private',
		'Surrogate-Control'         => 'no-store',
		'CDN-Cache-Control'         => 'no-store',
		'X-Accel-Expires'           => '0',
		'X-LiteSpeed-Cache-Control' => 'no-cache',
	);

	/** All routes of this plugin, and of forms. */
	const OWN = '~^/(?:gusto|pillion|gf)(?:/|$)~';

	public function register(): void {
		// Whether the key is right is not known yet: the answer to a wrong one is not for a cache either.
		if ( Keys::is_sent() ) {
			self::mark();
		}
		add_filter( 'rest_pre_dispatch', array( $this, 'mark_route' ), PHP_INT_MIN, 3 );
	}

	/** Marks the answer of this request. Page caches of plugins obey the constant, everything else one of the headers. */
	public static function mark(): void {
		defined( 'DONOTCACHEPAGE' ) || define( 'DONOTCACHEPAGE', true );
		add_filter( 'nocache_headers', array( self::class, 'headers' ), PHP_INT_MAX );
		nocache_headers();
	}

	/**
	 * @param mixed $response
	 * @param mixed $server
	 * @return mixed
	 */
	public function mark_route( $response, $server, WP_REST_Request $request ) {
		if ( Keys::is_rest() && ( preg_match( self::OWN, $request->get_route() ) || null !== KeyRules::capabilities( $request, array() ) ) ) {
			self::mark();
		}
		return $response;
	}

	/**
	 * @param array<string, string> $headers
	 * @return array<string, string>
	 */
	public static function headers( $headers ): array {
		return self::HEADERS + (array) $headers;
	}
}
