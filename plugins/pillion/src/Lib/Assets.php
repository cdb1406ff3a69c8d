<?php
/**
 * Scripts and styles of the admin. Their version is the time of the file's last change.
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

use const Pillion\DIRECTORY;
use const Pillion\PLUGIN_FILE;

final class Assets {
	/** WordPress scripts that the page editor's script needs; WordPress 6.1 has all of them. */
	const EDITOR_DEPENDENCIES = array( 'wp-api-fetch', 'wp-block-editor', 'wp-components', 'wp-compose', 'wp-core-data', 'wp-data', 'wp-date', 'wp-edit-post', 'wp-editor', 'wp-element', 'wp-hooks', 'wp-i18n', 'wp-plugins', 'wp-preferences' );

	/**
	 * Registers a script, with the translations of its texts if it needs `wp-i18n`.
	 *
	 * @param string   $file  Path in the plugin.
	 * @param string[] $needs Handles.
	 * @return string The handle.
	 */
	public static function script( string $handle, string $file, array $needs = array() ): string {
		wp_register_script( $handle, plugins_url( $file, PLUGIN_FILE ), $needs, self::version( $file ), true );
		if ( in_array( 'wp-i18n', $needs, true ) ) {
			wp_set_script_translations( $handle, 'pillion', DIRECTORY . '/languages' );
		}
		return $handle;
	}

	/**
	 * Registers a stylesheet.
	 *
	 * @param string   $file  Path in the plugin.
	 * @param string[] $needs Handles.
	 * @return string The handle.
	 */
	public static function style( string $handle, string $file, array $needs = array() ): string {
		wp_register_style( $handle, plugins_url( $file, PLUGIN_FILE ), $needs, self::version( $file ) );
		return $handle;
	}

	/**
	 * Loads the page editor's script with the data of one of its parts. A part without data does nothing.
	 *
	 * @param string $name Property of `window`.
	 */
	public static function add_to_editor( string $name, $data ): void {
		wp_enqueue_script( self::script( 'pillion-editor', 'assets/editor.js', self::EDITOR_DEPENDENCIES ) );
		self::add_data( 'pillion-editor', $name, $data );
	}

	/**
	 * Gives a script its data before it runs.
	 *
	 * @param string $name Property of `window`.
	 */
	public static function add_data( string $handle, string $name, $data ): void {
		wp_add_inline_script( $handle, "window.$name = " . wp_json_encode( $data, JSON_HEX_TAG | JSON_UNESCAPED_SLASHES ) . ';', 'before' );
	}

	private static function version( string $file ): string {
		return (string) filemtime( DIRECTORY . "/$file" );
	}
}
