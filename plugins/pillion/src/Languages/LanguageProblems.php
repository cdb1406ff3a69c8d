<?php
/**
 * Problems with the site's languages and their pages, as texts for the editor.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Content\Strings;
use Pillion\Lib\Language;
use WP_Post;

final class LanguageProblems {
	/** @return list<string> */
	public static function all(): array {
		$posts = get_posts(
			array(
				'post_type'   => Routes::types(),
				'post_status' => 'publish',
				'numberposts' => -1,
				'orderby'     => 'ID',
				'order'       => 'ASC',
				// All languages of Polylang.
				'lang'        => '',
			)
		);
		return array_merge( self::missing_fronts(), self::address_conflicts( $posts ), self::deleted_originals( $posts ), self::missing_forms() );
	}

	/** @return list<string> */
	private static function missing_fronts(): array {
		$fronts   = Translations::front_pages();
		$problems = array();
		foreach ( Language::listed() as $tag => $language ) {
			$translation = $fronts[ $tag ] ?? null;
			if ( '' === Language::prefix( $tag ) || ( $translation && 'publish' === $translation->post_status ) ) {
				continue;
			}
			$problems[] = $language['fallback']
				/* translators: 1: name of a language, 2: its address. */
				? sprintf( __( '%1$s has no front page, so %2$s shows the one of another language. Translate the front page and publish it.', 'pillion' ), $language['name'], Language::front_path( $tag ) )
				/* translators: 1: name of a language, 2: its address. */
				: sprintf( __( '%1$s has no front page, so %2$s is not found. Translate the front page and publish it.', 'pillion' ), $language['name'], Language::front_path( $tag ) );
		}
		return $problems;
	}

	/**
	 * @param WP_Post[] $posts
	 * @return list<string>
	 */
	private static function address_conflicts( array $posts ): array {
		// The post that is shown comes first.
		usort( $posts, static fn( WP_Post $one, WP_Post $other ): int => Routes::rank( $one ) <=> Routes::rank( $other ) );
		$prefixes       = array_filter( array_map( array( Language::class, 'prefix' ), Language::all() ) );
		$problems       = array();
		$titles_by_path = array();
		foreach ( $posts as $post ) {
			$lang = Translations::lang_of( $post->ID );
			if ( ! in_array( $lang, Language::all(), true ) || '' !== $post->post_password ) {
				continue;
			}
			$path  = Routes::path_as_published( $post );
			$first = explode( '/', trim( $path, '/' ) )[0];
			if ( '' === Language::prefix( $lang ) && in_array( $first, $prefixes, true ) ) {
				/* translators: 1: title of a page, 2: its address. */
				$problems[] = sprintf( __( '“%1$s” has the address %2$s, which belongs to a language, so visitors cannot find it. Give it another slug.', 'pillion' ), get_the_title( $post ), $path );
			}
			if ( isset( $titles_by_path[ $path ] ) ) {
				/* translators: 1: title of a page, 2: title of another, 3: their address. */
				$problems[] = sprintf( __( '“%1$s” and “%2$s” have the same address, %3$s. The first is shown. Change the slug of one.', 'pillion' ), $titles_by_path[ $path ], get_the_title( $post ), $path );
			}
			$titles_by_path += array( $path => get_the_title( $post ) );
		}
		return $problems;
	}

	/**
	 * @param WP_Post[] $posts
	 * @return list<string>
	 */
	private static function deleted_originals( array $posts ): array {
		$problems = array();
		foreach ( Translations::are_elsewhere() ? array() : $posts as $post ) {
			$original = Translations::group_of( $post->ID );
			if ( $original !== $post->ID && ! get_post( $original ) ) {
				/* translators: 1: title of a page, 2: number of a page. */
				$problems[] = sprintf( __( '“%1$s” translates page %2$d, which was deleted. It stays on the site with its other translations.', 'pillion' ), get_the_title( $post ), $original );
			}
		}
		return $problems;
	}

	/**
	 * A form has texts in one language. A language without its own form uses the default language's form.
	 *
	 * @return list<string>
	 */
	private static function missing_forms(): array {
		if ( ! isset( Strings::stored( Language::default_tag() )['form.form_id'] ) ) {
			return array();
		}
		$problems = array();
		foreach ( array_slice( Language::listed(), 1, null, true ) as $tag => $language ) {
			if ( ! isset( Strings::own_values( $tag )['form.form_id'] ) ) {
				/* translators: %s: name of a language. */
				$problems[] = sprintf( __( '%s has no form, so its pages show the form of the default language. Choose one under Texts → Form.', 'pillion' ), $language['name'] );
			}
		}
		return $problems;
	}
}
