<?php
/**
 * Creates redirects when pages change: 301 from the old path of a moved page, 410 for a deleted page.
 *
 * WordPress' `_wp_old_slug` covers neither pages nor their children, and only themes use it.
 */

namespace Pillion\Redirects;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Languages\Translations;
use WP_Post;

final class OldPaths {
	/** @var array<int, array<int, string>> Paths before a change, by changed post and then by post. */
	private $before = array();

	public function register(): void {
		add_action( 'pre_post_update', array( $this, 'remember' ) );
		// Before `pre_post_update`: WordPress renames a page before it moves it to the trash.
		add_action( 'wp_trash_post', array( $this, 'remember' ) );
		add_action( 'before_delete_post', array( $this, 'remember' ) );
		add_action( 'wp_after_insert_post', array( $this, 'update_redirects' ), 10, 4 );
		add_action( 'after_delete_post', array( $this, 'update_deleted' ) );
	}

	public function remember( int $post_id ): void {
		if ( isset( $this->before[ $post_id ] ) || ! in_array( get_post_type( $post_id ), Routes::types(), true ) ) {
			return;
		}
		$this->before[ $post_id ] = array();
		$ids = array( $post_id, ...self::descendants( $post_id ) );
		// Reads posts and meta with a few queries instead of two per page.
		_prime_post_caches( $ids, Translations::are_elsewhere(), true );
		foreach ( $ids as $id ) {
			$path = Routes::path_of( $id );
			if ( null !== $path ) {
				$this->before[ $post_id ][ $id ] = $path;
			}
		}
	}

	public function update_redirects( int $post_id, WP_Post $post, bool $update, ?WP_Post $before ): void {
		if ( ! in_array( $post->post_type, Routes::types(), true ) ) {
			return;
		}
		$old_paths = $this->take_old_paths( $post_id );
		if ( $before && 'trash' === $before->post_status && 'trash' !== $post->post_status ) {
			self::remove_gone( $post_id );
		}
		self::redirect_changed_paths( $old_paths + array( $post_id => '' ) );
	}

	public function update_deleted( int $post_id ): void {
		self::redirect_changed_paths( $this->take_old_paths( $post_id ) );
	}

	/** @return array<int, string> Paths before the change, by post. Forgets them, so that the next change reads its own. */
	private function take_old_paths( int $post_id ): array {
		$old = $this->before[ $post_id ] ?? array();
		unset( $this->before[ $post_id ] );
		return $old;
	}

	/**
	 * Adds, changes and removes redirects after a change, with one notification.
	 *
	 * @param array<int, string> $old_paths Path by post; '' if the post had no path.
	 */
	private static function redirect_changed_paths( array $old_paths ): void {
		$changed = '';
		foreach ( $old_paths as $id => $path ) {
			$new_path = Routes::path_of( $id );
			if ( $new_path === $path ) {
				continue;
			}
			if ( null !== $new_path && self::free_path( $id, $new_path ) ) {
				$changed = $new_path;
			}
			if ( '' !== $path && self::redirect_old_path( $id, $path, $new_path ) ) {
				$changed = $path;
			}
		}
		if ( '' !== $changed ) {
			Redirects::notify_changed( $changed );
		}
	}

	/** Removes automatic redirects at a path that a page now uses, and updates other old paths of that page. */
	private static function free_path( int $id, string $new_path ): bool {
		$changed        = false;
		$redirect_there = Redirects::find_at( (string) RedirectRules::normalise_path( $new_path ) );
		if ( $redirect_there && $redirect_there['page'] ) {
			Redirects::remove( $redirect_there['id'] );
			$changed = true;
		}
		foreach ( Redirects::automatic_of( $id ) as $redirect ) {
			if ( 301 === $redirect['status'] && $redirect['to'] !== $new_path ) {
				Redirects::save( array( 'to' => $new_path ) + $redirect );
				$changed = true;
			}
		}
		return $changed;
	}

	/**
	 * @param string|null $new_path Null: the site does not show the page. Only trash and deletion count as gone, because a
	 * draft may return.
	 */
	private static function redirect_old_path( int $id, string $old_path, ?string $new_path ): bool {
		$is_gone = ! get_post( $id ) || 'trash' === get_post_status( $id );
		$from    = RedirectRules::normalise_path( $old_path );
		// A child of a page in the trash has a path with the trashed name.
		if ( ( null === $new_path && ! $is_gone ) || null === $from || RedirectRules::is_reserved( $from ) || preg_match( '~__trashed(-\d+)?/~', $from ) ) {
			return false;
		}
		$existing = Redirects::find_at( $from );
		if ( ( $existing && ! $existing['page'] ) || strlen( $from ) > RedirectRules::MAX_LENGTH ) {
			return false;
		}
		return (bool) Redirects::save(
			array(
				'id'     => $existing ? $existing['id'] : 0,
				'from'   => $from,
				'status' => null === $new_path ? 410 : 301,
				'to'     => (string) $new_path,
				'page'   => $id,
			)
		);
	}

	private static function remove_gone( int $id ): void {
		foreach ( Redirects::automatic_of( $id ) as $redirect ) {
			if ( 410 === $redirect['status'] ) {
				Redirects::remove( $redirect['id'] );
				Redirects::notify_changed( $redirect['from'] );
			}
		}
	}

	/** @return int[] All posts below this one, at any depth, because their paths contain its slug. */
	private static function descendants( int $post_id ): array {
		global $wpdb;
		$type = (string) get_post_type( $post_id );
		if ( ! is_post_type_hierarchical( $type ) ) {
			return array();
		}
		$all   = array();
		$level = array( $post_id );
		while ( $level ) {
			$parents = implode( ',', array_map( 'intval', $level ) );
			// phpcs:ignore WordPress.DB.PreparedSQL.InterpolatedNotPrepared -- whole numbers.
			$children = array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM $wpdb->posts WHERE post_type = %s AND post_parent IN ($parents)", $type ) ) );
			// Ends a loop of parents, which only damaged data has.
			$level = array_diff( $children, $all );
			$all   = array_merge( $all, $level );
		}
		return $all;
	}
}
