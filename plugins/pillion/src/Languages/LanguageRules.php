<?php
/**
 * Validates the list of languages.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Language;

/** @phpstan-import-type Listed from Language */
final class LanguageRules {
	/** Languages that are written from right to left if their tag names no script (CLDR, WordPress' own translations). */
	const RIGHT_TO_LEFT = array( 'ar', 'arc', 'ary', 'arz', 'azb', 'ckb', 'dv', 'fa', 'glk', 'haz', 'he', 'iw', 'ji', 'ks', 'lrc', 'mzn', 'nqo', 'pnb', 'ps', 'sd', 'skr', 'snd', 'syr', 'ug', 'ur', 'yi' );

	/** Scripts that are written from right to left (ISO 15924). */
	const RIGHT_TO_LEFT_SCRIPTS = array( 'Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa' );

	/** A language code (Apiaká) that is also the prefix of the site's endpoints. */
	const RESERVED = array( 'api' );

	/**
	 * Two-letter languages in the IANA registry of subtags (BCP 47), including old ones. PHP knows them only with the
	 * extension `intl`, which many hosts lack. The about 8,000 three-letter languages are accepted unchecked.
	 */
	const TWO_LETTERS = 'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu';

	/** A row of the form for a new language. */
	const EMPTY_ROW = array( 'tag' => '', 'name' => '', 'dir' => '', 'fallback' => '' );

	/**
	 * Reads the submitted rows.
	 *
	 * @return array{languages: list<Listed>, problems: list<string>}
	 */
	public static function validate( array $rows ): array {
		$languages = array();
		$problems  = array();
		foreach ( self::typed_rows( $rows ) as $typed ) {
			$tag = self::canonical( $typed['tag'] );
			if ( '' === $tag ) {
				/* translators: %s: what was typed. */
				$problems[] = sprintf( __( '“%s” is not a language tag. Enter a tag such as de, ar or pt-BR.', 'pillion' ), $typed['tag'] );
			} elseif ( ! self::is_known( $tag ) ) {
				/* translators: %s: a tag, like qq */
				$problems[] = sprintf( __( 'No language has the tag %s, so browsers and search engines would not know the language. Correct the tag.', 'pillion' ), $tag );
			} elseif ( isset( $languages[ $tag ] ) ) {
				/* translators: %s: a tag, like de */
				$problems[] = sprintf( __( 'The language %s is listed twice. Remove one.', 'pillion' ), $tag );
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
			$languages[ $tag ]['fallback'] = self::has_valid_fallback( $tag, $languages ) ? $language['fallback'] : '';
			if ( $language['fallback'] !== $languages[ $tag ]['fallback'] ) {
				/* translators: %s: a tag, like de */
				$problems[] = sprintf( __( 'The fallback for missing pages of %s leads back to itself or is not in the list. Choose another one.', 'pillion' ), $tag );
			}
		}
		return array( 'languages' => array_values( $languages ), 'problems' => $problems );
	}

	/** @return list<Listed> The rows as typed, without those that have neither tag nor name. */
	public static function typed_rows( array $rows ): array {
		$typed = array();
		foreach ( $rows as $row ) {
			$texts = array_map( 'trim', array_map( 'strval', array_filter( (array) $row, 'is_scalar' ) ) ) + self::EMPTY_ROW;
			if ( '' !== $texts['tag'] || '' !== $texts['name'] ) {
				$typed[] = $texts;
			}
		}
		return $typed;
	}

	/** A tag in the form of BCP 47: `pt-BR`, `zh-Hant`; empty if invalid. */
	public static function canonical( string $tag ): string {
		$tag = str_replace( '_', '-', $tag );
		if ( ! preg_match( Language::TAG, $tag ) || in_array( strtolower( $tag ), self::RESERVED, true ) ) {
			return '';
		}
		$parts = explode( '-', strtolower( $tag ) );
		foreach ( array_slice( $parts, 1, null, true ) as $at => $part ) {
			$parts[ $at ] = 4 === strlen( $part ) && ctype_alpha( $part ) ? ucfirst( $part ) : ( 2 === strlen( $part ) ? strtoupper( $part ) : $part );
		}
		return implode( '-', $parts );
	}

	/** Whether the language of a canonical tag can exist. */
	private static function is_known( string $tag ): bool {
		$language = Language::primary( $tag );
		return 2 !== strlen( $language ) || in_array( $language, explode( ' ', self::TWO_LETTERS ), true );
	}

	/** `rtl` or `ltr`, the usual direction of a valid tag's script. */
	public static function direction( string $tag ): string {
		$is_right_to_left = preg_match( '/-([A-Z][a-z]{3})(-|$)/', self::canonical( $tag ), $script )
			? in_array( $script[1], self::RIGHT_TO_LEFT_SCRIPTS, true )
			: in_array( Language::primary( $tag ), self::RIGHT_TO_LEFT, true );
		return $is_right_to_left ? 'rtl' : 'ltr';
	}

	/**
	 * Whether the chain of fallbacks has listed languages only and no loop.
	 *
	 * @param array<string, Listed> $languages
	 */
	private static function has_valid_fallback( string $tag, array $languages ): bool {
		$visited = array( $tag );
		for ( $next = $languages[ $tag ]['fallback']; '' !== $next; $next = $languages[ $next ]['fallback'] ) {
			if ( ! isset( $languages[ $next ] ) || in_array( $next, $visited, true ) ) {
				return false;
			}
			$visited[] = $next;
		}
		return true;
	}
}
