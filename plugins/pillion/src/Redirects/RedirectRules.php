<?php
/**
 * Validates redirects: reads paths and targets, and returns messages for invalid ones.
 */

namespace Pillion\Redirects;

defined( 'ABSPATH' ) || exit;

final class RedirectRules {
	/** Longest path or target in bytes, encoded: 1,000 of them stay below the site's size limit of a response. */
	const MAX_LENGTH = 900;

	/** Redirects that are followed in search of a loop. */
	const MAX_HOPS = 50;

	/** Paths that the site handles itself; a redirect there would have no effect. */
	const RESERVED = '~^/(api|assets|media|search|share|preview|healthz|readyz|metrics)(/|$)|^/(robots\.txt|sitemap(-\d+)?\.xml|wp-sitemap(-[\w-]+)?\.xml|sitemap_index\.xml|[\w-]+-sitemap\d*\.xml|site\.webmanifest|favicon\.\w+)/?$~i';

	/** @return array<int, string> Kinds of redirect by status. */
	public static function kinds(): array {
		return array(
			301 => __( '301: moved permanently', 'pillion' ),
			302 => __( '302: moved temporarily', 'pillion' ),
			410 => __( '410: permanently gone', 'pillion' ),
		);
	}

	/**
	 * Validates the editor's input.
	 *
	 * @param array{from: string, status: string, to: string} $input
	 * @param int                                             $id    Id of the edited redirect; 0 for a new one.
	 * @return array{from: string, status: int, to: string, problems: array<string, string>} Problems by field.
	 */
	public static function validate( array $input, int $id ): array {
		$status   = isset( self::kinds()[ (int) $input['status'] ] ) ? (int) $input['status'] : 0;
		$from     = self::validate_from( $input['from'] );
		// A 410 has no target; the field may still have a value.
		$to       = 410 === $status ? self::valid( '' ) : self::validate_to( $input['to'] );
		$problems = array_filter(
			array(
				'from'   => $from['problem'] ? $from['problem'] : self::conflict( $from['value'], $id ),
				'status' => $status ? '' : __( 'Choose what happens.', 'pillion' ),
				'to'     => $to['problem'],
			)
		);
		if ( ! $problems && 410 !== $status ) {
			$problems = array_filter( array( 'to' => self::loop_problem( $from['value'], $to['value'], $id ) ) );
		}
		return array(
			'from'     => $from['value'],
			'status'   => $status,
			'to'       => $to['value'],
			'problems' => $problems,
		);
	}

	/**
	 * The normalised form of a path: `/old/`, percent-encoded, with a slash at both ends.
	 *
	 * @return string|null Null if it is not a page's path: invalid encoding, an encoded slash, dots or control
	 * characters.
	 */
	public static function normalise_path( string $path ): ?string {
		$segments = array();
		foreach ( explode( '/', $path ) as $encoded ) {
			if ( '' === $encoded ) {
				continue;
			}
			$segment = rawurldecode( $encoded );
			$broken  = preg_match( '/%(?![0-9a-f]{2})/i', $encoded ) || ! preg_match( '//u', $segment );
			if ( $broken || preg_match( '~[/\\\\\x00-\x1f\x7f]|^\.{1,2}$~', $segment ) ) {
				return null;
			}
			$segments[] = rawurlencode( $segment );
		}
		return $segments ? '/' . implode( '/', $segments ) . '/' : '/';
	}

	/** A readable address: letters of other scripts decoded, no slash after a file name. */
	public static function readable( string $address ): string {
		$decoded = (string) preg_replace_callback(
			'/(?:%[89a-f][0-9a-f])+/i',
			static function ( array $matches ): string {
				$text = rawurldecode( $matches[0] );
				return preg_match( '/^[\p{L}\p{M}\p{N}]+$/u', $text ) ? $text : $matches[0];
			},
			$address
		);
		return (string) preg_replace( '~(\.[a-z\d]{2,5})/$~i', '$1', $decoded );
	}

	public static function is_reserved( string $path ): bool {
		return '/' === $path || preg_match( self::RESERVED, $path );
	}

	/** @return array{value: string, problem: string} */
	private static function validate_from( string $input ): array {
		$text = self::remove_home( trim( $input ) );
		if ( '' === $text ) {
			return self::invalid( __( 'Enter the old path, such as /old-page/.', 'pillion' ) );
		}
		$problem = self::address_problem( $text );
		if ( '' !== $problem ) {
			return self::invalid( $problem );
		}
		if ( preg_match( '/[?#]/', $text ) ) {
			return self::invalid( __( 'A redirect matches the path only. Remove everything from ? or # on; the site keeps these parts of the visitor’s address.', 'pillion' ) );
		}
		$path = self::normalise_path( $text );
		if ( null === $path ) {
			return self::invalid( self::invalid_path_message() );
		}
		if ( '/' === $path ) {
			return self::invalid( __( 'The front page cannot be redirected.', 'pillion' ) );
		}
		if ( self::is_reserved( $path ) ) {
			/* translators: %s: a path */
			return self::invalid( sprintf( __( 'The site uses %s itself, so a redirect there would have no effect. Enter another path.', 'pillion' ), self::readable( $path ) ) );
		}
		return self::validate_length( $path );
	}

