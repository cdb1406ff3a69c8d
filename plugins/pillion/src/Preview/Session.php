<?php
/**
 * Names the session of a user, so that a preview ends with the session it was opened from. The name is an HMAC and tells
 * nothing of the session. WordPress keeps sessions when a password changes, so the name covers the password hash too.
 */

namespace Pillion\Preview;

use WP_Application_Passwords;
use WP_Session_Tokens;
use WP_User;

final class Session {
	/** Prefix of what is signed, so that no other signature of the plugin passes for a name. */
	const CONTEXT = 'pillion-preview-session.';

	/** Neither a browser's session nor an application password: another plugin's authentication, or code. */
	const OTHER = '';

	/** The name of the session, or of the application password, that this request comes with. */
	public static function current( WP_User $user ): string {
		$session = WP_Session_Tokens::get_instance( $user->ID )->get( wp_get_session_token() );
		return self::name( $user, $session ? self::told_apart( $session ) : (string) rest_get_authenticated_app_password() );
	}

	/** Whether the session of this name is still open, or the application password not revoked. */
	public static function is_open( WP_User $user, string $name ): bool {
		$sessions  = array_map( array( self::class, 'told_apart' ), WP_Session_Tokens::get_instance( $user->ID )->get_all() );
		$passwords = array_column( WP_Application_Passwords::get_user_application_passwords( $user->ID ), 'uuid' );
		foreach ( array_merge( $sessions, $passwords, array( self::OTHER ) ) as $one ) {
			if ( hash_equals( self::name( $user, $one ), $name ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * What tells a session from another: WordPress names none by its token, and plugins move its end.
	 *
	 * @param array<string, mixed> $session
	 */
	private static function told_apart( array $session ): string {
		return serialize( array( $session['login'] ?? '', $session['ip'] ?? '', $session['ua'] ?? '' ) );
	}

	private static function name( WP_User $user, string $signed_in_with ): string {
		$named = implode( "\n", array( $user->ID, $user->user_pass, $signed_in_with ) );
		return PreviewToken::encode( hash_hmac( 'sha256', self::CONTEXT . $named, wp_salt( 'auth' ), true ) );
	}
}
