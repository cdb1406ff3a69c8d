<?php
/**
 * What a list of languages may be.
 */

namespace Pillion\Languages;

use Pillion\Lib\Language;

/**
 * @phpstan-import-type Listed from Language
 */
final class LanguageRules {
	/** Scripts that run from right to left, by the languages that are written in them (CLDR). */
	const RIGHT_TO_LEFT = array( 'ar', 'arc', 'ckb', 'dv', 'fa', 'ha-Arab', 'he', 'ks', 'ku-Arab', 'nqo', 'pa-Arab', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi' );

	/** A code of a language (Apiaká) that is also the place of the site's own endpoints. */
	const TAKEN = array( 'api' );

	/**
	 * Languages of two letters in the IANA registry of subtags (BCP 47), old ones too. PHP knows them only with the
	 * extension `intl`, which many hosts lack. Those of three letters are some 8,000: they are taken as typed.
	 */
	const TWO_LETTERS = 'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu';

	/**
	 * Reads what was typed. A row without a tag and a name is none.
	 *
	 * @param array<mixed> $rows
	 * @return array{languages: list<Listed>, problems: list<string>}
	 */
	public static function read( array $rows ): array {
		$languages = array();
		$problems  = array();
		foreach ( $rows as $row ) {
			$typed = array_map( 'trim', array_map( 'strval', array_filter( (array) $row, 'is_scalar' ) ) ) + array_fill_keys( array( 'tag', 'name', 'dir', 'fallback' ), '' );
			if ( '' === $typed['tag'] && '' === $typed['name'] ) {
				continue;
			}
			$tag = self::canonical( $typed['tag'] );
			if ( '' === $tag ) {
				/* translators: %s: what was typed. */
				$problems[] = sprintf( __( '“%s” is no tag of a language. Tags are short, such as de, ar or pt-BR.', 'pillion' ), $typed['tag'] );
			} elseif ( ! self::known( $tag ) ) {
				/* translators: %s: a tag, like qq */
				$problems[] = sprintf( __( 'No language has the tag %s. Browsers and search engines would not know what the page is written in.', 'pillion' ), $tag );
			} elseif ( isset( $languages[ $tag ] ) ) {
				/* translators: %s: a tag, like de */
				$problems[] = sprintf( __( 'The language %s is there twice.', 'pillion' ), $tag );
			} else {
				$languages[ $tag ] = array(
					'tag'      => $tag,
					'name'     => '' === $typed['name'] ? $tag : sanitize_text_field( $typed['name'] ),
					'dir'      => in_array( $typed['dir'], array( 'ltr', 'rtl' ), true ) ? $typed['dir'] : self::direction( $tag ),
					'fallback' => self::canonical( $typed['fallback'] ),
				);
			}
		}
		foreach ( $languages as $tag => $language ) {
			$languages[ $tag ]['fallback'] = self::sound( $tag, $languages ) ? $language['fallback'] : '';
			if ( $language['fallback'] !== $languages[ $tag ]['fallback'] ) {
				/* translators: %s: a tag, like de */
				$problems[] = sprintf( __( 'What stands in for missing pages of %s leads back to itself or is not in the list.', 'pillion' ), $tag );
			}
		}
		return array(
			'languages' => array_values( $languages ),
			'problems'  => $problems,
		);
	}

	/** A tag as BCP 47 writes it: `pt-BR`, `zh-Hant`; empty where it is none. */
	public static function canonical( string $tag ): string {
		$tag = str_replace( '_', '-', $tag );
		if ( ! preg_match( Language::TAG, $tag ) || in_array( strtolower( $tag ), self::TAKEN, true ) ) {
			return '';
		}
		$parts = explode( '-', strtolower( $tag ) );
		foreach ( array_slice( $parts, 1, null, true ) as $at => $part ) {
			$parts[ $at ] = 4 === strlen( $part ) && ctype_alpha( $part ) ? ucfirst( $part ) : ( 2 === strlen( $part ) ? strtoupper( $part ) : $part );
		}
		return implode( '-', $parts );
	}

	/** Whether the language of a canonical tag can exist. */
	private static function known( string $tag ): bool {
		$language = (string) strtok( $tag, '-' );
		return 2 !== strlen( $language ) || in_array( $language, explode( ' ', self::TWO_LETTERS ), true );
	}

	private static function direction( string $tag ): string {
		return in_array( strtok( $tag, '-' ), self::RIGHT_TO_LEFT, true ) || in_array( $tag, self::RIGHT_TO_LEFT, true ) ? 'rtl' : 'ltr';
	}

	/**
	 * Whether the fallbacks of a language lead on to listed ones and to none twice.
	 *
	 * @param array<string, Listed> $languages
	 */
	private static function sound( string $tag, array $languages ): bool {
		$seen = array( $tag );
		for ( $next = $languages[ $tag ]['fallback']; '' !== $next; $next = $languages[ $next ]['fallback'] ) {
			if ( ! isset( $languages[ $next ] ) || in_array( $next, $seen, true ) ) {
				return false;
			}
			$seen[] = $next;
		}
		return true;
	}
}
