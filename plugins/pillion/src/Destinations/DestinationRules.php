<?php
/**
 * Reads the form of a destination.
 */

namespace Pillion\Destinations;

defined( 'ABSPATH' ) || exit;

use Pillion\Site\Connection;

/**
 * @phpstan-type Posted array{name: string, url: string, purpose: string, fields: array<int, string[]>, enabled: string}
 * @phpstan-type Values array{name: string, url: string, purpose: string, fields: array<int, string[]>, enabled: bool}
 */
final class DestinationRules {
	const MAX_NAME_LENGTH = 60;

	const MAX_URL_LENGTH = 2000;

	/** A host of labels, or an IP address. */
	const HOST = '/^(?:[a-z\d_](?:[a-z\d_-]*[a-z\d_])?\.)*[a-z\d_](?:[a-z\d_-]*[a-z\d_])?$|^\[[\da-f:.]+\]$/i';

	/** @return array<string, string> Name by value. */
	public static function purposes(): array {
		return array(
			'none'       => __( 'None: every sign-up is sent', 'pillion' ),
			'statistics' => __( 'Statistics: only with the visitor’s consent to it', 'pillion' ),
			'marketing'  => __( 'Marketing: only with the visitor’s consent to it', 'pillion' ),
		);
	}

	/**
	 * @param Posted $posted
	 * @param string $id     Of the destination.
	 * @return array{values: Values, problems: array<string, string>} Problems by field.
	 */
	public static function validate( array $posted, string $id ): array {
		$name     = sanitize_text_field( $posted['name'] );
		$url      = trim( $posted['url'] );
		$problems = array_filter(
			array(
				'name'    => self::name_problem( $name, $id ),
				'url'     => self::is_allowed_url( $url ) ? '' : __( 'Enter an address that begins with https://, without a user, a password or #, such as https://hooks.example.com/sign-ups. Addresses that begin with http:// are allowed only on the site’s own machine (127.0.0.1).', 'pillion' ),
				'purpose' => isset( self::purposes()[ $posted['purpose'] ] ) ? '' : __( 'Choose a purpose.', 'pillion' ),
			)
		);
		return array(
			'values'   => array( 'name' => $name, 'url' => $url, 'enabled' => '1' === $posted['enabled'] ) + $posted,
			'problems' => $problems,
		);
	}

	/** @return string Empty if the name is valid. */
	private static function name_problem( string $name, string $id ): string {
		if ( '' === $name || mb_strlen( $name ) > self::MAX_NAME_LENGTH ) {
			/* translators: %d: a number */
			return sprintf( __( 'Enter a name of at most %d characters.', 'pillion' ), self::MAX_NAME_LENGTH );
		}
		$other_names = array_column( array_diff_key( Destinations::all(), array( $id => true ) ), 'name' );
		// The site uses this name for the destination of its environment.
		$other_names[] = 'environment';
		return in_array( strtolower( $name ), array_map( 'strtolower', $other_names ), true ) ? __( 'Another destination has this name.', 'pillion' ) : '';
	}

	/** Sign-ups are personal data, so they never cross a network without encryption. */
	private static function is_allowed_url( string $url ): bool {
		$parts = wp_parse_url( $url );
		if ( strlen( $url ) > self::MAX_URL_LENGTH || preg_match( '/[\s\x00-\x1f\x7f"<>\\\\]/', $url ) || ! is_array( $parts ) ) {
			return false;
		}
		$host   = strtolower( $parts['host'] ?? '' );
		$scheme = strtolower( $parts['scheme'] ?? '' );
		if ( ! preg_match( self::HOST, $host ) || array_diff( array_keys( $parts ), array( 'scheme', 'host', 'port', 'path', 'query' ) ) || false !== strpos( $url, '#' ) ) {
			return false;
		}
		return 'https' === $scheme || ( 'http' === $scheme && Connection::is_loopback( $host ) );
	}
}
