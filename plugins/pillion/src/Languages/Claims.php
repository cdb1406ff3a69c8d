<?php
/**
 * Refuses to make a post the translation of another, unless the user may edit the original and the group's other posts
 * in that language, which the post could replace (decision 054). The check is in WordPress' filters for post meta,
 * which REST, both editors, quick edit, XML-RPC and revisions use.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Language;
use WP_Error;
use WP_Post;
use WP_REST_Request;

/** @phpstan-type Claim array{_pillion_lang: string, _pillion_translation_of: int} */
final class Claims {
	public function register(): void {
		foreach ( array( 'add_post_metadata', 'update_post_metadata' ) as $hook ) {
			add_filter( $hook, array( self::class, 'on_write' ), PHP_INT_MAX, 4 );
		}
		add_filter( 'delete_post_metadata', array( self::class, 'on_delete' ), PHP_INT_MAX, 5 );
		add_filter( 'update_post_metadata_by_mid', array( self::class, 'on_update_row' ), PHP_INT_MAX, 4 );
		add_filter( 'delete_post_metadata_by_mid', array( self::class, 'on_delete_row' ), PHP_INT_MAX, 2 );
		add_action( 'rest_api_init', array( $this, 'register_rest' ) );
	}

	/**
	 * Without this WordPress returns 500 if meta is not written. This returns 4xx with the reason before anything is
	 * saved.
	 */
	public function register_rest(): void {
		foreach ( get_post_types( array( 'show_in_rest' => true ) ) as $type ) {
			add_filter(
				"rest_pre_insert_$type",
				static function ( $post, WP_REST_Request $request ) use ( $type ) {
					$is_claim = ! is_wp_error( $post ) && is_array( $request['meta'] );
					$problem  = $is_claim ? self::problem_of_request( (int) ( $post->ID ?? 0 ), $type, $request['meta'] ) : null;
					return $problem ?? $post;
				},
				10,
				2
			);
		}
	}

	private static function problem_of_request( int $id, string $type, array $meta ): ?WP_Error {
		$problem = null;
		$current = self::stored_claim( $id );
		// In the order in which WordPress writes them.
		foreach ( array( Translations::LANG, Translations::ORIGINAL ) as $key ) {
			if ( array_key_exists( $key, $meta ) ) {
				$next    = self::change_claim( $current, $key, $meta[ $key ] );
				$problem = $problem ?? self::claim_problem( $id, $type, $current, $next );
				$current = $next;
			}
		}
		return $problem;
	}

	/**
	 * @param int $id 0 for a new post.
	 * @return WP_Error|null Why the user may not save this language and original; `null` if they may.
	 */
	public static function problem_with( int $id, string $type, string $lang, int $original ): ?WP_Error {
		$current = self::stored_claim( $id );
		$next    = self::change_claim( self::change_claim( $current, Translations::LANG, $lang ), Translations::ORIGINAL, $original );
		return self::claim_problem( $id, $type, $current, $next );
	}

	/** @return WP_Error|null Why the user may not copy a post for its translation; `null` if they may. */
	public static function problem_of_copy( WP_Post $post, string $lang ): ?WP_Error {
		return self::problem_with( 0, $post->post_type, $lang, Translations::group_of( $post->ID ) );
	}

	/**
	 * @param Claim $current
	 * @param Claim $next
	 */
	private static function claim_problem( int $id, string $type, array $current, array $next ): ?WP_Error {
		if ( $next === $current ) {
			return null;
		}
		$original = $next[ Translations::ORIGINAL ];
		if ( $original && $original !== $current[ Translations::ORIGINAL ] ) {
			// A deleted original still has a group.
			$member = get_post( $original ) ?? ( new OwnLanguages() )->members( $original )[0] ?? null;
			if ( ! $member ) {
				/* translators: %d: number of a page. */
				return new WP_Error( 'pillion_no_original', sprintf( __( 'There is no page with the number %d. Enter the number of the page that this one translates.', 'pillion' ), $original ), array( 'status' => 400 ) );
			}
			if ( $member->post_type !== $type ) {
				/* translators: %d: number of a page. */
				return new WP_Error( 'pillion_other_type', sprintf( __( 'Number %d is of another content type: a page translates a page, a post translates a post. Enter the number of one of the same type.', 'pillion' ), $original ), array( 'status' => 400 ) );
			}
		}
		if ( self::is_allowed( $id, $next ) ) {
			return null;
		}
		/* translators: %d: number of a page. */
		$message = $original ? __( 'You may not edit page %d or its translation in this language, so you may not add a translation to it. Ask an editor to do it.', 'pillion' ) : __( 'You may not edit the translation of page %d in this language, so you may not take its place. Ask an editor to do it.', 'pillion' );
		return new WP_Error( 'pillion_not_yours', sprintf( $message, $original ? $original : $id ), array( 'status' => 403 ) );
	}

