<?php
/**
 * Consumer keys: the site's server sends one as Basic authorization with each request (R20).
 *
 * A key is valid for REST requests only, and there only for the requests of the site (KeyRules). It acts as a separate
 * user (KeyUser). Other requests ignore the key.
 */

namespace Pillion\Access;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;
use Pillion\Lib\Input;
use WP_Error;
use WP_REST_Request;

/** @phpstan-type Key array{id: string, key: string, secret_hash: string, made_by?: int, description: string, created: string} */
final class Keys {
	const OPTION = 'pillion_keys';

	/**
	 * Before Gravity Forms (15) and WordPress' application passwords (20), which reject requests with an unknown Basic
	 * user.
	 */
	const PRIORITY = 14;

	/** @var bool Whether this REST request has a valid key. */
	private static $has_valid_key = false;

	/** @var bool Whether the current call is one that the key allows. */
	private static $is_call_allowed = false;

	/** @var WP_Error|null Why the key of this request is refused. */
	private $refusal = null;

	/** @var array<int, string[]|null> Capabilities of the nested calls; null: the call ignores keys. */
	private $calls = array();

	public function register(): void {
		add_filter( 'determine_current_user', array( $this, 'user_of_request' ), self::PRIORITY );
		add_filter( 'rest_authentication_errors', array( $this, 'verify' ), self::PRIORITY );
		add_filter( 'rest_authentication_errors', array( $this, 'restore_result' ), PHP_INT_MAX );
		add_filter( 'rest_pre_dispatch', array( $this, 'ignore_key_for_options' ), 0, 3 );
		add_filter( 'rest_pre_dispatch', array( $this, 'log_out' ), PHP_INT_MAX );
		add_filter( 'rest_request_before_callbacks', array( $this, 'begin_call' ), PHP_INT_MIN, 3 );
		add_filter( 'rest_request_after_callbacks', array( $this, 'end_call' ), PHP_INT_MAX, 3 );
		( new KeyUser() )->register();
		( new KeysPage() )->register();
	}

	/**
	 * Whether the current call is allowed by a valid key. Use it as the permission callback of a route for the site.
	 */
	public static function is_served(): bool {
		return self::$is_call_allowed;
	}

	/**
	 * Authenticates a request with a valid key as the key's user.
	 *
	 * @param int|false|null $user Of other authentication.
	 * @return int|false|null
	 */
	public function user_of_request( $user ) {
		return self::has_matching_key() && KeyUser::id() ? KeyUser::id() : $user;
	}

	/** Whether the request has a key, valid or not. */
	public static function is_sent(): bool {
		return null !== self::credentials();
	}

	/** Whether the request comes from the site's server. */
	public static function is_from_site(): bool {
		return self::$has_valid_key;
	}

	/**
	 * Accepts or refuses the key of a request. A request without a key passes unchanged.
	 *
	 * @param WP_Error|true|null $result Of earlier checks.
	 * @return WP_Error|true|null True: the request is authenticated.
	 */
	public function verify( $result ) {
		self::$has_valid_key = self::has_matching_key();
		if ( self::$has_valid_key ) {
			// A cookie does not count: without a nonce its owner may not have intended this request.
			wp_set_current_user( KeyUser::id() );
			return self::allow_key( $result );
		}
		$credentials = self::is_rest() && empty( $result ) ? self::credentials() : null;
		// Keys of Gravity Forms also begin with `ck_`; the user that Gravity Forms has authenticated stays.
		$this->refusal = $credentials && ! get_current_user_id() ? WrongKeys::count_and_refuse( $credentials[0] ) : null;
		return $this->refusal ?? $result;
	}

	/**
	 * Repeats the result, because Gravity Forms clears errors of others for its routes, and plugins that restrict the
	 * REST API refuse users without rights.
	 *
	 * @param WP_Error|true|null $result
	 * @return WP_Error|true|null
	 */
	public function restore_result( $result ) {
		return $this->refusal ?? ( self::$has_valid_key ? self::allow_key( $result ) : $result );
	}

	/**
	 * @param WP_Error|true|null $result Of other plugins, such as one that allows the REST API to editors only.
	 * @return WP_Error|true|null
	 */
	private static function allow_key( $result ) {
		/**
		 * Filters whether a valid consumer key passes if another plugin refuses the request. KeyRules still limits it.
		 *
		 * @param bool               $passes
		 * @param WP_Error|true|null $result
		 */
		return empty( $result ) || apply_filters( 'pillion_key_passes', true, $result ) ? true : $result;
	}

