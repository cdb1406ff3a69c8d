<?php
/**
 * The connection to the site: its address, the shared secret, and signed messages as defined by Standard Webhooks.
 *
 * @see https://www.standardwebhooks.com
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;
use WP_Error;

/**
 * Members of `SiteResult`: `at` is the time at which the site showed the change, empty on failure; `problem` is a text
 * for the editor, empty on success; `stopsAll`: the other changes would fail too.
 *
 * @phpstan-import-type Message from Changes
 * @phpstan-type Servers array{live: int, of: int, late: string[]}
 * @phpstan-type SiteResult array{ok: bool, at: string, problem: string, stopsAll: bool, servers: Servers}
 */
final class Connection {
	/** Option with address and secret from Pillion → Site. */
	const OPTION = 'pillion_site';

	/** Endpoint for changes. */
	const PATH = '/api/revalidate';

	/** Endpoint of the site's doctor. */
	const DOCTOR_PATH = '/api/doctor';

	/** Timeout of a test, in seconds. */
	const TEST_SECONDS = 10;

	/** Code of the error that the address or the secret is missing. */
	const NOT_CONFIGURED = 'pillion_not_configured';

	/** Error numbers of libcurl (libcurl-errors.3): the timeout, and failures of TLS or of its certificates. */
	const TIMEOUT_ERROR = '/cURL error (28)\b|timed out/i';
	const TLS_ERROR     = '/cURL error (35|51|58|59|60|77|83)\b|certificate/i';

	/** The site's address without a trailing slash; empty if unknown. */
	public static function address(): string {
		return untrailingslashit( self::setting( 'PILLION_SITE_URL', 'address' ) );
	}

	/** `whsec_` and Base64; empty if missing. */
	public static function secret(): string {
		return self::setting( 'PILLION_WEBHOOK_SECRET', 'secret' );
	}

	/** Whether messages cross a network without encryption. Loopback addresses do not count. */
	public static function is_unencrypted(): bool {
		$parts = wp_parse_url( self::address() );
		$host  = is_array( $parts ) ? $parts['host'] ?? '' : '';
		return '' !== $host && 'http' === strtolower( $parts['scheme'] ?? '' ) && ! self::is_loopback( $host );
	}

	/** Whether a URL's host is this machine. */
	public static function is_loopback( string $host ): bool {
		return (bool) preg_match( '/^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$|\.localhost$/iD', $host );
	}

	public static function is_configured(): bool {
		return '' !== self::address() && null !== self::decode_secret( self::secret() );
	}

	/** Whether a value is set by a constant or the environment, so that no screen can change it. */
	public static function is_deployed( string $name ): bool {
		return '' !== self::deployed( $name );
	}

	/** Value of a constant or of the environment; empty if it is not set. */
	private static function deployed( string $name ): string {
		$value = defined( $name ) ? constant( $name ) : getenv( $name );
		return is_string( $value ) ? trim( $value ) : '';
	}

	/**
	 * @param string $name   Of the constant, which takes precedence.
	 * @param string $member Of the option.
	 */
	private static function setting( string $name, string $member ): string {
		if ( self::is_deployed( $name ) ) {
			return self::deployed( $name );
		}
		$stored = Data::option( self::OPTION )[ $member ] ?? '';
		return is_string( $stored ) ? $stored : '';
	}

	/** The standard requires 24 to 64 bytes. */
	public static function new_secret(): string {
		return 'whsec_' . base64_encode( random_bytes( 32 ) );
	}

	/** The bytes of a secret, or null if it is invalid. */
	public static function decode_secret( string $secret ): ?string {
		$key = str_starts_with( $secret, 'whsec_' ) ? base64_decode( substr( $secret, 6 ), true ) : false;
		return is_string( $key ) && strlen( $key ) >= 24 && strlen( $key ) <= 64 ? $key : null;
	}

	/**
	 * Notifies the site of a change and waits until the site shows it.
	 *
	 * @param Message $message
	 * @param float   $seconds Longest wait.
	 * @return SiteResult
	 */
	public static function notify( array $message, float $seconds ): array {
		return self::to_result( self::post( self::PATH, $message, $seconds ) );
	}