	/**
	 * Checks rights only. Code without a user (command line, cron) is trusted.
	 *
	 * @param Claim $claim
	 */
	private static function is_allowed( int $id, array $claim ): bool {
		$original  = $claim[ Translations::ORIGINAL ];
		$languages = new OwnLanguages();
		if ( ! get_current_user_id() ) {
			return true;
		}
		// The page was deleted, or an import adds it later. Only users who may edit all pages may name it.
		if ( $original && ! ( get_post( $original ) ? current_user_can( 'edit_post', $original ) : current_user_can( 'edit_others_pages' ) ) ) {
			return false;
		}
		foreach ( $languages->members( $original ? $original : $id ) as $member ) {
			if ( $member->ID !== $id && self::tag_or_default( $languages->lang_of( $member->ID ) ) === $claim[ Translations::LANG ] && ! current_user_can( 'edit_post', $member->ID ) ) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Current language and original, always from this plugin's meta, which applies again when a plugin such as Polylang
	 * is off.
	 *
	 * @return Claim
	 */
	private static function stored_claim( int $id ): array {
		return array(
			Translations::LANG     => self::tag_or_default( (string) get_post_meta( $id, Translations::LANG, true ) ),
			Translations::ORIGINAL => absint( get_post_meta( $id, Translations::ORIGINAL, true ) ),
		);
	}

	/**
	 * @param Claim $claim
	 * @return Claim
	 */
	private static function change_claim( array $claim, string $key, $value ): array {
		$value = sanitize_meta( $key, $value, 'post' );
		return array_replace( $claim, array( $key => Translations::LANG === $key ? self::tag_or_default( (string) $value ) : absint( $value ) ) );
	}

	/** An empty tag means the default language. */
	private static function tag_or_default( string $tag ): string {
		return '' === $tag ? Language::default_tag() : $tag;
	}

	/**
	 * @param mixed  $check Result of the filter; false prevents the write.
	 * @param int    $id
	 * @param string $key
	 */
	public static function on_write( $check, $id, $key, $value ) {
		if ( ! in_array( (string) $key, array( Translations::LANG, Translations::ORIGINAL ), true ) ) {
			return $check;
		}
		$current = self::stored_claim( (int) $id );
		$next    = self::change_claim( $current, (string) $key, $value );
		return $next === $current || self::is_allowed( (int) $id, $next ) ? $check : false;
	}

	/** If a key has several rows, the removal can make any of the others apply. */
	private static function check_removal( $check, int $id, string $key ) {
		foreach ( array_merge( array( '' ), (array) get_post_meta( $id, $key ) ) as $value ) {
			$check = false === $check ? false : self::on_write( $check, $id, $key, $value );
		}
		return $check;
	}

	/**
	 * @param int    $id
	 * @param string $key
	 * @param bool   $all   Of all posts: only code does this, on uninstall.
	 */
	public static function on_delete( $check, $id, $key, $value, $all ) {
		return $all ? $check : self::check_removal( $check, (int) $id, (string) $key );
	}

	/**
	 * A change by row id can also change the key.
	 *
	 * @param int          $row
	 * @param string|false $key
	 */
	public static function on_update_row( $check, $row, $value, $key ) {
		$meta = get_metadata_by_mid( 'post', (int) $row );
		if ( ! $meta ) {
			return $check;
		}
		$key   = is_string( $key ) ? $key : (string) $meta->meta_key;
		$check = $key === $meta->meta_key ? $check : self::check_removal( $check, (int) $meta->post_id, (string) $meta->meta_key );
		return false === $check ? false : self::on_write( $check, (int) $meta->post_id, $key, $value );
	}

	/** @param int $row */
	public static function on_delete_row( $check, $row ) {
		$meta = get_metadata_by_mid( 'post', (int) $row );
		return $meta ? self::check_removal( $check, (int) $meta->post_id, (string) $meta->meta_key ) : $check;
	}
}
