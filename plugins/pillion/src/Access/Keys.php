<?php
/**
 * Consumer keys: what the site's server shows as Basic authorization on every call (R20).
 *
 * A key counts only where WordPress itself answers REST, and there only for what the site asks (KeyRules); it acts as a
 * user of its own (KeyUser). Anywhere else a request with a key is a request without.
 */

namespace Pillion\Access;

use Pillion\Lib\Input;
use WP_Error;
use WP_REST_Request;

/**
 * @phpstan-type Key array{id: string, key: string, secret_hash: string, made_by?: int, user_id?: int, description: string, created: string}
 */
final class Keys {
	const OPTION = 'pillion_keys';

	/**
	 * Before Gravity Forms (15) and WordPress' application passwords (20), which take a Basic user they do not know for a
	 * wrong one and refuse the request.
	 */
	const PRIORITY = 14;

	/** @var bool Whether this REST request came with a good key. */
	private static $is_shown = false;

	/** @var bool Whether what is being answered is one of the calls that are for it. */
	private static $is_served = false;

	/** @var WP_Error|null Why what this request shows is refused. */
	private $refusal = null;

	/** @var array<int, string[]|null> What is lent to calls inside each other; null: one that is not for a key. */
	private $calls = array();

	public function register(): void {
		add_filter( 'determine_current_user', array( $this, 'user_of_request' ), self::PRIORITY );
		add_filter( 'rest_authentication_errors', array( $this, 'judge' ), self::PRIORITY );
		add_filter( 'rest_authentication_errors', array( $this, 'insist' ), PHP_INT_MAX );
		add_filter( 'rest_pre_dispatch', array( $this, 'describe_to_nobody' ), 0, 3 );
		add_filter( 'rest_pre_dispatch', array( $this, 'step_back' ), PHP_INT_MAX );
		add_filter( 'rest_request_before_callbacks', array( $this, 'begin' ), PHP_INT_MIN, 3 );
		add_filter( 'rest_request_after_callbacks', array( $this, 'end' ), PHP_INT_MAX, 3 );
		( new KeyUser() )->register();
		( new KeysPage() )->register();
	}

	/** Whether the call that is being answered is one of the site's, with a good key: for the permission of such a route. */
	public static function is_served(): bool {
		return self::$is_served;
	}

	/**
	 * @param int|false|null $user
	 * @return int|false|null
	 */
	public function user_of_request( $user ) {
		return self::is_rest() && self::matching() && KeyUser::id() ? KeyUser::id() : $user;
	}

	/** Whether a key came along, right or wrong. */
	public static function is_sent(): bool {
		return null !== self::credentials();
	}

	/** Whether it is the site's server that asks. */
	public static function is_shown(): bool {
		return self::$is_shown;
	}

	/**
	 * @param WP_Error|true|null $result
	 * @return WP_Error|true|null True tells WordPress that this request has been judged.
	 */
	public function judge( $result ) {
		self::$is_shown = self::is_rest() && null !== self::matching();
		if ( self::$is_shown ) {
			// A cookie that came along must not count: nothing says that its owner meant this request.
			wp_set_current_user( KeyUser::id() );
			return empty( $result ) ? true : $result;
		}
		$shown = self::is_rest() && empty( $result ) ? self::credentials() : null;
		// Gravity Forms' own keys begin like ours; whom it has let in is its.
		$this->refusal = $shown && ! get_current_user_id() ? WrongKeys::refuse( $shown[0] ) : null;
		return $this->refusal ?? $result;
	}

	/**
	 * Gravity Forms clears what others found wrong with a request for its routes.
	 *
	 * @param WP_Error|true|null $result
	 * @return WP_Error|true|null
	 */
	public function insist( $result ) {
		return $this->refusal ?? $result;
	}

	/**
	 * What a route would take is told with a key as without.
	 *
	 * @param mixed $response
	 * @param mixed $server
	 * @return mixed
	 */
	public function describe_to_nobody( $response, $server, WP_REST_Request $request ) {
		return 'OPTIONS' === $request->get_method() ? $this->step_back( $response ) : $response;
	}

	/**
	 * Others may have let the request in because somebody stands behind it; from here on nobody does, but in the site's calls.
	 *
	 * @param mixed $response
	 * @return mixed
	 */
	public function step_back( $response ) {
		if ( self::$is_shown && ! $this->calls ) {
			wp_set_current_user( 0 );
		}
		return $response;
	}

