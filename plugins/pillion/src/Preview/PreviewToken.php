<?php
/**
 * A token that opens a preview: what may be shown, to whom and until when, signed twice. The site checks the signature
 * with the shared secret, so a consumer key alone cannot create a token. WordPress checks its own signature, made with
 * its keys and its address, so neither the secret nor a clone of this WordPress can create a token (decision 055).
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Site\Connection;
use WP_Error;
use WP_User;

/**
 * `k`: kind, for a preview (`open`), for the pane in the editor (`pane`) or for others (`link`). `p`: the post. `u`:
 * the user who created it. `l`: id of the link, or empty. `s`: the session it ends with (Session), empty for a link.
 * `o`, `e`: until when it can be opened and until when it is valid, in Unix seconds. `m`: WordPress' own signature.
 *
 * @phpstan-type Payload array{k: string, p: int, u: int, l: string, s: string, o: int, e: int}
 */
final class PreviewToken {
	/** Time in which a preview must be opened, in seconds. */
	const OPEN_SECONDS = 600;

	/** Lifetime of an opened preview in seconds: a day of work. */
	const LIFETIME_SECONDS = 28800;

	/** Prefixes of the texts of both signatures, so that no other signed message is a valid token. */
	const CONTEXT           = 'pillion-preview.';
	const WORDPRESS_CONTEXT = 'pillion-preview-own.';

	/** @param string $kind `open` or `pane`. */
	public static function create( string $kind, int $post, WP_User $user ): string {
		$now = time();
		return self::sign(
			array(
				'k' => $kind,
				'p' => $post,
				'u' => $user->ID,
				'l' => '',
				's' => Session::current( $user ),
				'o' => $now + self::OPEN_SECONDS,
				'e' => $now + self::LIFETIME_SECONDS,
			)
		);
	}

	/**
	 * A token for others. The same link always gives the same token.
	 *
	 * @param int $user  Who created the link.
	 * @param int $until Unix seconds.
	 */
	public static function for_link( int $post, int $user, string $link, int $until ): string {
		return self::sign(
			array(
				'k' => 'link',
				'p' => $post,
				'u' => $user,
				'l' => $link,
				's' => '',
				'o' => $until,
				'e' => $until,
			)
		);
	}

	/** @return Payload|WP_Error Errors: `pillion_preview_wrong`, `pillion_preview_expired`. */
	public static function read( string $token ) {
		$parts = explode( '.', $token );
		$key   = Connection::decode_secret( Connection::secret() );
		if ( null === $key || 2 !== count( $parts ) || ! hash_equals( self::signature( $parts[0], $key ), $parts[1] ) ) {
			return Refusal::error_for( 'wrong' );
		}
		$payload = json_decode( self::decode( $parts[0] ), true );
		if ( ! is_array( $payload ) || ! self::has_all_members( $payload ) || ! hash_equals( self::wordpress_signature( $payload ), $payload['m'] ) ) {
			return Refusal::error_for( 'wrong' );
		}
		return $payload['e'] > time() ? $payload : Refusal::error_for( 'expired' );
	}

	/**
	 * Marks a user's own token as used; it opens once. Only a hash is stored, as long as the token could be opened.
	 *
	 * @return bool Whether the token was unused.
	 */
	public static function use_up( string $token ): bool {
		$name = 'pillion_preview_used_' . substr( hash( 'sha256', $token ), 0, 40 );
		return false === get_transient( $name ) && set_transient( $name, 1, self::OPEN_SECONDS );
	}

	/** Whether decoded JSON has all members of a `Payload` and its signature `m`, with valid types. */
	private static function has_all_members( array $payload ): bool {
		foreach ( array( 'p', 'u', 'o', 'e' ) as $number ) {
			if ( ! is_int( $payload[ $number ] ?? null ) || $payload[ $number ] < 1 ) {
				return false;
			}
		}
		foreach ( array( 'l', 's', 'm' ) as $text ) {
			if ( ! is_string( $payload[ $text ] ?? null ) ) {
				return false;
			}
		}
		return in_array( $payload['k'] ?? null, array( 'open', 'pane', 'link' ), true );
	}

	/** @param Payload $payload */
	private static function sign( array $payload ): string {
		$encoded = self::encode( (string) wp_json_encode( $payload + array( 'm' => self::wordpress_signature( $payload ) ) ) );
		return $encoded . '.' . self::signature( $encoded, (string) Connection::decode_secret( Connection::secret() ) );
	}

	private static function signature( string $encoded, string $key ): string {
		return self::encode( hash_hmac( 'sha256', self::CONTEXT . $encoded, $key, true ) );
	}

	/**
	 * Its address is the option, because home_url() depends on the scheme of the request and on language plugins.
	 *
	 * @param Payload $payload
	 */
	private static function wordpress_signature( array $payload ): string {
		$signed = array( untrailingslashit( (string) get_option( 'home' ) ), $payload['k'], $payload['p'], $payload['u'], $payload['l'], $payload['s'], $payload['o'], $payload['e'] );
		return self::encode( hash_hmac( 'sha256', self::WORDPRESS_CONTEXT . implode( "\n", $signed ), wp_salt( 'auth' ), true ) );
	}

	/** URL-safe Base64 without padding (RFC 4648, section 5). */
	public static function encode( string $bytes ): string {
		return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
	}

	private static function decode( string $text ): string {
		return (string) base64_decode( strtr( $text, '-_', '+/' ), true );
	}
}
