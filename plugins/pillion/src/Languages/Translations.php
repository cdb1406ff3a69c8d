<?php
/**
 * A page's language and translations: post meta, and the prefix in permalinks (decision 045).
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\PageMeta;
use Pillion\Content\Routes;
use Pillion\Lib\Language;
use WP_Post;

final class Translations {
	/** Tag of the page's language; empty: the default. */
	const LANG = '_pillion_lang';

	/** Id of the original. It identifies the group even after the original is deleted. */
	const ORIGINAL = '_pillion_translation_of';

	/** Meta that a copy does not get, because it belongs to the original only. */
	const NOT_COPIED = '/^_(edit_|wp_old_|wp_trash_|pillion_preview_|pillion_lang$|pillion_translation_of$|pillion_to_translate$|pingme|encloseme|oembed_)/';

	public function register(): void {
		add_action( 'init', array( $this, 'register_meta' ), 20 );
		// After Polylang, which uses priority 20.
		add_filter( 'page_link', array( self::class, 'add_prefix' ), 30, 2 );
		add_filter( 'post_link', array( self::class, 'add_prefix' ), 30, 2 );
		add_filter( 'post_type_link', array( self::class, 'add_prefix' ), 30, 2 );
	}

	public function register_meta(): void {
		$tag_or_nothing = static fn( $tag ): string => is_string( $tag ) && preg_match( Language::TAG, $tag ) ? $tag : '';
		PageMeta::register( self::LANG, 'string', '', $tag_or_nothing );
		PageMeta::register( self::ORIGINAL, 'integer', 0, 'absint' );
	}

	/** The source of languages: Polylang if it is active and configured, otherwise this plugin. */
	public static function source(): LanguageSource {
		if ( PolylangLanguages::is_active() && ( new PolylangLanguages() )->listed() ) {
			return new PolylangLanguages();
		}
		return new OwnLanguages();
	}

	/** Whether another plugin manages the languages. */
	public static function are_elsewhere(): bool {
		return ! self::source() instanceof OwnLanguages;
	}

	/** Tag of a post's language, also of a language that was removed. */
	public static function lang_of( int $post_id ): string {
		$tag = self::source()->lang_of( $post_id );
		return '' === $tag ? Language::default_tag() : $tag;
	}

	/** The number that a post and its translations share. */
	public static function group_of( int $post_id ): int {
		return self::source()->group_of( $post_id );
	}

	/** Id of the front page, or 0. Polylang filters the option by the requested language, so it can be any of the group. */
	public static function front_id(): int {
		return 'page' === get_option( 'show_on_front' ) ? (int) get_option( 'page_on_front' ) : 0;
	}

	/** @return array<string, WP_Post> The front page and its translations by language, also unpublished ones. */
	public static function front_pages(): array {
		$front = self::front_id();
		return $front ? self::group( self::group_of( $front ) ) : array();
	}

	/** Whether a post is the front page of its language. */
	public static function is_front( int $post_id ): bool {
		$front = self::front_id();
		if ( ! $front ) {
			return false;
		}
		if ( $front === $post_id ) {
			return true;
		}
		if ( 'page' !== get_post_type( $post_id ) ) {
			return false;
		}
		$group = self::group_of( $post_id );
		$lang  = self::lang_of( $post_id );
		return self::group_of( $front ) === $group && in_array( $lang, Language::all(), true ) && ( self::group( $group )[ $lang ]->ID ?? 0 ) === $post_id;
	}

	/**
	 * Posts of a group that are not in the trash, by language. Of two in one language: a page, then a published one,
	 * then the older.
	 *
	 * @return array<string, WP_Post>
	 */
	public static function group( int $group ): array {
		$members = self::source()->members( $group );
		usort(
			$members,
			static function ( WP_Post $one, WP_Post $other ): int {
				$rank = static fn( WP_Post $post ): array => array( 'page' !== $post->post_type, 'publish' !== $post->post_status, $post->ID );
				return $rank( $one ) <=> $rank( $other );
			}
		);
		$posts = array();
		foreach ( $members as $post ) {
			$posts += array( self::lang_of( $post->ID ) => $post );
		}
		return $posts;
	}

	/**
	 * Target of a link to a post in a language: its translation, its own page under the language's prefix if it is a
	 * fallback, or its own URL.
	 *
	 * @param string $url The post's own URL.
	 */
	public static function url_in( int $post_id, string $lang, string $url ): string {
		$translation = self::group( self::group_of( $post_id ) )[ $lang ] ?? null;
		if ( $translation && null !== Routes::path_of( $translation->ID ) ) {
			return (string) get_permalink( $translation );
		}
		return in_array( self::lang_of( $post_id ), Language::fallbacks( $lang ), true ) ? self::with_prefix( Language::prefix( $lang ), $url ) : $url;
	}

	/**
	 * Filter: a permalink with the prefix of the post's language.
	 *
	 * @param string      $url
	 * @param int|WP_Post $post
	 */
	public static function add_prefix( $url, $post ): string {
		$id     = $post instanceof WP_Post ? $post->ID : (int) $post;
		$prefix = Language::prefix( self::lang_of( $id ) );
		$plain  = self::source()->without_language( (string) $url );
		if ( '' === $prefix ) {
			return $plain;
		}
		$home = home_url( "/$prefix/" );
		if ( $plain === $home && 'page' !== get_post_type( $id ) ) {
			// A post whose slug equals the prefix would take the address of the language's front page.
			return "$home$prefix/";
		}
		return self::is_front( $id ) ? $home : self::with_prefix( $prefix, $plain );
	}

	/** A URL of this site under a prefix, which is added only once. A URL by id (`?p=7`) has no path to extend. */
	private static function with_prefix( string $prefix, string $url ): string {
		$home = home_url( '/' );
		if ( 0 !== strpos( $url, $home ) ) {
			return $url;
		}
		$path = substr( $url, strlen( $home ) );
		return 0 === strpos( $path, "$prefix/" ) || 0 === strpos( $path, '?' ) ? $url : "$home$prefix/$path";
	}

	/**
	 * Copies a page with its sections, pictures, template and theme as a draft in a language, unless it has a translation.
	 *
	 * @return int 0 if WordPress could not save it.
	 */
	public static function copy( WP_Post $post, string $lang ): int {
		$group    = self::group_of( $post->ID );
		$existing = self::group( $group )[ $lang ] ?? null;
		if ( $existing ) {
			return $existing->ID;
		}
		$parent = $post->post_parent ? self::group( self::group_of( $post->post_parent ) )[ $lang ] ?? null : null;
		$copy   = array(
			'post_type'     => $post->post_type,
			'post_status'   => 'draft',
			'post_title'    => $post->post_title,
			'post_content'  => $post->post_content,
			'post_excerpt'  => $post->post_excerpt,
			'post_parent'   => $parent ? $parent->ID : 0,
			'post_password' => $post->post_password,
			'menu_order'    => $post->menu_order,
		);
		$id     = (int) wp_insert_post( wp_slash( $copy ) );
		if ( ! $id ) {
			return 0;
		}
		self::source()->add_to_group( $id, $lang, $group );
		self::copy_meta( $post->ID, $id );
		ToDo::store_texts( $id );
		return $id;
	}

	private static function copy_meta( int $from, int $to ): void {
		foreach ( (array) get_post_meta( $from ) as $key => $values ) {
			if ( preg_match( self::NOT_COPIED, (string) $key ) ) {
				continue;
			}
			foreach ( (array) $values as $value ) {
				add_post_meta( $to, (string) $key, wp_slash( maybe_unserialize( $value ) ) );
			}
		}
	}
}
