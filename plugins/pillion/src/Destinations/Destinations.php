<?php
/**
 * Addresses that get a copy of each sign-up from the site, besides WordPress (decision 076). The site's server reads
 * the list with its key at `pillion/v1/destinations`.
 */

namespace Pillion\Destinations;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Access\Keys;
use Pillion\Lib\Data;
use WP_REST_Response;

/**
 * @phpstan-type Destination array{id: string, name: string, url: string, secret: string, purpose: string, fields: array<int, string[]>, enabled: bool}
 */
final class Destinations {
	/** Option with the list, and the ids of removed destinations. The list contains secrets. */
	const OPTION = 'pillion_destinations';

	const MAX_DESTINATIONS = 20;

	/** Number of removed ids that are stored, the newest ones. The site does not send copies that wait for them. */
	const MAX_REMOVED = 200;

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_route' ) );
		( new DestinationsPage() )->register();
	}

	public function register_route(): void {
		KeyRules::add_route( 'pillion/v1', '/destinations', array( self::class, 'get_destinations' ), array( Keys::class, 'is_served' ) );
	}

	/** The list with the secrets, for the site's server only. */
	public static function get_destinations(): WP_REST_Response {
		$listed = array_map(
			static function ( array $destination ): array {
				// An empty list of PHP is not an object in JSON.
				return array( 'fields' => (object) $destination['fields'] ) + $destination;
			},
			array_values( self::all() )
		);
		return new WP_REST_Response( array( 'destinations' => $listed, 'removed' => self::removed() ) );
	}

	/** @return array<string, Destination> By id. */
	public static function all(): array {
		return self::stored()['listed'];
	}

	/** @return string[] Ids. */
	public static function removed(): array {
		return self::stored()['removed'];
	}

	/**
	 * Adds or replaces a destination. The secret of an existing one stays.
	 *
	 * @param Destination $destination With a secret if it is new.
	 */
	public static function save( array $destination ): void {
		$stored = self::stored();
		$id     = $destination['id'];
		$secret = $stored['listed'][ $id ]['secret'] ?? $destination['secret'];

		$stored['listed'][ $id ] = array( 'secret' => $secret ) + $destination;
		update_option( self::OPTION, $stored, false );
	}

	public static function remove( string $id ): void {
		$stored = self::stored();
		if ( isset( $stored['listed'][ $id ] ) ) {
			unset( $stored['listed'][ $id ] );
			$stored['removed'] = array_slice( array_merge( $stored['removed'], array( $id ) ), -self::MAX_REMOVED );
			update_option( self::OPTION, $stored, false );
		}
	}

	/** @return array{listed: array<string, Destination>, removed: string[]} */
	private static function stored(): array {
		$option = Data::option( self::OPTION );
		return array(
			'listed'  => Data::to_array( $option['listed'] ?? null ),
			'removed' => Data::to_array( $option['removed'] ?? null ),
		);
	}
}
