<?php
/**
 * The languages of Polylang, read with its documented functions (`pll_…`), its links model and its menu option
 * (decision 046).
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Language;
use WP_Post;

/** @phpstan-import-type Listed from Language */
final class PolylangLanguages implements LanguageSource {
	/** Whether Polylang is active. */
	public static function is_active(): bool {
		return function_exists( 'pll_languages_list' ) && function_exists( 'PLL' ) && PLL();
	}

	public function title(): string {
		return 'Polylang';
	}

	public function screen(): string {
		return 'admin.php?page=mlang';
	}

	/** @return array<string, Listed> */
	public function listed(): array {
		$default = pll_default_language();
		$listed  = array();
		foreach ( (array) pll_languages_list( array( 'fields' => '' ) ) as $language ) {
			$tag = self::tag( $language->slug, $language->w3c );
			if ( '' === $tag || isset( $listed[ $tag ] ) || false === ( $language->active ?? true ) ) {
				continue;
			}
			$row    = array(
				$tag => array(
					'tag'      => $tag,
					'name'     => (string) $language->name,
					'dir'      => $language->is_rtl ? 'rtl' : 'ltr',
					'fallback' => '',
				),
			);
			$listed = $language->slug === $default ? $row + $listed : $listed + $row;
		}
		return $listed;
	}

	/**
	 * The tag is the language of the text; the code is part of the address. The code is used if it is a short form of
	 * the tag, as `de` of `de-DE`, but not `br` of `pt-BR`, which means Breton.
	 */
	public static function tag( string $code, string $locale ): string {
		$code   = LanguageRules::canonical( $code );
		$locale = LanguageRules::canonical( $locale );
		return '' === $locale || 0 === strpos( "$locale-", "$code-" ) ? $code : $locale;
	}

	public function lang_of( int $post_id ): string {
		$language = pll_get_post_language( $post_id, OBJECT );
		return $language ? self::tag( $language->slug, $language->w3c ) : '';
	}

	public function group_of( int $post_id ): int {
		return min( array( $post_id, ...array_values( self::translations( $post_id ) ) ) );
	}

	/**
	 * Leaves out other post types: in Polylang a post can be the translation of a page.
	 *
	 * @return array<string, int> Ids of the translations of the same type by language, including this post.
	 */
	private static function translations( int $post_id ): array {
		return array_filter(
			array_map( 'intval', array_filter( pll_get_post_translations( $post_id ) ) ),
			static fn( int $id ): bool => get_post_type( $id ) === get_post_type( $post_id )
		);
	}

	/** @return list<WP_Post> */
	public function members( int $group ): array {
		// Polylang does not list a post without a language.
		$posts = array_map( 'get_post', array_unique( array( $group, ...array_values( self::translations( $group ) ) ) ) );
		return array_values(
			array_filter( $posts, static fn( $post ): bool => $post && ! in_array( $post->post_status, array( 'trash', 'auto-draft' ), true ) )
		);
	}

	public function without_language( string $url ): string {
		return (string) PLL()->links_model->remove_language_from_link( $url );
	}

	public function menu_at( string $location, string $lang ): int {
		$theme = (string) get_option( 'stylesheet' );
		$menus = PLL()->options['nav_menus'][ $theme ][ $location ] ?? array();
		if ( ! $menus && Language::default_tag() === $lang ) {
			// Set before Polylang was active, for the default language. Reads the option, because Polylang filters the
			// theme's value.
			return (int) ( get_option( "theme_mods_$theme" )['nav_menu_locations'][ $location ] ?? 0 );
		}
		return (int) ( $menus[ self::code_of( $lang ) ] ?? 0 );
	}

	public function add_to_group( int $post_id, string $lang, int $group ): void {
		pll_set_post_language( $post_id, self::code_of( $lang ) );
		pll_save_post_translations( array( self::code_of( $lang ) => $post_id ) + pll_get_post_translations( $group ) );
	}

	/** Polylang's code of a language; empty if unknown. */
	private static function code_of( string $lang ): string {
		foreach ( (array) pll_languages_list( array( 'fields' => '' ) ) as $language ) {
			if ( self::tag( $language->slug, $language->w3c ) === $lang ) {
				return $language->slug;
			}
		}
		return '';
	}
}
