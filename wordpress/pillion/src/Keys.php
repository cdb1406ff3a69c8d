<?php
/**
 * Consumer keys: what the site's server shows as Basic authorization on every call (R20).
 *
 * A key acts for the user who made it, but may only read and send in forms, so that a leaked one changes nothing.
 */

namespace Pillion;

use WP_Error;
use WP_REST_Request;

/**
 * @phpstan-type Key array{id: string, key: string, secret_hash: string, user_id: int, description: string, created: string}
 */
final class Keys {
	const OPTION = 'pillion_keys';

	/**
	 * Before WordPress' application passwords (20), which answer 401 to every Basic user they do not know as soon as
	 * one application password exists.
	 */
	const PRIORITY = 15;

	/** The one thing a key may write. */
	const WRITABLE = '~^/gf/v2/forms/\d+/submissions(/validation)?$~';

	/** @var WP_Error|null Why the credentials of this request were refused. */
	private $refusal = null;

	/** @var bool Whether this request came with a good key. */
	private $with_key = false;

	public function register(): void {
		add_filter( 'determine_current_user', array( $this, 'user_of_request' ), self::PRIORITY );
		add_filter( 'rest_authentication_errors', array( $this, 'refuse' ), self::PRIORITY );
		add_filter( 'rest_request_before_callbacks', array( $this, 'keep_to_reading' ), 10, 3 );
		( new KeysPage() )->register();
	}

	/**
	 * @param int|false|null $user
	 * @return int|false|null
	 */
	public function user_of_request( $user ) {
		$credentials = self::credentials();
		if ( $user || ! $credentials || 0 !== strpos( $credentials[0], 'ck_' ) || ! self::is_rest_request() ) {
			return $user;
		}
		$key = self::matching( $credentials[0], $credentials[1] );
		if ( $key && get_userdata( $key['user_id'] ) ) {
			$this->with_key = true;
			return $key['user_id'];
		}
		$this->refusal = new WP_Error( 'pillion_wrong_key', __( 'The consumer key or its secret is wrong.', 'pillion' ), array( 'status' => 401 ) );
		return $user;
	}

	/**
	 * @param WP_Error|true|null $result
	 * @return WP_Error|true|null True tells WordPress that this request has been judged.
	 */
	public function refuse( $result ) {
		if ( ! empty( $result ) ) {
			return $result;
		}
		if ( ! $this->with_key && ! $this->refusal ) {
			// WordPress may not have asked yet who this is.
			$this->user_of_request( get_current_user_id() );
		}
		return $this->refusal ?? ( $this->with_key ? true : $result );
	}

	/**
	 * @param mixed $response
	 * @param mixed $handler
	 * @return mixed
	 */
	public function keep_to_reading( $response, $handler, WP_REST_Request $request ) {
		$reads = in_array( $request->get_method(), array( 'GET', 'HEAD', 'OPTIONS' ), true );
		if ( ! $this->with_key || $reads || preg_match( self::WRITABLE, $request->get_route() ) ) {
			return $response;
		}
		return new WP_Error( 'pillion_key_reads_only', __( 'A consumer key may read, and send in forms; nothing else.', 'pillion' ), array( 'status' => 403 ) );
	}

	/**
	 * Makes a key. The secret is returned once and kept only as a hash: with 32 random bytes behind it a fast one does.
	 *
	 * @param string $id A new UUID; a second call with the same one makes nothing.
	 * @return array{key: string, secret: string}|null Null where that id was used before.
	 */
	public static function create( string $id, string $description, int $user_id ): ?array {
		$key    = 'ck_' . bin2hex( random_bytes( 20 ) );
		$secret = 'cs_' . bin2hex( random_bytes( 32 ) );
		return self::add( $id, $key, $secret, $description, $user_id ) ? compact( 'key', 'secret' ) : null;
	}

	/** Keeps a key whose secret was chosen elsewhere: the development one of a local site. */
	public static function add( string $id, string $key, string $secret, string $description, int $user_id ): bool {
		$keys = self::all();
		if ( in_array( $id, wp_list_pluck( $keys, 'id' ), true ) ) {
			return false;
		}
		$keys[] = array(
			'id'          => $id,
			'key'         => $key,
			'secret_hash' => hash( 'sha256', $secret ),
			'user_id'     => $user_id,
			'description' => $description,
			'created'     => gmdate( 'Y-m-d H:i:s' ),
		);
		return update_option( self::OPTION, $keys, false );
	}

	public static function revoke( string $id ): void {
		$left = array_filter(
			self::all(),
			static function ( array $key ) use ( $id ): bool {
				return $key['id'] !== $id;
			}
		);
		update_option( self::OPTION, array_values( $left ), false );
	}

	/**
	 * @return Key[] Those that are whole; a damaged one opens nothing.
	 */
	public static function all(): array {
		$keys = get_option( self::OPTION, array() );
		return array_values(
			array_filter(
				is_array( $keys ) ? $keys : array(),
				static function ( $key ): bool {
					return is_array( $key ) && isset( $key['id'], $key['key'], $key['secret_hash'], $key['user_id'] )
						&& is_string( $key['key'] ) && is_string( $key['secret_hash'] ) && is_int( $key['user_id'] );
				}
			)
		);
	}

	/**
	 * @return Key|null
	 */
	private static function matching( string $key, string $secret ): ?array {
		foreach ( self::all() as $known ) {
			if ( hash_equals( $known['key'], $key ) && hash_equals( $known['secret_hash'], hash( 'sha256', $secret ) ) ) {
				return $known;
			}
		}
		return null;
	}

	/**
	 * Basic credentials of this request, also where Apache with FPM hands the header on under another name.
	 *
	 * @return array{0: string, 1: string}|null
	 */
	private static function credentials(): ?array {
		if ( isset( $_SERVER['PHP_AUTH_USER'] ) ) {
			return array( (string) wp_unslash( $_SERVER['PHP_AUTH_USER'] ), (string) wp_unslash( $_SERVER['PHP_AUTH_PW'] ?? '' ) );
		}
		$header = (string) ( $_SERVER['HTTP_AUTHORIZATION'] ?? $_SERVER['REDIRECT_HTTP_AUTHORIZATION'] ?? '' );
		if ( 0 !== stripos( $header, 'basic ' ) ) {
			return null;
		}
		$parts = explode( ':', (string) base64_decode( substr( $header, 6 ), true ), 2 );
		return 2 === count( $parts ) ? array( $parts[0], $parts[1] ) : null;
	}

	/** Asked before WordPress itself knows: the user is determined before REST_REQUEST is defined. */
	private static function is_rest_request(): bool {
		if ( ! empty( $_GET['rest_route'] ) ) {
			return true;
		}
		$path = (string) wp_parse_url( (string) ( $_SERVER['REQUEST_URI'] ?? '' ), PHP_URL_PATH );
		return false !== strpos( trailingslashit( $path ), '/' . rest_get_url_prefix() . '/' );
	}
}
