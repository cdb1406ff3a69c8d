<?php
/**
 * The one entry in the admin menu under which the plugin's screens lie.
 */

namespace Pillion\Lib;

final class Admin {
	/** Slug of the menu, and of its first screen: the site's texts. */
	const MENU = 'pillion';

	public function register(): void {
		// Early, so that the first screen under it is the texts and not a list WordPress adds by itself.
		add_action( 'admin_menu', array( $this, 'add_menu' ), 7 );
	}

	/**
	 * Who may change texts and read sign-ups: whoever edits everybody's pages, so an Editor too and not only an
	 * administrator. `pillion_capability` changes it.
	 */
	public static function capability(): string {
		return (string) apply_filters( 'pillion_capability', 'edit_others_pages' );
	}

	public function add_menu(): void {
		add_menu_page( __( 'Pillion', 'pillion' ), __( 'Pillion', 'pillion' ), self::capability(), self::MENU, '', 'dashicons-flag', 21 );
	}
}