	/** @return array{value: string, problem: string} */
	private static function validate_to( string $input ): array {
		$text = self::remove_home( str_replace( '&amp;', '&', trim( $input ) ) );
		if ( '' === $text ) {
			return self::invalid( __( 'Enter the new path, such as /new-page/. For a page that is gone, choose 410.', 'pillion' ) );
		}
		$problem = self::address_problem( $text );
		if ( '' !== $problem ) {
			return self::invalid( $problem );
		}
		if ( preg_match( '/[\s<>"]/u', $text ) ) {
			return self::invalid( __( 'An address cannot contain spaces, quotes or angle brackets. Write a space as %20.', 'pillion' ) );
		}
		preg_match( '/^([^?#]*)(.*)$/s', $text, $parts );
		$path = self::normalise_path( $parts[1] );
		if ( null === $path ) {
			return self::invalid( self::invalid_path_message() );
		}
		if ( preg_match( '~^/(api|assets)/~i', $path ) ) {
			/* translators: %s: a path */
			return self::invalid( sprintf( __( 'There are no pages under %s. Enter the path of a page.', 'pillion' ), self::readable( $path ) ) );
		}
		// A file path has no slash at its end; a page's normalised path always has one.
		$is_file = preg_match( '~\.[a-z\d]{2,5}/$~i', $path );
		return self::validate_length( ( $is_file ? untrailingslashit( $path ) : $path ) . self::encode( $parts[2] ) );
	}

	/** A message about an invalid address; empty if it is valid. */
	private static function address_problem( string $text ): string {
		if ( preg_match( '/[\x00-\x1f\x7f]|%(0[0-9a-f]|1[0-9a-f]|7f)/i', $text ) || ! preg_match( '//u', $text ) ) {
			return __( 'An address cannot contain line breaks or other control characters. Remove them.', 'pillion' );
		}
		if ( preg_match( '/\\\\|%5c/i', $text ) ) {
			return __( 'An address cannot contain a backslash. Use forward slashes: /.', 'pillion' );
		}
		if ( preg_match( '~^([a-z][a-z\d+.-]*:|//)~i', $text ) ) {
			return __( 'A redirect cannot lead to another site. Begin with a single /. To link to another site, use a page or a menu.', 'pillion' );
		}
		if ( 0 !== strpos( $text, '/' ) ) {
			return __( 'A path must begin with /, such as /old-page/.', 'pillion' );
		}
		preg_match( '/^[^?#]*/', $text, $path );
		return false === strpos( $path[0], '//' ) ? '' : __( 'A path cannot contain two slashes in a row. Use one.', 'pillion' );
	}

	private static function invalid_path_message(): string {
		return __( 'This is not a valid path. After each % two digits or letters from a to f must follow, and no part can be . or .. or contain an encoded slash.', 'pillion' );
	}

	/** Turns a full URL of this WordPress, for example copied from the browser, into a path. */
	private static function remove_home( string $text ): string {
		$home = untrailingslashit( home_url() );
		$rest = (string) substr( $text, strlen( $home ) );
		return 0 === stripos( $text, $home ) && ( '' === $rest || preg_match( '~^[/?#]~', $rest ) )
			? '/' . ltrim( $rest, '/' )
			: $text;
	}

	/** Encodes all bytes of query and hash that a URL cannot contain. */
	private static function encode( string $text ): string {
		return (string) preg_replace_callback( '/[^\x21-\x7e]/', static fn( array $matches ): string => rawurlencode( $matches[0] ), $text );
	}

	/** @return array{value: string, problem: string} */
	private static function validate_length( string $address ): array {
		return strlen( $address ) <= self::MAX_LENGTH
			? self::valid( $address )
			/* translators: %d: a number */
			: self::invalid( sprintf( __( 'This is too long. It can have up to %d characters.', 'pillion' ), self::MAX_LENGTH ) );
	}

	private static function conflict( string $from, int $id ): string {
		$other = Redirects::find_at( $from );
		return ! $other || $other['id'] === $id
			? ''
			/* translators: 1: a path, 2: where it leads, or that it is gone */
			: sprintf( __( 'There is a redirect from %1$s already (%2$s). Edit that one.', 'pillion' ), self::readable( $from ), 410 === $other['status'] ? __( 'gone', 'pillion' ) : self::readable( $other['to'] ) );
	}

	/** A message with the chain of redirects if the new one would lead back to itself. */
	private static function loop_problem( string $from, string $to, int $id ): string {
		$chain = array( $from );
		for ( $hop = 0; $hop < self::MAX_HOPS; $hop++ ) {
			$path    = (string) self::normalise_path( (string) preg_replace( '/[?#].*$/s', '', $to ) );
			$chain[] = $path;
			if ( $path === $from ) {
				return 0 === $hop
					? __( 'The redirect would lead to itself. Enter another path.', 'pillion' )
					/* translators: %s: paths with arrows between them */
					: sprintf( __( 'The redirects would form a loop: %s. Enter another path.', 'pillion' ), implode( ' → ', array_map( array( self::class, 'readable' ), $chain ) ) );
			}
			$next = Redirects::find_at( $path );
			if ( ! $next || $next['id'] === $id || 410 === $next['status'] ) {
				return '';
			}
			$to = $next['to'];
		}
		/* translators: %d: a number */
		return sprintf( __( 'More than %d redirects would follow one another. Enter the path of the final page.', 'pillion' ), self::MAX_HOPS );
	}

	/** @return array{value: string, problem: string} */
	private static function valid( string $value ): array {
		return array( 'value' => $value, 'problem' => '' );
	}

	/** @return array{value: string, problem: string} */
	private static function invalid( string $problem ): array {
		return array( 'value' => '', 'problem' => $problem );
	}
}
