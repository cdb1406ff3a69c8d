<?php
/**
 * What a user is signed in with, by a name that tells nothing of it: a preview ends with the session it was opened from, and
 * with a change of the password. WordPress keeps the sessions of a changed password, so the name holds the password too.
 */

namespace Pillion\Preview;

use WP_Application_Passwords;
use WP_Session_Tokens;
use WP_User;

final class Session {
	/** Stands before what is signed, so that no other message of ours can be taken for a name. */
	const CONTEXT = 'pillion-preview-session.';

	/** Who is signed in neither by a browser's session nor by an application password: another plugin's way, or code. */
	const OTHER = '';

	/** The name of what this request is signed in with. */
	public static function current( WP_User $user ): string {
		$session = WP_Session_Tokens::get_instance( $user->ID )->get( wp_get_session_token() );
		return self::name( $user, $session ? self::told_apart( $session ) : (string) rest_get_authenticated_app_password() );
	}

	/** Whether what had this name is still good. */
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
