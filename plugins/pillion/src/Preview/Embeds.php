<?php
/**
 * Caches oEmbed responses for previews, so that a page with a video is not fetched with each keystroke. WordPress
 * caches them in the post's meta, but a preview writes nothing.
 *
 * A draft can hold an address that must stay private. So a cached response is encrypted with its own address: only
 * those who know the address can read it.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

final class Embeds {
	const PREFIX = 'pillion_embed_';

	/** Lifetime of a response in seconds, and of a failed request. */
	const CACHE_SECONDS  = HOUR_IN_SECONDS;
	const FAILED_SECONDS = 120;

	/** Before other plugins, so that their responses without a request take precedence. */
	const PRIORITY = 99;

	/** @var array<string, array{url: string, html: string}> Responses of this request, by the name of their transient. */
	private static $fetched = array();

	/**
	 * Runs a function and requests only embeds that are not cached.
	 *
	 * @return mixed The result of `$work`.
	 */
	public static function run_cached( callable $work ) {
		self::$fetched = array();
		add_filter( 'pre_oembed_result', array( self::class, 'cached_html' ), self::PRIORITY, 3 );
		add_filter( 'oembed_result', array( self::class, 'record_html' ), self::PRIORITY, 3 );
		try {
			return $work();
		} finally {
			remove_filter( 'pre_oembed_result', array( self::class, 'cached_html' ), self::PRIORITY );
			remove_filter( 'oembed_result', array( self::class, 'record_html' ), self::PRIORITY );
			self::store_fetched();
		}
	}

	/**
	 * @param string|false|null $html Null: no other filter has a result.
	 * @param string            $url
	 * @return string|false|null False: the last request failed and is not repeated yet.
	 */
	public static function cached_html( $html, $url, $args ) {
		if ( null !== $html ) {
			return $html;
		}
		$name   = self::cache_key( (string) $url, $args );
		// A preview renders the page twice: as sections, and as WordPress' content.
		$cached = isset( self::$fetched[ $name ] ) ? self::$fetched[ $name ]['html'] : self::decrypt( get_transient( $name ), (string) $url );
		if ( null === $cached ) {
			// No filter runs after a failed request, so the failure is recorded first.
			self::$fetched[ $name ] = array( 'url' => (string) $url, 'html' => '' );
			return null;
		}
		return '' === $cached ? false : $cached;
	}

	/**
	 * @param string|false $html
	 * @param string       $url
	 * @return string|false
	 */
	public static function record_html( $html, $url, $args ) {
		self::$fetched[ self::cache_key( (string) $url, $args ) ] = array( 'url' => (string) $url, 'html' => (string) $html );
		return $html;
	}

	private static function store_fetched(): void {
		foreach ( self::$fetched as $name => $embed ) {
			set_transient( $name, self::encrypt( $embed['html'], $embed['url'] ), '' === $embed['html'] ? self::FAILED_SECONDS : self::CACHE_SECONDS );
		}
		self::$fetched = array();
	}

	private static function cache_key( string $url, $args ): string {
		return self::PREFIX . substr( hash_hmac( 'sha256', $url . '|' . wp_json_encode( $args ), wp_salt() ), 0, 40 );
	}

	private static function encryption_key( string $url ): string {
		return hash_hmac( 'sha256', 'embed|' . $url, wp_salt(), true );
	}

	private static function encrypt( string $text, string $url ): string {
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		return base64_encode( $nonce . sodium_crypto_secretbox( $text, $nonce, self::encryption_key( $url ) ) );
	}

	/** @return string|null Null if it cannot be decrypted. */
	private static function decrypt( $encrypted, string $url ): ?string {
		$bytes = is_string( $encrypted ) ? base64_decode( $encrypted, true ) : false;
		if ( ! is_string( $bytes ) || strlen( $bytes ) < SODIUM_CRYPTO_SECRETBOX_NONCEBYTES + SODIUM_CRYPTO_SECRETBOX_MACBYTES ) {
			return null;
		}
		$nonce = substr( $bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		$text  = sodium_crypto_secretbox_open( substr( $bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ), $nonce, self::encryption_key( $url ) );
		return is_string( $text ) ? $text : null;
	}
}
