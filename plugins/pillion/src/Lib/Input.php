<?php
/**
 * What the browser sent: the one place that reads it. Texts come without the slashes WordPress adds, and a list where a
 * text is expected is no text.
 */

namespace Pillion\Lib;

final class Input {
	/** A text of the form that was sent; empty where there is none. Nobody has judged it yet. */
	public static function posted( string $name ): string {
		return self::text( $_POST, $name );
	}

	/** A text of the address. */
	public static function asked( string $name ): string {
		return self::text( $_GET, $name );
	}

	/**
	 * A part of the form with everything in it.
	 *
	 * @return mixed[]
	 */
	public static function posted_list( string $name ): array {
		return self::items( $_POST, $name );
	}

	/**
	 * @return mixed[]
	 */
	public static function asked_list( string $name ): array {
		return self::items( $_GET, $name );
	}

	/** Whether the address or the form has something under this name. */
	public static function has( string $name ): bool {
		return isset( $_REQUEST[ $name ] );
	}

	public static function is_post(): bool {
		return 'POST' === self::text( $_SERVER, 'REQUEST_METHOD' );
	}

	/** A header of the request; empty where it was not sent. */
	public static function header( string $name ): string {
		return self::text( $_SERVER, 'HTTP_' . strtoupper( str_replace( '-', '_', $name ) ) );
	}

	/** Path and query of the request. */
	public static function path(): string {
		return self::text( $_SERVER, 'REQUEST_URI' );
	}

	/**
	 * What a function returns in a request that came to this host.
	 *
	 * @return mixed
	 */
	public static function as_if_asked_at( string $host, callable $made ) {
		$own                  = $_SERVER['HTTP_HOST'] ?? null;
		$_SERVER['HTTP_HOST'] = $host;
		$value                = $made();
		$_SERVER['HTTP_HOST'] = $own;
		return $value;
	}

	/** Who is at the other end of the connection: a proxy, where one stands before this WordPress. */
	public static function address(): string {
		return self::text( $_SERVER, 'REMOTE_ADDR' );
	}

	/**
	 * Name and password of Basic authorization, also where Apache with FPM hands the header on under another name.
	 *
	 * @return array{0: string, 1: string}|null
	 */
	public static function basic(): ?array {
		if ( isset( $_SERVER['PHP_AUTH_USER'] ) ) {
			return array( self::text( $_SERVER, 'PHP_AUTH_USER' ), self::text( $_SERVER, 'PHP_AUTH_PW' ) );
		}
		$header = self::header( 'authorization' );
		$header = '' !== $header ? $header : self::text( $_SERVER, 'REDIRECT_HTTP_AUTHORIZATION' );
		if ( 0 !== stripos( $header, 'basic ' ) ) {
			return null;
		}
		$parts = explode( ':', (string) base64_decode( substr( $header, 6 ), true ), 2 );
		return 2 === count( $parts ) ? array( $parts[0], $parts[1] ) : null;
	}

	/**
	 * Whether the browser says that one of this WordPress' own screens sent this. For a form whose nonce no longer holds:
	 * an editor's that was open too long, or a stranger's.
	 */
	public static function is_from_own_screen(): bool {
		$relation = self::header( 'sec-fetch-site' );
		if ( '' !== $relation ) {
			return 'same-origin' === $relation;
		}
		$origin = self::header( 'origin' );
		$sender = wp_parse_url( '' !== $origin ? $origin : self::header( 'referer' ) );
		$scheme = is_array( $sender ) ? ( $sender['scheme'] ?? '' ) : '';
		if ( 'https' !== $scheme && ( 'http' !== $scheme || is_ssl() ) ) {
			return false;
		}
		$host = ( $sender['host'] ?? '' ) . ( isset( $sender['port'] ) ? ':' . $sender['port'] : '' );
		// Browsers name a port only where it is not the scheme's own, in both.
		return '' !== $host && 0 === strcasecmp( $host, self::header( 'host' ) );
	}

	/**
	 * @param mixed[] $all
	 */
	private static function text( array $all, string $name ): string {
		$value = $all[ $name ] ?? '';
		return is_scalar( $value ) ? (string) wp_unslash( $value ) : '';
	}

	/**
	 * @param mixed[] $all
	 * @return mixed[]
	 */
	private static function items( array $all, string $name ): array {
		$value = $all[ $name ] ?? array();
		return is_array( $value ) ? (array) wp_unslash( $value ) : array();
	}
}
