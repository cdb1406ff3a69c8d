<?php
/**
 * Identifies a user's session, so that a preview ends with the session that opened it. The name is an HMAC and reveals
 * nothing about the session. It covers the password hash, because WordPress keeps sessions after a password change.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use WP_Application_Passwords;
use WP_Session_Tokens;
use WP_User;

final class Session {
	/** Prefix of the signed text, so that no other signature of the plugin is a valid name. */
	const CONTEXT = 'pillion-preview-session.';

	/** Neither a browser session nor an application password: authentication by another plugin, or code. */
	const OTHER = '';

	/** Name of the session or application password of this request. */
	public static function current( WP_User $user ): string {
		$session = WP_Session_Tokens::get_instance( $user->ID )->get( wp_get_session_token() );
		return self::signed_name( $user, $session ? self::fingerprint( $session ) : (string) rest_get_authenticated_app_password() );
	}

	/** Whether the session of this name is open, or the application password exists. */
	public static function is_open( WP_User $user, string $name ): bool {
		$sessions  = array_map( array( self::class, 'fingerprint' ), WP_Session_Tokens::get_instance( $user->ID )->get_all() );
		$passwords = array_column( WP_Application_Passwords::get_user_application_passwords( $user->ID ), 'uuid' );
		foreach ( array_merge( $sessions, $passwords, array( self::OTHER ) ) as $credential ) {
			if ( hash_equals( self::signed_name( $user, $credential ), $name ) ) {
				return true;
			}
		}
		return false;
	}

	/** The values that identify a session. WordPress does not return its token, and plugins change its expiry. */
	private static function fingerprint( array $session ): string {
		return serialize( array( $session['login'] ?? '', $session['ip'] ?? '', $session['ua'] ?? '' ) );
	}

	private static function signed_name( WP_User $user, string $credential ): string {
		$signed = implode( "\n", array( $user->ID, $user->user_pass, $credential ) );
		return PreviewToken::encode( hash_hmac( 'sha256', self::CONTEXT . $signed, wp_salt( 'auth' ), true ) );
	}
}