	/**
	 * Before permissions are asked: lends what the call needs, or forgets that there is a key.
	 *
	 * @param mixed                $response
	 * @param array<string, mixed> $handler
	 * @return mixed
	 */
	public function begin( $response, $handler, WP_REST_Request $request ) {
		if ( ! self::$is_shown ) {
			return $response;
		}
		$capabilities  = KeyRules::capabilities( $request, (array) $handler );
		$this->calls[] = $capabilities;
		self::serve( $capabilities );
		$refusal = $capabilities ? KeyRules::refusal( $request ) : null;
		return $refusal && ! is_wp_error( $response ) ? $refusal : $response;
	}

	/**
	 * @param mixed                $response
	 * @param array<string, mixed> $handler
	 * @return mixed
	 */
	public function end( $response, $handler, WP_REST_Request $request ) {
		if ( ! self::$is_shown || ! $this->calls ) {
			return $response;
		}
		$capabilities = array_pop( $this->calls );
		self::serve( $this->calls ? end( $this->calls ) : null );
		return null === $capabilities ? self::explained( $response ) : KeyRules::trim( $response, $request );
	}

	/** @param string[]|null $capabilities Null: the call is not for a key. */
	private static function serve( ?array $capabilities ): void {
		self::$is_served = null !== $capabilities;
		KeyUser::lend_for_call( $capabilities ?? array() );
		wp_set_current_user( null === $capabilities ? 0 : KeyUser::id() );
	}

	/**
	 * Nobody may do this either; that one is not logged in would say nothing to whoever sent a key.
	 *
	 * @param mixed $response
	 * @return mixed
	 */
	private static function explained( $response ) {
		$data = is_wp_error( $response ) ? $response->get_error_data() : null;
		if ( ! is_array( $data ) || ! in_array( $data['status'] ?? 0, array( 401, 403 ), true ) ) {
			return $response;
		}
		return new WP_Error( 'pillion_key_reads_only', __( 'A consumer key may read what the site shows, and send in forms; nothing else.', 'pillion' ), array( 'status' => 403 ) );
	}

	/**
	 * Makes a key. The secret is returned once and kept only as a hash: with 32 random bytes behind it a fast one does.
	 *
	 * @param string $id A new UUID; a second call with the same one makes nothing.
	 * @return array{key: string, secret: string}|null Null where that id was used before.
	 */
	public static function create( string $id, string $description, int $made_by ): ?array {
		$key    = 'ck_' . bin2hex( random_bytes( 20 ) );
		$secret = 'cs_' . bin2hex( random_bytes( 32 ) );
		return self::add( $id, $key, $secret, $description, $made_by ) ? compact( 'key', 'secret' ) : null;
	}

	/** Keeps a key whose secret was chosen elsewhere: the development one of a local site. */
	public static function add( string $id, string $key, string $secret, string $description, int $made_by ): bool {
		$keys = self::all();
		if ( in_array( $id, wp_list_pluck( $keys, 'id' ), true ) ) {
			return false;
		}
		$keys[] = array(
			'id'          => $id,
			'key'         => $key,
			'secret_hash' => hash( 'sha256', $secret ),
			'made_by'     => $made_by,
			'description' => $description,
			'created'     => gmdate( 'Y-m-d H:i:s' ),
		);
		$added  = update_option( self::OPTION, $keys, false );
		KeyUser::make();
		return $added;
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
					return is_array( $key ) && isset( $key['id'], $key['key'], $key['secret_hash'] )
						&& is_string( $key['key'] ) && is_string( $key['secret_hash'] );
				}
			)
		);
	}

	/**
	 * Keys of older versions acted as their maker, and died with that account: an upgrade wakes none of those.
	 *
	 * @param Key $key
	 */
	public static function is_alive( array $key ): bool {
		return ! isset( $key['user_id'] ) || get_userdata( (int) $key['user_id'] );
	}

	/**
	 * The key that this request shows with its secret.
	 *
	 * @return Key|null
	 */
	private static function matching(): ?array {
		$shown = self::credentials();
		foreach ( $shown ? self::all() : array() as $known ) {
			if ( hash_equals( $known['key'], $shown[0] ) && hash_equals( $known['secret_hash'], hash( 'sha256', $shown[1] ) ) ) {
				return self::is_alive( $known ) ? $known : null;
			}
		}
		return null;
	}

	/**
	 * @return array{0: string, 1: string}|null Key and secret, where what was sent looks like them.
	 */
	private static function credentials(): ?array {
		$basic = Input::basic();
		return $basic && 0 === strpos( $basic[0], 'ck_' ) ? $basic : null;
	}

	/** WordPress says so once it has found that the address is one of REST's; no address is judged here. */
	public static function is_rest(): bool {
		return defined( 'REST_REQUEST' ) && REST_REQUEST;
	}
}