	/**
	 * Sends a signed question to the site.
	 *
	 * @param float $seconds Longest wait.
	 * @return array<string, mixed>|string The response, or a text about what went wrong.
	 */
	public static function request( string $path, array $question, float $seconds ) {
		$response = self::post( $path, $question, $seconds );
		$result   = self::to_result( $response );
		return $result['ok'] ? (array) json_decode( (string) wp_remote_retrieve_body( $response ), true ) : $result['problem'];
	}

	/**
	 * Sends a harmless message: the site reads its texts again.
	 *
	 * @return SiteResult
	 */
	public static function send_test(): array {
		return self::notify( array( 'id' => null, 'type' => 'strings', 'path' => '/', 'status' => 'test' ), self::TEST_SECONDS );
	}

	/**
	 * Results of the site's doctor for this WordPress.
	 *
	 * @param float $seconds Longest wait.
	 * @return array{problem: string, findings: array<int, array{group: string, name: string, state: string, says: string, todo: string}>} `problem`: why the site did not respond, empty on success.
	 */
	public static function request_findings( float $seconds ): array {
		$response = self::request( self::DOCTOR_PATH, array( 'type' => 'doctor' ), $seconds );
		if ( is_string( $response ) ) {
			return array( 'problem' => $response, 'findings' => array() );
		}
		$blank    = array( 'group' => '', 'name' => '', 'state' => '', 'says' => '', 'todo' => '' );
		$findings = array_map( static fn( array $finding ): array => array_filter( array_intersect_key( $finding, $blank ), 'is_string' ) + $blank, Data::rows( $response['findings'] ?? null ) );
		return array( 'problem' => '', 'findings' => array_values( $findings ) );
	}

	/** @return array<string, mixed>|WP_Error The response with any status; an error if the site did not respond. */
	private static function post( string $path, array $message, float $seconds ) {
		if ( ! self::is_configured() ) {
			return new WP_Error( self::NOT_CONFIGURED, __( 'The site’s address or the secret is missing. An administrator can set it under Pillion → Site.', 'pillion' ) );
		}
		$body = (string) wp_json_encode( $message );
		// Each try has a new id, because the site accepts an id once. Repeating a message has no further effect.
		$id      = 'msg_' . wp_generate_uuid4();
		$time    = (string) time();
		$key     = self::key_for( $path );
		$headers = array(
			'content-type'      => 'application/json',
			'webhook-id'        => $id,
			'webhook-timestamp' => $time,
			'webhook-signature' => 'v1,' . self::signature( "$id.$time.$body", $key ),
		);
		if ( self::PATH !== $path ) {
			// The site checks this signature before it reads the body.
			$headers['pillion-signature'] = self::signature( "head.$id.$time", $key );
		}
		return wp_remote_post(
			self::address() . $path,
			array(
				'timeout'     => $seconds,
				'redirection' => 0,
				'body'        => $body,
				'headers'     => $headers,
			)
		);
	}

	/**
	 * A change is signed with the secret (Standard Webhooks), a question with a key that is valid for its endpoint
	 * only.
	 */
	private static function key_for( string $path ): string {
		$key = (string) self::decode_secret( self::secret() );
		return self::PATH === $path ? $key : hash_hmac( 'sha256', 'pillion-question.' . $path, $key, true );
	}

	private static function signature( string $signed, string $key ): string {
		return base64_encode( hash_hmac( 'sha256', $signed, $key, true ) );
	}

