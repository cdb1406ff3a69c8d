<?php
/**
 * The plugin's menu in the admin.
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

final class Admin {
	/** Slug of the menu and of its first screen, the texts. */
	const MENU = 'pillion';

	public function register(): void {
		// Early, so that the first screen is the texts and not a list that WordPress adds.
		add_action( 'admin_menu', array( $this, 'add_menu' ), 7 );
	}

	/**
	 * The capability to change texts and read sign-ups. Editors and administrators have the default; the filter
	 * `pillion_capability` changes it.
	 */
	public static function capability(): string {
		return (string) apply_filters( 'pillion_capability', 'edit_others_pages' );
	}

	public function add_menu(): void {
		add_menu_page( __( 'Pillion', 'pillion' ), __( 'Pillion', 'pillion' ), self::capability(), self::MENU, '', 'dashicons-flag', 21 );
	}
}
