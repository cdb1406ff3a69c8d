<?php
/**
 * Routes for users, which consumer keys cannot use (KeyRules adds those of the site), and fields of WordPress' own routes.
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

final class Rest {
	public static function add_route( string $path, string $method, callable $callback, callable $permission, array $args = array() ): void {
		register_rest_route(
			'pillion/v1',
			$path,
			array(
				'methods'             => $method,
				'permission_callback' => $permission,
				'callback'            => $callback,
				'args'                => $args,
			)
		);
	}

	/**
	 * Adds a member to the responses of post types. Clients cannot write it.
	 *
	 * @param string[] $types
	 * @param callable $read   Gets the response without this member, and returns the member's value.
	 * @param array    $schema Default context: `view`.
	 */
	public static function add_field( array $types, string $name, callable $read, array $schema ): void {
		$schema += array( 'context' => array( 'view' ), 'readonly' => true );
		register_rest_field( $types, $name, array( 'get_callback' => $read, 'schema' => $schema ) );
	}
}