	/**
	 * @param array<string, mixed>|WP_Error $response As `post` returned it.
	 * @return SiteResult
	 */
	private static function to_result( $response ): array {
		if ( is_wp_error( $response ) ) {
			return self::connection_failure( $response );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$body   = Data::to_array( json_decode( (string) wp_remote_retrieve_body( $response ), true ) );
		$reason = is_string( $body['reason'] ?? null ) ? $body['reason'] : '';
		if ( 200 === $status && true === ( $body['ok'] ?? null ) ) {
			return array(
				'ok'       => true,
				'at'       => is_string( $body['at'] ?? null ) ? $body['at'] : '',
				'problem'  => '',
				'stopsAll' => false,
				'servers'  => self::servers( $body['servers'] ?? null ),
			);
		}
		// An error of WordPress or of the site can concern this change only, so the others are still tried.
		$stops_all = $status < 500 || 'not configured' === $reason;
		return self::failure( self::refusal_message( $status, $reason ), $stops_all );
	}

	/**
	 * How many servers show the change, and the names of those that did not confirm it. A response without this means
	 * one server.
	 *
	 * @return Servers
	 */
	private static function servers( $reported ): array {
		$reported = Data::to_array( $reported );
		$late     = is_array( $reported['late'] ?? null ) ? array_values( array_filter( $reported['late'], 'is_string' ) ) : array();
		$of       = max( 1, is_int( $reported['of'] ?? null ) ? $reported['of'] : 1 );
		$live     = is_int( $reported['live'] ?? null ) ? max( 0, min( $of, $reported['live'] ) ) : $of;
		return compact( 'live', 'of', 'late' );
	}

	/** Explains the site's refusal to the person who can fix it. */
	private static function refusal_message( int $status, string $reason ): string {
		$problems = array(
			'not configured'       => __( 'The site has no secret. Set its WEBHOOK_SECRET.', 'pillion' ),
			'wrong signature'      => __( 'The site and this WordPress have different secrets. Compare WEBHOOK_SECRET of the site with Pillion → Site.', 'pillion' ),
			'too old'              => __( 'The clocks of the site and of this WordPress differ by more than five minutes. Correct them.', 'pillion' ),
			'too long'             => __( 'The page is too long for the site to check.', 'pillion' ),
			'busy'                 => __( 'The site is busy. Try again in a few seconds.', 'pillion' ),
			'WordPress unanswered' => __( 'The site could not read the change from this WordPress in time.', 'pillion' ),
		);
		if ( isset( $problems[ $reason ] ) ) {
			return $problems[ $reason ];
		}
		if ( $status >= 300 && $status < 400 ) {
			return __( 'The site’s address redirects to another one. Enter that address under Pillion → Site.', 'pillion' );
		}
		if ( 404 === $status || 405 === $status || ( 200 === $status && '' === $reason ) ) {
			return __( 'The server at the site’s address is not a Pillion site. Check the address under Pillion → Site.', 'pillion' );
		}
		/* translators: %d: an HTTP status. */
		return sprintf( __( 'The site responded with error %d.', 'pillion' ), $status );
	}

	/** @return SiteResult */
	private static function connection_failure( WP_Error $error ): array {
		$message = $error->get_error_message();
		if ( self::NOT_CONFIGURED === $error->get_error_code() ) {
			return self::failure( $message );
		}
		if ( 'http_request_not_executed' === $error->get_error_code() ) {
			return self::failure( __( 'This WordPress blocks requests to the site. Add the site’s host to WP_ACCESSIBLE_HOSTS, or remove WP_HTTP_BLOCK_EXTERNAL.', 'pillion' ) );
		}
		if ( preg_match( self::TIMEOUT_ERROR, $message ) ) {
			return self::timed_out();
		}
		if ( preg_match( self::TLS_ERROR, $message ) ) {
			return self::failure( __( 'The site’s certificate is not valid. Renew or replace it.', 'pillion' ) );
		}
		/* translators: %s: an address. */
		return self::failure( sprintf( __( 'No server responds at %s.', 'pillion' ), self::address() ) );
	}

	/** @return SiteResult */
	public static function timed_out(): array {
		return self::failure( __( 'The site did not answer in time.', 'pillion' ), false );
	}

	/**
	 * The result of a change that the site does not show.
	 *
	 * @param string $problem   Text for the editor.
	 * @param bool   $stops_all Whether the other changes would fail too.
	 * @return SiteResult
	 */
	private static function failure( string $problem, bool $stops_all = true ): array {
		return array(
			'ok'       => false,
			'at'       => '',
			'problem'  => $problem,
			'stopsAll' => $stops_all,
			'servers'  => self::servers( null ),
		);
	}
}
