<?php
/**
 * What opens a preview: a note of what may be shown to whom, and until when, signed twice. The site checks the signature with
 * the secret that both sides share, so a consumer key alone makes none; this WordPress checks its own, made with its keys and
 * its address, so that neither that secret nor a clone of this WordPress makes one (decision 055).
 */

namespace Pillion\Preview;

use Pillion\Site\Connection;
use WP_Error;
use WP_User;

/**
 * `k`: made for a preview (`open`), for the pane beside the editor (`pane`) or for others (`link`). `p`: the post. `u`: the
 * user who made it. `l`: id of the link, else empty. `s`: the session it ends with (Session), empty for a link. `o`, `e`:
 * until when it may be opened, and until when it shows anything, in seconds since 1970. `m`: WordPress' own signature.
 *
 * @phpstan-type Note array{k: string, p: int, u: int, l: string, s: string, o: int, e: int}
 */
final class PreviewToken {
	/** How long a preview may be opened, in seconds. */
	const OPEN_SECONDS = 600;

	/** How long one that was opened shows anything, in seconds: a day of work. */
	const SHOWN_SECONDS = 28800;

	/** Stands before what is signed, so that no other message of ours can be taken for one. */
	const CONTEXT = 'pillion-preview.';

	const OWN_CONTEXT = 'pillion-preview-own.';

	/**
	 * For the eyes of who asks.
	 *
	 * @param string $kind `open` or `pane`.
	 */
	public static function make( string $kind, int $post, WP_User $user ): string {
		$now = time();
		return self::sign(
			array(
				'k' => $kind,
				'p' => $post,
				'u' => $user->ID,
				'l' => '',
				's' => Session::current( $user ),
				'o' => $now + self::OPEN_SECONDS,
				'e' => $now + self::SHOWN_SECONDS,
			)
		);
	}

	/**
	 * For others. The same link gives the same token each time.
	 *
	 * @param int $user  Who made the link.
	 * @param int $until Seconds since 1970.
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

	/**
	 * @return Note|WP_Error What it says; `pillion_preview_wrong` or `pillion_preview_expired`.
	 */
	public static function read( string $token ) {
		$parts = explode( '.', $token );
		$key   = Connection::key( Connection::secret() );
		if ( null === $key || 2 !== count( $parts ) || ! hash_equals( self::signature( $parts[0], $key ), $parts[1] ) ) {
			return Refusal::wrong();
		}
		$note = json_decode( self::decode( $parts[0] ), true );
		if ( ! is_array( $note ) || ! self::is_whole( $note ) || ! hash_equals( self::own_signature( $note ), $note['m'] ) ) {
			return Refusal::wrong();
		}
		return $note['e'] > time() ? $note : Refusal::expired();
	}

	/**
	 * One's own token opens once. Noted as long as it could be opened; the note holds nothing of the token.
	 *
	 * @return bool Whether it was not opened before.
	 */
	public static function use_up( string $token ): bool {
		$name = 'pillion_preview_used_' . substr( hash( 'sha256', $token ), 0, 40 );
		return false === get_transient( $name ) && set_transient( $name, 1, self::OPEN_SECONDS );
	}

	/**
	 * @param mixed[] $note
	 */
	private static function is_whole( array $note ): bool {
		foreach ( array( 'p', 'u', 'o', 'e' ) as $number ) {
			if ( ! is_int( $note[ $number ] ?? null ) || $note[ $number ] < 1 ) {
				return false;
			}
		}
		foreach ( array( 'l', 's', 'm' ) as $text ) {
			if ( ! is_string( $note[ $text ] ?? null ) ) {
				return false;
			}
		}
		return in_array( $note['k'] ?? null, array( 'open', 'pane', 'link' ), true );
	}

	/**
	 * @param Note $note
	 */
	private static function sign( array $note ): string {
		$payload = self::encode( (string) wp_json_encode( $note + array( 'm' => self::own_signature( $note ) ) ) );
		return $payload . '.' . self::signature( $payload, (string) Connection::key( Connection::secret() ) );
	}

	private static function signature( string $payload, string $key ): string {
		return self::encode( hash_hmac( 'sha256', self::CONTEXT . $payload, $key, true ) );
	}

	/**
	 * The option, not home_url(): that one follows the scheme of the request, and plugins for languages change it.
	 *
	 * @param Note $note
	 */
	private static function own_signature( array $note ): string {
		$signed = array( untrailingslashit( (string) get_option( 'home' ) ), $note['k'], $note['p'], $note['u'], $note['l'], $note['s'], $note['o'], $note['e'] );
		return self::encode( hash_hmac( 'sha256', self::OWN_CONTEXT . implode( "\n", $signed ), wp_salt( 'auth' ), true ) );
	}

	/** Base64 for addresses, without padding (RFC 4648, section 5). */
	public static function encode( string $bytes ): string {
		return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
	}

	private static function decode( string $text ): string {
		return (string) base64_decode( strtr( $text, '-_', '+/' ), true );
	}
}
