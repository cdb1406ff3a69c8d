<?php
/**
 * The site that shows this WordPress: its address, and how it is told of a change. Messages are signed as Standard
 * Webhooks says.
 *
 * @see https://www.standardwebhooks.com
 */

namespace Pillion;

use WP_Error;

/**
 * @phpstan-import-type Message from Changes
 * @phpstan-type Answer array{ok: bool, at: string, problem: string}
 */
final class Site {
	/** Address and secret as they were filled in under Pillion → Site. */
	const OPTION = 'pillion_site';

	const PATH = '/api/revalidate';

	/** The site's own address, without a slash at its end; empty where it is not known. */
	public static function address(): string {
		return untrailingslashit( self::setting( 'PILLION_SITE_URL', 'address' ) );
	}

	/** `whsec_` and base64; empty where there is none. */
	public static function secret(): string {
		return self::setting( 'PILLION_WEBHOOK_SECRET', 'secret' );
	}

	public static function is_configured(): bool {
		return '' !== self::address() && null !== self::key( self::secret() );
	}

	/** Whether a value comes from the deployment, so that no screen can change it. */
	public static function is_deployed( string $name ): bool {
		return '' !== self::deployed( $name );
	}

	private static function deployed( string $name ): string {
		$value = defined( $name ) ? constant( $name ) : getenv( $name );
		return is_string( $value ) ? trim( $value ) : '';
	}

	private static function setting( string $name, string $member ): string {
		$kept  = get_option( self::OPTION, array() );
		$value = is_array( $kept ) ? ( $kept[ $member ] ?? '' ) : '';
		return self::is_deployed( $name ) ? self::deployed( $name ) : ( is_string( $value ) ? $value : '' );
	}

	/** The bytes behind a secret, null where it is none: 24 to 64 bytes, as the standard asks. */
	public static function key( string $secret ): ?string {
		$key = 0 === strpos( $secret, 'whsec_' ) ? base64_decode( substr( $secret, 6 ), true ) : false;
		return is_string( $key ) && strlen( $key ) >= 24 && strlen( $key ) <= 64 ? $key : null;
	}

	/**
	 * Tells the site of a change and waits until it shows it.
	 *
	 * @param Message $message
	 * @param float   $seconds Longest wait.
	 * @return Answer `problem` is a sentence for the editor, empty where it went well; `at` is when the site showed it.
	 */
	public static function tell( array $message, float $seconds ): array {
		if ( ! self::is_configured() ) {
			return self::failed( __( 'The site’s address or the secret is missing: see Pillion → Site.', 'pillion' ) );
		}
		$body = (string) wp_json_encode( $message );
		// Each try is a message of its own: the site believes an id once, and what it did is the same however often it does it.
		$id       = 'msg_' . wp_generate_uuid4();
		$time     = (string) time();
		$answered = wp_remote_post(
			self::address() . self::PATH,
			array(
				'timeout'     => $seconds,
				'redirection' => 0,
				'body'        => $body,
				'headers'     => array(
					'content-type'      => 'application/json',
					'webhook-id'        => $id,
					'webhook-timestamp' => $time,
					'webhook-signature' => 'v1,' . self::signature( "$id.$time.$body" ),
				),
			)
		);
		return is_wp_error( $answered ) ? self::unreachable( $answered ) : self::read( $answered );
	}

	private static function signature( string $signed ): string {
		return base64_encode( hash_hmac( 'sha256', $signed, (string) self::key( self::secret() ), true ) );
	}

	/**
	 * @param array<string, mixed> $answered
	 * @return Answer
	 */
	private static function read( array $answered ): array {
		$status = (int) wp_remote_retrieve_response_code( $answered );
		$said   = json_decode( (string) wp_remote_retrieve_body( $answered ), true );
		$said   = is_array( $said ) ? $said : array();
		if ( 200 === $status && true === ( $said['ok'] ?? null ) ) {
			return array(
				'ok'      => true,
				'at'      => is_string( $said['at'] ?? null ) ? $said['at'] : '',
				'problem' => '',
			);
		}
		return self::failed( self::problem( $status, is_string( $said['reason'] ?? null ) ? $said['reason'] : '' ) );
	}

	/** What the site's refusal means, for whoever can mend it. */
	private static function problem( int $status, string $reason ): string {
		$problems = array(
			'not configured'       => __( 'The site has no secret: its WEBHOOK_SECRET is not set.', 'pillion' ),
			'wrong signature'      => __( 'The site has another secret than this WordPress: compare its WEBHOOK_SECRET with Pillion → Site.', 'pillion' ),
			'too old'              => __( 'The clocks of the site and of this WordPress are more than five minutes apart.', 'pillion' ),
			'WordPress unanswered' => __( 'The site could not read the change from this WordPress in time.', 'pillion' ),
		);
		if ( isset( $problems[ $reason ] ) ) {
			return $problems[ $reason ];
		}
		if ( $status >= 300 && $status < 400 ) {
			return __( 'The site’s address leads on to another one: put that one under Pillion → Site.', 'pillion' );
		}
		if ( 404 === $status || 405 === $status || ( 200 === $status && '' === $reason ) ) {
			return __( 'What answers at the site’s address is no Pillion site.', 'pillion' );
		}
		/* translators: %d: an HTTP status. */
		return sprintf( __( 'The site answered with the error %d.', 'pillion' ), $status );
	}

	/**
	 * @return Answer
	 */
	private static function unreachable( WP_Error $error ): array {
		$said = $error->get_error_message();
		if ( 'http_request_not_executed' === $error->get_error_code() ) {
			return self::failed( __( 'This WordPress may not call the site: WP_HTTP_BLOCK_EXTERNAL is set, and WP_ACCESSIBLE_HOSTS does not name the site’s host.', 'pillion' ) );
		}
		if ( preg_match( '/cURL error (28)\b|timed out/i', $said ) ) {
			return self::late();
		}
		if ( preg_match( '/cURL error (35|51|58|59|60|77|83)\b|certificate/i', $said ) ) {
			return self::failed( __( 'The site’s certificate is not valid.', 'pillion' ) );
		}
		/* translators: %s: an address. */
		return self::failed( sprintf( __( 'Nobody answers at %s.', 'pillion' ), self::address() ) );
	}

	/**
	 * @return Answer
	 */
	public static function late(): array {
		return self::failed( __( 'The site did not answer in time.', 'pillion' ) );
	}

	/**
	 * @return Answer
	 */
	private static function failed( string $problem ): array {
		return array(
			'ok'      => false,
			'at'      => '',
			'problem' => $problem,
		);
	}
}
