<?php
/**
 * Remembers what other sites answered for embeds, so that a page with a film is not fetched anew with each key that is
 * pressed. WordPress keeps such answers with the post; a preview writes nothing to it.
 *
 * An address may stand in a draft alone, and nothing of a draft is kept where it can be read. So what is remembered is
 * locked with its own address: who does not know that finds neither the one nor the other.
 */

namespace Pillion\Preview;

final class Embeds {
	const PREFIX = 'pillion_embed_';

	/** How long an answer is good, in seconds; and how long a site that gave none is left alone. */
	const GOOD_SECONDS   = HOUR_IN_SECONDS;
	const SILENT_SECONDS = 120;

	/** Before other plugins: what they answer without asking anybody counts first. */
	const PRIORITY = 99;

	/** @var array<string, array{url: string, html: string}> Answers of this request, by the name they are kept under. */
	private static $fetched = array();

	/**
	 * Does something, and asks other sites only for what is not known.
	 *
	 * @param callable $work
	 * @return mixed What `$work` returns.
	 */
	public static function remember( callable $work ) {
		self::$fetched = array();
		add_filter( 'pre_oembed_result', array( self::class, 'known' ), self::PRIORITY, 3 );
		add_filter( 'oembed_result', array( self::class, 'note' ), self::PRIORITY, 3 );
		try {
			return $work();
		} finally {
			remove_filter( 'pre_oembed_result', array( self::class, 'known' ), self::PRIORITY );
			remove_filter( 'oembed_result', array( self::class, 'note' ), self::PRIORITY );
			self::keep();
		}
	}

	/**
	 * @param string|false|null $html Null: nobody has answered yet.
	 * @param string            $url
	 * @param mixed             $args
	 * @return string|false|null False: it was asked a moment ago and gave nothing.
	 */
	public static function known( $html, $url, $args ) {
		if ( null !== $html ) {
			return $html;
		}
		$name = self::name( (string) $url, $args );
		// An answer to a preview draws the page twice: as sections, and as WordPress' own content.
		$kept = isset( self::$fetched[ $name ] ) ? self::$fetched[ $name ]['html'] : self::unlock( get_transient( $name ), (string) $url );
		if ( null === $kept ) {
			// A site that fails calls nobody back: it stays noted as one that gave nothing.
			self::$fetched[ $name ] = array( 'url' => (string) $url, 'html' => '' );
			return null;
		}
		return '' === $kept ? false : $kept;
	}

	/**
	 * @param string|false $html
	 * @param string       $url
	 * @param mixed        $args
	 * @return string|false
	 */
	public static function note( $html, $url, $args ) {
		self::$fetched[ self::name( (string) $url, $args ) ] = array( 'url' => (string) $url, 'html' => (string) $html );
		return $html;
	}

	private static function keep(): void {
		foreach ( self::$fetched as $name => $answer ) {
			set_transient( $name, self::lock( $answer['html'], $answer['url'] ), '' === $answer['html'] ? self::SILENT_SECONDS : self::GOOD_SECONDS );
		}
		self::$fetched = array();
	}

	/**
	 * @param mixed $args
	 */
	private static function name( string $url, $args ): string {
		return self::PREFIX . substr( hash_hmac( 'sha256', $url . '|' . wp_json_encode( $args ), wp_salt() ), 0, 40 );
	}

	private static function key( string $url ): string {
		return hash_hmac( 'sha256', 'embed|' . $url, wp_salt(), true );
	}

	private static function lock( string $text, string $url ): string {
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		return base64_encode( $nonce . sodium_crypto_secretbox( $text, $nonce, self::key( $url ) ) );
	}

	/**
	 * @param mixed $kept
	 * @return string|null Null: nothing that can be read.
	 */
	private static function unlock( $kept, string $url ): ?string {
		$bytes = is_string( $kept ) ? base64_decode( $kept, true ) : false;
		if ( ! is_string( $bytes ) || strlen( $bytes ) < SODIUM_CRYPTO_SECRETBOX_NONCEBYTES + SODIUM_CRYPTO_SECRETBOX_MACBYTES ) {
			return null;
		}
		$nonce = substr( $bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		$text  = sodium_crypto_secretbox_open( substr( $bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ), $nonce, self::key( $url ) );
		return is_string( $text ) ? $text : null;
	}
}
