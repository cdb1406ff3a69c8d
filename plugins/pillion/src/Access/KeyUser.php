<?php
/**
 * Who a consumer key is inside WordPress: a user of its own that nobody can log in as and that may do nothing by itself.
 * What a call needs is lent to it for that call (Keys, KeyRules).
 */

namespace Pillion\Access;

use Pillion\Lib\Lock;
use WP_Error;
use WP_User;

final class KeyUser {
	/** Holds the user's number. */
	const OPTION = 'pillion_key_user';

	const ROLE = 'pillion_key';

	/** Beginning of the login name; what follows is chance, so that nobody can have taken it before. */
	const LOGIN = 'pillion-key-';

	/** @var string[] Capabilities of the call that is being answered. */
	private static $lent = array();

	public function register(): void {
		// Not earlier: plugins that hear of a new user ask who is there now, which must be known by then.
		add_action( 'init', array( self::class, 'make' ), 20 );
		add_action( 'deleted_user', array( self::class, 'forget' ) );
		add_filter( 'user_has_cap', array( self::class, 'lend' ), PHP_INT_MAX, 4 );
		add_filter( 'authenticate', array( self::class, 'refuse_login' ), PHP_INT_MAX );
		add_filter( 'wp_is_application_passwords_available_for_user', array( self::class, 'refuse_passwords' ), PHP_INT_MAX, 2 );
		add_filter( 'allow_password_reset', array( self::class, 'refuse_reset' ), PHP_INT_MAX, 2 );
	}

	/** @return int 0 where there is none yet. */
	public static function id(): int {
		return (int) get_option( self::OPTION, 0 );
	}

	/**
	 * Makes calls with these capabilities and no others, until the next call of this.
	 *
	 * @param string[] $capabilities
	 */
	public static function lend_for_call( array $capabilities ): void {
		self::$lent = $capabilities;
	}

	/** Whether a call would have a right that is lent to it: other plugins are asked as well. */
	public static function could( string $capability ): bool {
		$lent       = self::$lent;
		self::$lent = array( $capability );
		$could      = self::id() && user_can( self::id(), $capability );
		self::$lent = $lent;
		return $could;
	}

	/**
	 * What was lent and nothing else, whatever role somebody gave this user.
	 *
	 * @param array<string, bool> $all
	 * @param string[]            $needed
	 * @param mixed[]             $asked
	 * @param WP_User             $user
	 * @return array<string, bool>
	 */
	public static function lend( $all, $needed, $asked, $user ) {
		return self::is( $user ) ? array_fill_keys( self::$lent, true ) : $all;
	}

	/** Makes the user where keys need one. */
	public static function make(): void {
		if ( self::id() || ! Keys::all() || ! Lock::take( self::OPTION ) ) {
			return;
		}
		add_role( self::ROLE, __( 'Pillion: the site’s server', 'pillion' ) );
		$id = wp_insert_user(
			array(
				'user_login'           => self::LOGIN . strtolower( wp_generate_password( 8, false ) ),
				'user_pass'            => wp_generate_password( 64 ),
				'display_name'         => __( 'The site’s server', 'pillion' ),
				'description'          => __( 'Pillion’s consumer keys act as this user. Nobody can log in with it, and it may do nothing but what the site’s server asks for.', 'pillion' ),
				'role'                 => self::ROLE,
				'show_admin_bar_front' => 'false',
			)
		);
		if ( ! is_wp_error( $id ) ) {
			update_option( self::OPTION, $id, true );
		}
		Lock::give_back( self::OPTION );
	}

	/** @param int $id Of a user that was deleted; the next request makes another. */
	public static function forget( $id ): void {
		if ( (int) $id === self::id() ) {
			delete_option( self::OPTION );
		}
	}

	/**
	 * @param mixed $user
	 * @return mixed
	 */
	public static function refuse_login( $user ) {
		return self::is( $user ) ? new WP_Error( 'pillion_key_user', __( 'Nobody logs in as the site’s server: it shows a consumer key.', 'pillion' ) ) : $user;
	}

	/**
	 * @param bool    $available
	 * @param WP_User $user
	 */
	public static function refuse_passwords( $available, $user ): bool {
		return $available && ! self::is( $user );
	}

	/**
	 * @param bool|WP_Error $allowed
	 * @param int           $id
	 * @return bool|WP_Error
	 */
	public static function refuse_reset( $allowed, $id ) {
		return (int) $id === self::id() && $id ? false : $allowed;
	}

	/** @param mixed $user */
	private static function is( $user ): bool {
		return $user instanceof WP_User && $user->ID && $user->ID === self::id();
	}
}