	/** An OPTIONS request describes a route as to a client without a key. */
	public function ignore_key_for_options( $response, $server, WP_REST_Request $request ) {
		return 'OPTIONS' === $request->get_method() ? $this->log_out( $response ) : $response;
	}

	/** Logs out the key's user after authentication; only allowed calls log it in again. */
	public function log_out( $response ) {
		if ( self::$has_valid_key && ! $this->calls ) {
			wp_set_current_user( 0 );
		}
		return $response;
	}

	/** Before the permission check: lends the capabilities of the call, or ignores the key. */
	public function begin_call( $response, $handler, WP_REST_Request $request ) {
		if ( ! self::$has_valid_key ) {
			return $response;
		}
		$capabilities  = KeyRules::capabilities( $request, (array) $handler );
		$this->calls[] = $capabilities;
		self::set_capabilities( $capabilities );
		$refusal = $capabilities ? KeyRules::draft_refusal( $request ) : null;
		return $refusal && ! is_wp_error( $response ) ? $refusal : $response;
	}

	/** After the call: trims its response, and returns to the capabilities of the outer call. */
	public function end_call( $response, $handler, WP_REST_Request $request ) {
		if ( ! self::$has_valid_key || ! $this->calls ) {
			return $response;
		}
		$capabilities = array_pop( $this->calls );
		self::set_capabilities( $this->calls ? end( $this->calls ) : null );
		return null === $capabilities ? self::explain_refusal( $response ) : KeyRules::trim_response( $response, $request );
	}

	/**
	 * Lends capabilities and sets the current user accordingly.
	 *
	 * @param string[]|null $capabilities Null: the call ignores keys and has no user.
	 */
	private static function set_capabilities( ?array $capabilities ): void {
		self::$is_call_allowed = null !== $capabilities;
		KeyUser::lend( $capabilities ?? array() );
		wp_set_current_user( null === $capabilities ? 0 : KeyUser::id() );
	}

	/** Replaces “you are not logged in”, which does not help a client with a key. */
	private static function explain_refusal( $response ) {
		$data = is_wp_error( $response ) ? $response->get_error_data() : null;
		if ( ! is_array( $data ) || ! in_array( $data['status'] ?? 0, array( 401, 403 ), true ) ) {
			return $response;
		}
		return new WP_Error( 'pillion_key_reads_only', __( 'A consumer key can only read published content and submit forms.', 'pillion' ), array( 'status' => 403 ) );
	}

	/**
	 * Creates a key. The secret is returned once and stored as a hash. A fast hash is enough for 32 random bytes.
	 *
	 * @param string $id A new UUID; a second call with the same one creates nothing.
	 * @return array{key: string, secret: string}|null Null if the id was used before.
	 */
	public static function create( string $id, string $description, int $made_by ): ?array {
		$key    = 'ck_' . bin2hex( random_bytes( 20 ) );
		$secret = 'cs_' . bin2hex( random_bytes( 32 ) );
		return self::add( $id, $key, $secret, $description, $made_by ) ? compact( 'key', 'secret' ) : null;
	}

	/**
	 * Stores a key with a given secret: the development key of a local site.
	 *
	 * @param int $made_by Id of a user.
	 * @return bool False if the id was used before.
	 */
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
		KeyUser::create();
		return $added;
	}

	public static function revoke( string $id ): void {
		$remaining = array_filter( self::all(), static fn( array $key ): bool => $key['id'] !== $id );
		update_option( self::OPTION, array_values( $remaining ), false );
	}

	/** @return Key[] Without malformed ones. */
	public static function all(): array {
		$is_whole = static fn( array $key ): bool => isset( $key['id'] ) && is_string( $key['key'] ?? null ) && is_string( $key['secret_hash'] ?? null );
		return array_values( array_filter( Data::rows( get_option( self::OPTION ) ), $is_whole ) );
	}

	/** Whether this is a REST request with the key and secret of a stored key. */
	private static function has_matching_key(): bool {
		$credentials = self::is_rest() ? self::credentials() : null;
		foreach ( $credentials ? self::all() : array() as $key ) {
			if ( hash_equals( $key['key'], $credentials[0] ) && hash_equals( $key['secret_hash'], hash( 'sha256', $credentials[1] ) ) ) {
				return true;
			}
		}
		return false;
	}

	/** @return array{0: string, 1: string}|null Key and secret, if the request has some. */
	private static function credentials(): ?array {
		$basic = Input::basic();
		return $basic && str_starts_with( $basic[0], 'ck_' ) ? $basic : null;
	}

	/** WordPress sets this constant once it has matched a REST route. */
	public static function is_rest(): bool {
		return defined( 'REST_REQUEST' ) && REST_REQUEST;
	}
}
