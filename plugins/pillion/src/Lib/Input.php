<?php
/**
 * The only class that reads the request. Texts are unslashed. A list in the place of a text is read as an empty text.
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

final class Input {
	/** A text of the submitted form; empty if it is missing. The value is not validated. */
	public static function posted( string $name ): string {
		return self::text_of( $_POST, $name );
	}

	/** A text of the query string. */
	public static function query( string $name ): string {
		return self::text_of( $_GET, $name );
	}

	/** A list of the submitted form. */
	public static function posted_list( string $name ): array {
		return self::array_of( $_POST, $name );
	}

	public static function query_list( string $name ): array {
		return self::array_of( $_GET, $name );
	}

	/** Whether the query string or the form has a value with this name. */
	public static function has( string $name ): bool {
		return isset( $_REQUEST[ $name ] );
	}

	public static function is_post(): bool {
		return 'POST' === self::text_of( $_SERVER, 'REQUEST_METHOD' );
	}

	/** A header of the request; empty if it was not sent. */
	public static function header( string $name ): string {
		return self::text_of( $_SERVER, 'HTTP_' . strtoupper( str_replace( '-', '_', $name ) ) );
	}

	/** Path and query of the request. */
	public static function path(): string {
		return self::text_of( $_SERVER, 'REQUEST_URI' );
	}

	/** The result of a function that reads the request's host, as if the request had come to this host. */
	public static function with_host( string $host, callable $callback ) {
		$original_host        = $_SERVER['HTTP_HOST'] ?? null;
		$_SERVER['HTTP_HOST'] = $host;
		$value                = $callback();
		$_SERVER['HTTP_HOST'] = $original_host;
		return $value;
	}

	/** IP address of the client, or of the proxy in front of this WordPress. */
	public static function address(): string {
		return self::text_of( $_SERVER, 'REMOTE_ADDR' );
	}

	/**
	 * Name and password of Basic authorization. Apache with FPM can pass the header under another name.
	 *
	 * @return array{0: string, 1: string}|null
	 */
	public static function basic(): ?array {
		if ( isset( $_SERVER['PHP_AUTH_USER'] ) ) {
			return array( self::text_of( $_SERVER, 'PHP_AUTH_USER' ), self::text_of( $_SERVER, 'PHP_AUTH_PW' ) );
		}
		$header = self::header( 'authorization' );
		$header = '' !== $header ? $header : self::text_of( $_SERVER, 'REDIRECT_HTTP_AUTHORIZATION' );
		if ( 0 !== stripos( $header, 'basic ' ) ) {
			return null;
		}
		$parts = explode( ':', (string) base64_decode( substr( $header, 6 ), true ), 2 );
		return 2 === count( $parts ) ? array( $parts[0], $parts[1] ) : null;
	}

	/**
	 * Whether the browser reports that a screen of this WordPress sent the request. Used for a form with an invalid
	 * nonce: the page was open too long, or another site sent the form.
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
		// Both headers leave out the default port of the scheme.
		return '' !== $host && 0 === strcasecmp( $host, self::header( 'host' ) );
	}

	private static function text_of( array $all, string $name ): string {
		$value = $all[ $name ] ?? '';
		return is_scalar( $value ) ? (string) wp_unslash( $value ) : '';
	}

	private static function array_of( array $all, string $name ): array {
		$value = $all[ $name ] ?? array();
		return is_array( $value ) ? (array) wp_unslash( $value ) : array();
	}
}
