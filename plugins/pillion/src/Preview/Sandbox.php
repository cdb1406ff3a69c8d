<?php
/**
 * Runs code as if a draft were published. Writes of blocks and plugins during that time reach neither the database nor
 * a persistent object cache.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyUser;
use WP_Post;

final class Sandbox {
	/** Queries that only read, with leading comments. */
	const READ_QUERY = '~^(?:\s|/\*.*?\*/|\()*(?:SELECT|SHOW|DESC|DESCRIBE|EXPLAIN|SET)\b~is';

	/** After the filters of other plugins, so that the draft's meta takes precedence. */
	const PRIORITY = 99;

	/**
	 * Runs a function with the draft in place of the saved post, as the user and in the language of the site's
	 * requests.
	 *
	 * @param WP_Post                $post As it would be published.
	 * @param array<string, mixed[]> $meta Values by key that differ from the saved ones.
	 * @return mixed The result of `$work`.
	 */
	public static function run( WP_Post $post, array $meta, callable $work ) {
		$user        = get_current_user_id();
		$global_post = $GLOBALS['post'] ?? null;
		$cache       = $GLOBALS['wp_object_cache'];
		$switched    = determine_locale() !== get_locale() && switch_to_locale( get_locale() );
		$meta_filter = self::draft_meta_filter( $post->ID, $meta );

		$external    = wp_using_ext_object_cache();
		$draft_cache = new ReadThroughCache( $cache );
		$draft_cache->set( $post->ID, (object) get_object_vars( $post ), 'posts' );
		$GLOBALS['wp_object_cache'] = $draft_cache;
		if ( ! self::is_used_by_wordpress( $draft_cache ) ) {
			// The plugin's cache does not use the global object. Transients then go to the database, which only reads.
			wp_using_ext_object_cache( false );
		}
		add_filter( 'query', array( self::class, 'drop_writes' ), PHP_INT_MAX );
		add_filter( 'get_post_metadata', $meta_filter, self::PRIORITY, 4 );
		wp_set_current_user( KeyUser::id() );
		try {
			return $work();
		} finally {
			wp_set_current_user( $user );
			remove_filter( 'get_post_metadata', $meta_filter, self::PRIORITY );
			remove_filter( 'query', array( self::class, 'drop_writes' ), PHP_INT_MAX );
			wp_using_ext_object_cache( $external );
			$GLOBALS['wp_object_cache'] = $cache;
			$GLOBALS['post']            = $global_post;
			if ( $switched ) {
				restore_previous_locale();
			}
		}
	}

	/** Whether WordPress' cache functions use this object; some plugins use another place. */
	private static function is_used_by_wordpress( ReadThroughCache $cache ): bool {
		$cache->set( 'is_used', 'yes', 'pillion' );
		return 'yes' === wp_cache_get( 'is_used', 'pillion' );
	}

	/**
	 * @param string $query
	 * @return string Empty for a query that writes: WordPress then does not run it.
	 */
	public static function drop_writes( $query ): string {
		return preg_match( self::READ_QUERY, (string) $query ) ? (string) $query : '';
	}

	/**
	 * A filter for `get_post_metadata` that returns the draft's values. Without a key WordPress wants all meta, so the
	 * filter removes itself to read the saved ones.
	 *
	 * @param array<string, mixed[]> $meta
	 */
	private static function draft_meta_filter( int $post_id, array $meta ): callable {
		$filter = static function ( $value, $id, $key, $single ) use ( &$filter, $post_id, $meta ) {
			if ( (int) $id !== $post_id ) {
				return $value;
			}
			if ( '' !== (string) $key ) {
				if ( ! array_key_exists( $key, $meta ) ) {
					return $value;
				}
				// WordPress returns the first value of a list for `$single`, so an empty list needs one.
				return array() === $meta[ $key ] && $single ? array( '' ) : $meta[ $key ];
			}
			remove_filter( 'get_post_metadata', $filter, self::PRIORITY );
			$all = (array) get_metadata( 'post', $post_id );
			add_filter( 'get_post_metadata', $filter, self::PRIORITY, 4 );
			foreach ( $meta as $name => $values ) {
				$all[ $name ] = array_map( 'maybe_serialize', $values );
			}
			$all = array_filter( $all );
			// As above; WordPress itself ignores `$single` for a request without key.
			return $single ? array( $all ) : $all;
		};
		return $filter;
	}
}
