<?php
/**
 * Lets WordPress work as if a draft were published, and keeps nothing of what it does meanwhile: not in the database, not
 * in an object cache that outlives the request, whatever a block or another plugin wants to remember.
 */

namespace Pillion\Preview;

use Pillion\Access\KeyUser;
use WP_Post;

final class Sandbox {
	/** What only reads, whatever comments stand before it. */
	const READS = '~^(?:\s|/\*.*?\*/|\()*(?:SELECT|SHOW|DESC|DESCRIBE|EXPLAIN|SET)\b~is';

	/** After what other plugins make of a post's meta: the draft has the last word. */
	const PRIORITY = 99;

	/**
	 * Does something with the draft in the place of what is saved, as the user and in the language that the site is
	 * answered with.
	 *
	 * @param WP_Post                $post As it would be published.
	 * @param array<string, mixed[]> $meta Its values by key, where they differ from what is saved.
	 * @param callable               $work
	 * @return mixed What `$work` returns.
	 */
	public static function run( WP_Post $post, array $meta, callable $work ) {
		$user     = get_current_user_id();
		$shown    = $GLOBALS['post'] ?? null;
		$cache    = $GLOBALS['wp_object_cache'];
		$switched = determine_locale() !== get_locale() && switch_to_locale( get_locale() );
		$read     = self::meta_filter( $post->ID, $meta );

		$external = wp_using_ext_object_cache();
		$own      = new ReadThroughCache( $cache );
		$own->set( $post->ID, (object) get_object_vars( $post ), 'posts' );
		$GLOBALS['wp_object_cache'] = $own;
		if ( ! self::is_asked( $own ) ) {
			// A plugin's cache that lies elsewhere: transients at least go to the database then, which only reads.
			wp_using_ext_object_cache( false );
		}
		add_filter( 'query', array( self::class, 'only_read' ), PHP_INT_MAX );
		add_filter( 'get_post_metadata', $read, self::PRIORITY, 4 );
		wp_set_current_user( KeyUser::id() );
		try {
			return $work();
		} finally {
			wp_set_current_user( $user );
			remove_filter( 'get_post_metadata', $read, self::PRIORITY );
			remove_filter( 'query', array( self::class, 'only_read' ), PHP_INT_MAX );
			wp_using_ext_object_cache( $external );
			$GLOBALS['wp_object_cache'] = $cache;
			$GLOBALS['post']            = $shown;
			if ( $switched ) {
				restore_previous_locale();
			}
		}
	}

	/** Whether WordPress' functions for the cache ask this one: some plugins keep theirs in a place of their own. */
	private static function is_asked( ReadThroughCache $own ): bool {
		$own->set( 'asked', 'here', 'pillion' );
		return 'here' === wp_cache_get( 'asked', 'pillion' );
	}

	/**
	 * @param string $query
	 * @return string Empty where it would write: WordPress then asks nothing.
	 */
	public static function only_read( $query ): string {
		return preg_match( self::READS, (string) $query ) ? (string) $query : '';
	}

	/**
	 * @param array<string, mixed[]> $meta
	 */
	private static function meta_filter( int $post_id, array $meta ): callable {
		$read = static function ( $value, $id, $key, $single ) use ( &$read, $post_id, $meta ) {
			if ( (int) $id !== $post_id ) {
				return $value;
			}
			if ( '' !== (string) $key ) {
				// WordPress takes the first of a list, so an empty one needs a first.
				return array_key_exists( $key, $meta ) ? ( $meta[ $key ] || ! $single ? $meta[ $key ] : array( '' ) ) : $value;
			}
			remove_filter( 'get_post_metadata', $read, self::PRIORITY );
			$all = (array) get_metadata( 'post', $post_id );
			add_filter( 'get_post_metadata', $read, self::PRIORITY, 4 );
			foreach ( $meta as $name => $values ) {
				$all[ $name ] = array_map( 'maybe_serialize', $values );
			}
			return array_filter( $all );
		};
		return $read;
	}
}
