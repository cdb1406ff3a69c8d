<?php
/**
 * The WordPress user of consumer keys. It cannot log in and has no rights. Each call gets the capabilities that it
 * needs (Keys, KeyRules).
 */

namespace Pillion\Access;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Lock;
use WP_Error;
use WP_User;

final class KeyUser {
	/** Option with the user's id. */
	const OPTION = 'pillion_key_user';

	const ROLE = 'pillion_key';

	/** Prefix of the login name. A random suffix prevents a conflict with an existing user. */
	const LOGIN_PREFIX = 'pillion-key-';

	/** @var string[] Capabilities of the current call. */
	private static $lent = array();

	public function register(): void {
		// Not earlier: other plugins handle the new user and need the current user for that.
		add_action( 'init', array( self::class, 'create' ), 20 );
		add_action( 'deleted_user', array( self::class, 'forget' ) );
		add_filter( 'user_has_cap', array( self::class, 'filter_capabilities' ), PHP_INT_MAX, 4 );
		add_filter( 'authenticate', array( self::class, 'block_login' ), PHP_INT_MAX );
		add_filter( 'wp_is_application_passwords_available_for_user', array( self::class, 'block_application_passwords' ), PHP_INT_MAX, 2 );
		add_filter( 'allow_password_reset', array( self::class, 'block_reset' ), PHP_INT_MAX, 2 );
	}

	/** @return int The user's id, or 0. */
	public static function id(): int {
		return (int) get_option( self::OPTION, 0 );
	}

	/**
	 * Gives the user exactly these capabilities until the next call of this function.
	 *
	 * @param string[] $capabilities
	 */
	public static function lend( array $capabilities ): void {
		self::$lent = $capabilities;
	}

	/** Whether a call would have a capability if it were lent. Filters of other plugins apply. */
	public static function would_have( string $capability ): bool {
		$lent       = self::$lent;
		self::$lent = array( $capability );
		$would_have = self::id() && user_can( self::id(), $capability );
		self::$lent = $lent;
		return $would_have;
	}

	/**
	 * The lent capabilities only, even if an administrator gave the user a role.
	 *
	 * @param array<string, bool> $all
	 * @param string[]            $required
	 * @param WP_User             $user
	 * @return array<string, bool>
	 */
	public static function filter_capabilities( $all, $required, $arguments, $user ) {
		return self::is_key_user( $user ) ? array_fill_keys( self::$lent, true ) : $all;
	}

	/** Creates the user if there are keys and no user yet. */
	public static function create(): void {
		if ( self::exists() || ! Keys::all() || ! Lock::acquire( self::OPTION ) ) {
			return;
		}
		add_role( self::ROLE, __( 'Pillion: the site’s server', 'pillion' ) );
		$id = wp_insert_user(
			array(
				'user_login'           => self::LOGIN_PREFIX . strtolower( wp_generate_password( 8, false ) ),
				'user_pass'            => wp_generate_password( 64 ),
				'display_name'         => __( 'The site’s server', 'pillion' ),
				'description'          => __( 'Pillion’s consumer keys act as this user. It cannot be used to log in, and it has only the rights that the site’s server needs.', 'pillion' ),
				'role'                 => self::ROLE,
				'show_admin_bar_front' => 'false',
			)
		);
		if ( ! is_wp_error( $id ) ) {
			update_option( self::OPTION, $id, true );
		}
		Lock::release( self::OPTION );
	}

	/**
	 * Whether there is a user. A request with a key also checks the database, because deleting a user in a network does
	 * not call `forget` on this site.
	 */
	private static function exists(): bool {
		return self::id() && ( ! Keys::is_sent() || get_userdata( self::id() ) );
	}

	/** @param int $id Id of a deleted user. The next request creates a new user for keys. */
	public static function forget( $id ): void {
		if ( (int) $id === self::id() ) {
			delete_option( self::OPTION );
		}
	}

	public static function block_login( $user ) {
		return self::is_key_user( $user ) ? new WP_Error( 'pillion_key_user', __( 'This user belongs to the site’s server and cannot log in. Log in with your own account.', 'pillion' ) ) : $user;
	}

	/**
	 * @param bool    $available
	 * @param WP_User $user
	 */
	public static function block_application_passwords( $available, $user ): bool {
		return $available && ! self::is_key_user( $user );
	}

	/**
	 * @param bool|WP_Error $allowed
	 * @param int           $id
	 * @return bool|WP_Error
	 */
	public static function block_reset( $allowed, $id ) {
		return (int) $id === self::id() && $id ? false : $allowed;
	}

	private static function is_key_user( $user ): bool {
		return $user instanceof WP_User && $user->ID && $user->ID === self::id();
	}
}
