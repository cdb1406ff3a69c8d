<?php
/**
 * Languages of the site (R28, decision 045). The default is one: the language of WordPress. *Pillion → Languages*, the
 * filter `pillion_languages` or a language plugin can list more (decision 046).
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

use Pillion\Languages\LanguageRules;
use Pillion\Languages\OwnLanguages;
use Pillion\Languages\Translations;
use WP_REST_Request;

/** @phpstan-type Listed array{tag: string, name: string, dir: string, fallback: string} */
final class Language {
	/** Option with the editor's list: rows of tag, name, dir, fallback; the default language first. */
	const OPTION = 'pillion_languages';

	/** A BCP 47 tag with the characters that an address allows. */
	const TAG = '/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/D';

	/** Argument of every `gusto` route (R23). */
	const ARGUMENT = array(
		'lang' => array(
			'type'    => 'string',
			'default' => '',
			'pattern' => '^([A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*)?$',
		),
	);

	/** @return non-empty-array<string, Listed> All languages by their tag, the default first. */
	public static function listed(): array {
		$source = Translations::source();
		$listed = $source->listed();
		if ( $listed && ! $source instanceof OwnLanguages ) {
			return $listed;
		}
		$listed = $listed ? $listed : self::single_language( (string) strtok( get_locale(), '_' ) );
		foreach ( (array) apply_filters( 'pillion_languages', array_keys( $listed ) ) as $tag ) {
			$listed += self::single_language( (string) $tag );
		}
		return $listed;
	}

	/** @return non-empty-list<string> Tags of all languages, the default first. */
	public static function all(): array {
		return array_keys( self::listed() );
	}

	/** Tag of the default language, whose paths have no prefix. */
	public static function default_tag(): string {
		return self::all()[0];
	}

	/** The requested language, or the default if the site does not have it. `de-AT` matches `de`. */
	public static function requested( WP_REST_Request $request ): string {
		$requested = strtolower( str_replace( '_', '-', (string) $request['lang'] ) );
		$all       = self::all();
		foreach ( array( $requested, self::primary( $requested ) ) as $candidate ) {
			foreach ( $all as $tag ) {
				if ( strtolower( $tag ) === $candidate ) {
					return $tag;
				}
			}
		}
		return $all[0];
	}

	/** The part of a tag that names the language itself: `pt` of `pt-BR`. */
	public static function primary( string $lang ): string {
		return strtolower( (string) strtok( $lang, '-' ) );
	}

	/** Suffix of an option or a menu location; empty for the default language. */
	public static function suffix( string $lang ): string {
		return self::default_tag() === $lang ? '' : '_' . strtolower( str_replace( '-', '_', $lang ) );
	}

	/** First segment of the paths of a language: `de`; empty for the default and for unlisted languages. */
	public static function prefix( string $lang ): string {
		return self::default_tag() === $lang || ! in_array( $lang, self::all(), true ) ? '' : strtolower( $lang );
	}

	/** Path of the front page of a language. */
	public static function front_path( string $lang ): string {
		$prefix = self::prefix( $lang );
		return '' === $prefix ? '/' : "/$prefix/";
	}

	/** @return list<string> The fallback languages of a language, nearest first. */
	public static function fallbacks( string $lang ): array {
		$listed = self::listed();
		$chain  = array();
		for ( $next = $listed[ $lang ]['fallback'] ?? ''; isset( $listed[ $next ] ) && $lang !== $next && ! in_array( $next, $chain, true ); $next = $listed[ $next ]['fallback'] ) {
			$chain[] = $next;
		}
		return $chain;
	}

	/**
	 * Languages in which texts and menus are looked up: the language, its fallbacks, the default.
	 *
	 * @return non-empty-list<string>
	 */
	public static function order( string $lang ): array {
		return array_values( array_unique( array( $lang, ...self::fallbacks( $lang ), self::default_tag() ) ) );
	}

	/** @return list<Listed>|null Null if it is only English, which the site assumes. */
	public static function list_for_site(): ?array {
		$listed = array_values( self::listed() );
		return 1 === count( $listed ) && 'en' === $listed[0]['tag'] && 'ltr' === $listed[0]['dir'] ? null : $listed;
	}

	/** @return array<string, Listed> Empty if the tag is invalid. */
	private static function single_language( string $tag ): array {
		if ( ! preg_match( self::TAG, $tag ) ) {
			return array();
		}
		$name = class_exists( \Locale::class ) ? (string) \Locale::getDisplayName( $tag, $tag ) : '';
		return array(
			$tag => array(
				'tag'      => $tag,
				'name'     => '' === $name ? $tag : $name,
				'dir'      => LanguageRules::direction( $tag ),
				'fallback' => '',
			),
		);
	}
}
