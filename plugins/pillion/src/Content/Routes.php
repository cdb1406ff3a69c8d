<?php
/**
 * All pages of the site by path: `gusto/routes` (R29).
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Languages\Translations;
use Pillion\Lib\Language;
use Pillion\Redirects\RedirectRules;
use WP_Post;
use WP_Query;
use WP_REST_Request;
use WP_REST_Response;

final class Routes {
	/** Option with a version of the content, which is replaced after each noted change. */
	const VERSION = 'pillion_content_version';

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
	}

	public function register_route(): void {
		KeyRules::add_route( 'gusto', '/routes', array( $this, 'get_routes' ), '__return_true', Language::ARGUMENT );
	}

	public function get_routes( WP_REST_Request $request ): WP_REST_Response {
		$lang = Language::requested( $request );
		$tag  = self::etag( $lang );
		// Web servers that compress mark the tag as weak, or with `-gzip`.
		if ( false !== strpos( (string) $request->get_header( 'if_none_match' ), trim( $tag, '"' ) ) ) {
			return new WP_REST_Response( null, 304, array( 'ETag' => $tag ) );
		}
		$posts          = self::published_posts( $lang );
		$fallback_paths = self::fallback_paths( $posts, Language::fallbacks( $lang ) );
		$by_path        = array();
		foreach ( $posts as $post ) {
			if ( Translations::lang_of( $post->ID ) !== $lang ) {
				continue;
			}
			$route = self::to_route( $post, $lang );
			$below = self::below_prefix( $route['path'], $lang );
			// A page of a fallback language has precedence over a post of this language.
			if ( 'page' !== $post->post_type && isset( $fallback_paths[ $below ] ) ) {
				continue;
			}
			if ( ! isset( $by_path[ $below ] ) || self::rank( $post ) < self::rank( $by_path[ $below ]['post'] ) ) {
				$by_path[ $below ] = compact( 'post', 'route' );
			}
		}
		$routes = array();
		foreach ( $by_path as $candidate ) {
			// A page with a password is left out, but no post may take its path.
			if ( '' === $candidate['post']->post_password ) {
				$routes[] = $candidate['route'];
			}
		}
		return new WP_REST_Response( $routes, 200, array( 'ETag' => $tag ) );
	}

	/**
	 * Paths without prefix at which this language shows pages of its fallback languages.
	 *
	 * @param WP_Post[]    $posts     In all languages.
	 * @param list<string> $fallbacks Languages.
	 * @return array<string, true>
	 */
	private static function fallback_paths( array $posts, array $fallbacks ): array {
		$paths = array();
		foreach ( $fallbacks ? $posts : array() as $post ) {
			$lang = Translations::lang_of( $post->ID );
			if ( 'page' === $post->post_type && in_array( $lang, $fallbacks, true ) ) {
				$paths[ self::path_below_prefix( $post, $lang ) ] = true;
			}
		}
		return $paths;
	}

	/**
	 * Of several posts at one path the lowest rank is shown: a front page, then a page (as in WordPress), then the
	 * oldest.
	 *
	 * @return array{bool, bool, int}
	 */
	public static function rank( WP_Post $post ): array {
		return array( ! Translations::is_front( $post->ID ), 'page' !== $post->post_type, $post->ID );
	}

	/**
	 * Published posts of every public type, including those with a password. Drafts are never included, even for a key.
	 *
	 * @return WP_Post[]
	 */
	private static function published_posts( string $lang ): array {
		$arguments = array(
			'post_type'              => self::types(),
			'post_status'            => 'publish',
			'posts_per_page'         => -1,
			'orderby'                => 'ID',
			'order'                  => 'ASC',
			'no_found_rows'          => true,
			'ignore_sticky_posts'    => true,
			// With Polylang a page's language is a term.
			'update_post_term_cache' => Translations::are_elsewhere(),
			// Makes Polylang return posts of all languages; core ignores it.
			'lang'                   => '',
		);
		return ( new WP_Query( apply_filters( 'pillion_routes_query', $arguments, $lang ) ) )->posts;
	}

	/** @return string[] Post types whose posts are pages of the site. */
	public static function types(): array {
		$public = get_post_types( array( 'public' => true, 'show_in_rest' => true ) );
		return array_values( array_diff( $public, array( 'attachment' ) ) );
	}

	/** Path where the site shows a post; null for a draft, a page with a password, or a post at the path of a page. */
	public static function path_of( int $post_id ): ?string {
		$post = get_post( $post_id );
		if ( ! $post || 'publish' !== $post->post_status || '' !== $post->post_password || ! in_array( $post->post_type, self::types(), true ) ) {
			return null;
		}
		return 'page' === $post->post_type || ! self::is_page_at( $post ) ? self::path_as_published( $post ) : null;
	}

	/** Whether a published page, of the same language or of a fallback, is shown at a post's path. */
	private static function is_page_at( WP_Post $post ): bool {
		$lang  = Translations::lang_of( $post->ID );
		$below = self::path_below_prefix( $post, $lang );
		foreach ( array( $lang, ...Language::fallbacks( $lang ) ) as $page_lang ) {
			// The path in WordPress has the prefix itself if the page is below a parent whose slug is the prefix.
			foreach ( array_unique( array( $below, ltrim( Language::prefix( $page_lang ) . "/$below", '/' ) ) ) as $page_path ) {
				$page = get_page_by_path( $page_path, OBJECT, array( 'page' ) );
				if ( $page && 'publish' === $page->post_status && Translations::lang_of( $page->ID ) === $page_lang && self::path_below_prefix( $page, $page_lang ) === $below ) {
					return true;
				}
			}
		}
		return false;
	}

	/** Path of a post of a language, as if it were published, without slashes at its ends and without the prefix. */
	private static function path_below_prefix( WP_Post $post, string $lang ): string {
		return self::below_prefix( self::path_as_published( $post ), $lang );
	}

	/** A normalised path without slashes at its ends and without the language prefix. */
	private static function below_prefix( string $path, string $lang ): string {
		$path   = trim( RedirectRules::normalise_path( $path ) ?? $path, '/' );
		$prefix = Language::prefix( $lang );
		return '' !== $prefix && 0 === strpos( "$path/", "$prefix/" ) ? (string) substr( $path, strlen( $prefix ) + 1 ) : $path;
	}

	/** Path of a post, as if it were published. */
	public static function path_as_published( WP_Post $post ): string {
		if ( Translations::is_front( $post->ID ) ) {
			return Language::front_path( Translations::lang_of( $post->ID ) );
		}
		return self::permalink_path( $post );
	}

	/** Id of the post that the site shows at a path, or 0. */
	public static function post_at( string $path ): int {
		$id    = url_to_postid( home_url( $path ) );
		$id    = $id ? $id : self::post_below_prefix( $path );
		$id    = $id ? $id : self::post_named( trim( $path, '/' ) );
		$shown = self::path_of( $id );
		return null !== $shown && RedirectRules::normalise_path( $shown ) === RedirectRules::normalise_path( $path ) ? $id : 0;
	}

	/** Id of the post at a path that starts with the prefix of a language, or 0. */
	private static function post_below_prefix( string $path ): int {
		list( $first, $rest ) = explode( '/', trim( $path, '/' ), 2 ) + array( '', '' );
		foreach ( Language::all() as $lang ) {
			$prefix = Language::prefix( $lang );
			if ( '' !== $prefix && strtolower( $first ) === $prefix ) {
				return self::post_within( $rest, $lang );
			}
		}
		return 0;
	}

	/** Id of the post of a language at a path without prefix, or 0. */
	private static function post_within( string $path, string $lang ): int {
		if ( '' === $path ) {
			return Translations::front_pages()[ $lang ]->ID ?? 0;
		}
		$id = url_to_postid( home_url( $path ) );
		return $id ? $id : self::post_named( $path );
	}

	/** A page takes precedence over a post of the same name, as in WordPress. Returns its id, or 0. */
	private static function post_named( string $path ): int {
		$post = get_page_by_path( $path, OBJECT, array( 'page' ) ) ?? get_page_by_path( $path, OBJECT, self::types() );
		return $post ? $post->ID : 0;
	}

	/**
	 * The route of a post in `gusto/routes`, as if it were published.
	 *
	 * @return array{id: int, type: string, rest_base: string, slug: string, path: string, title: string, template: string, theme: string, is_front: bool, lang: string, modified: string, noindex: bool, canonical: string, group?: int}
	 */
	public static function to_route( WP_Post $post, string $lang ): array {
		// A site with one language has no groups.
		$group = count( Language::all() ) > 1 ? array( 'group' => Translations::group_of( $post->ID ) ) : array();
		return array(
			'id'        => $post->ID,
			'type'      => $post->post_type,
			'rest_base' => self::rest_base( $post->post_type ),
			'slug'      => $post->post_name,
			'path'      => self::path_as_published( $post ),
			'title'     => html_entity_decode( wp_strip_all_tags( get_the_title( $post ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
			'template'  => Templates::name_of( $post ),
			'theme'     => PageTheme::theme_of( $post->ID ),
			'is_front'  => Translations::is_front( $post->ID ),
			'lang'      => $lang,
			'modified'  => (string) mysql_to_rfc3339( $post->post_modified_gmt ),
			'noindex'   => Seo::is_hidden( $post ),
			'canonical' => Seo::canonical_of( $post ),
		) + $group;
	}

	/** Name of a post type in its REST routes. */
	public static function rest_base( string $type ): string {
		$object = get_post_type_object( $type );
		return $object && $object->rest_base ? (string) $object->rest_base : $type;
	}

	/** Path relative to home, with the slashes of the permalink. */
	private static function permalink_path( WP_Post $post ): string {
		if ( ! get_option( 'permalink_structure' ) ) {
			// Plain permalinks (`/?page_id=7`) have no path, so it is made of the slugs of the page and its ancestors.
			return '/' . get_page_uri( $post ) . '/';
		}
		$path = (string) wp_parse_url( (string) get_permalink( $post ), PHP_URL_PATH );
		$home = untrailingslashit( (string) wp_parse_url( home_url(), PHP_URL_PATH ) );
		return '' !== $home && 0 === strpos( $path, "$home/" ) ? substr( $path, strlen( $home ) ) : $path;
	}

	/** Called when the changes of a request are stored: until then a list could have both the new version and old data. */
	public static function renew_version(): void {
		update_option( self::VERSION, wp_generate_uuid4(), true );
	}

	/**
	 * Entity tag of the routes of a language. It also has what no hook notes: active plugins and post types, and the
	 * number and newest date of the published posts, which an import changes.
	 */
	private static function etag( string $lang ): string {
		global $wpdb;
		$types  = self::types();
		$places = implode( ', ', array_fill( 0, count( $types ), '%s' ) );
		// phpcs:ignore WordPress.DB.PreparedSQL, WordPress.DB.PreparedSQLPlaceholders, WordPress.DB.DirectDatabaseQuery -- Only placeholders are put in; a cached number would defeat the purpose.
		$posts = $wpdb->get_row( $wpdb->prepare( "SELECT COUNT(*), MAX(post_modified_gmt) FROM $wpdb->posts WHERE post_status = 'publish' AND post_type IN ( $places )", $types ), ARRAY_N );
		$parts = array(
			\Pillion\VERSION,
			get_option( self::VERSION ),
			$posts,
			$types,
			get_option( 'active_plugins' ),
			home_url(),
			get_option( 'permalink_structure' ),
			get_option( 'page_on_front' ),
			Language::all(),
			Translations::are_elsewhere(),
			$lang,
		);
		return '"' . md5( (string) wp_json_encode( $parts ) ) . '"';
	}
}
