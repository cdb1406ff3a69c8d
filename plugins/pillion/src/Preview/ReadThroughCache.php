<?php
/**
 * WordPress' object cache during a preview: reads from the real cache and keeps writes in memory. The next request must
 * not find data of a draft, even with Redis or Memcached. The methods have the signatures of WP_Object_Cache.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

final class ReadThroughCache {
	/** Methods of other caches that write: `setMulti()`, `add_by_key()`. */
	const WRITES = '/^(?:set|add(?!_global|_non)|replace|delete|remove|flush|incr|decr|cas|append|prepend)/i';

	/** @var object The cache of WordPress or of a plugin. */
	private $real_cache;

	/** @var array<string, mixed> Written values, by `full_key()`. */
	private $written = array();

	/** @var array<string, true> Deleted keys. */
	private $deleted = array();

	/** @var bool Whether the whole cache was flushed. */
	private $is_flushed = false;

	public function __construct( $real_cache ) {
		$this->real_cache = $real_cache;
	}

	public function get( $key, $group = 'default', $force = false, &$found = null ) {
		$name = self::full_key( $key, $group );
		if ( $this->is_unchanged( $name ) ) {
			return $this->real_cache->get( $key, $group, $force, $found );
		}
		$found = array_key_exists( $name, $this->written );
		$value = $found ? $this->written[ $name ] : false;
		return is_object( $value ) ? clone $value : $value;
	}

	public function get_multiple( $keys, $group = 'default', $force = false ): array {
		$unchanged = array_filter( $keys, fn( $key ): bool => $this->is_unchanged( self::full_key( $key, $group ) ) );
		$cached    = $unchanged ? (array) $this->real_cache->get_multiple( array_values( $unchanged ), $group, $force ) : array();
		$values    = array();
		foreach ( $keys as $key ) {
			$values[ $key ] = in_array( $key, $unchanged, true ) ? $cached[ $key ] ?? false : $this->get( $key, $group );
		}
		return $values;
	}

	public function set( $key, $value, $group = 'default' ): bool {
		$name                   = self::full_key( $key, $group );
		$this->written[ $name ] = is_object( $value ) ? clone $value : $value;
		unset( $this->deleted[ $name ] );
		return true;
	}

	public function add( $key, $value, $group = 'default' ): bool {
		return ! $this->has( $key, $group ) && $this->set( $key, $value, $group );
	}

	public function replace( $key, $value, $group = 'default' ): bool {
		return $this->has( $key, $group ) && $this->set( $key, $value, $group );
	}

	public function delete( $key, $group = 'default' ): bool {
		$name = self::full_key( $key, $group );
		unset( $this->written[ $name ] );
		$this->deleted[ $name ] = true;
		return true;
	}

	public function set_multiple( $values, $group = 'default' ): array {
		return self::map_keys( array_keys( $values ), fn( $key ): bool => $this->set( $key, $values[ $key ], $group ) );
	}

	public function add_multiple( $values, $group = 'default' ): array {
		return self::map_keys( array_keys( $values ), fn( $key ): bool => $this->add( $key, $values[ $key ], $group ) );
	}

	public function delete_multiple( $keys, $group = 'default' ): array {
		return self::map_keys( $keys, fn( $key ): bool => $this->delete( $key, $group ) );
	}

	public function incr( $key, $by = 1, $group = 'default' ) {
		if ( ! $this->has( $key, $group ) ) {
			return false;
		}
		$value = max( 0, (int) $this->get( $key, $group ) + (int) $by );
		$this->set( $key, $value, $group );
		return $value;
	}

	public function decr( $key, $by = 1, $group = 'default' ) {
		return $this->incr( $key, - (int) $by, $group );
	}

	public function flush(): bool {
		$this->written    = array();
		$this->is_flushed = true;
		return true;
	}

	/** Plugins call it to free memory, but this memory has the only copy of the draft. */
	public function flush_runtime(): bool {
		return true;
	}

	/** The real cache cannot leave out a group, so all of it counts as flushed. That is slower but correct. */
	public function flush_group(): bool {
		return $this->flush();
	}

	/** Passes other methods of a plugin's cache on, except those that write. */
	public function __call( string $name, array $arguments ) {
		return preg_match( self::WRITES, $name ) ? false : $this->real_cache->$name( ...$arguments );
	}

	public function __get( string $name ) {
		return $this->real_cache->$name ?? null;
	}

	public function __isset( string $name ): bool {
		return isset( $this->real_cache->$name );
	}

	/** @return bool[] The result of `$work` for each key, by key. */
	private static function map_keys( array $keys, callable $work ): array {
		return array_combine( $keys, array_map( $work, $keys ) );
	}

	/** Whether the preview has neither written nor deleted a key, so that the real cache has its value. */
	private function is_unchanged( string $name ): bool {
		return ! $this->is_flushed && ! array_key_exists( $name, $this->written ) && ! isset( $this->deleted[ $name ] );
	}

	private function has( $key, $group ): bool {
		$found = false;
		$this->get( $key, $group, false, $found );
		return (bool) $found;
	}

	/** Name of a key in `$written` and `$deleted`. */
	private static function full_key( $key, $group ): string {
		return get_current_blog_id() . ':' . ( $group ? $group : 'default' ) . ':' . $key;
	}
}
