<?php
/**
 * The plugin's menu in the admin, and what its screens share.
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

	/**
	 * Identifies what a screen shows, so that a save can notice that it was changed since.
	 *
	 * @param mixed $shown
	 */
	public static function version( $shown ): string {
		return md5( (string) wp_json_encode( $shown ) );
	}

	/**
	 * Ends a request with an invalid nonce that another site has sent. Its values are not shown again, because a user could
	 * then save them with one click.
	 *
	 * @param string $url  The screen with the saved values.
	 * @param string $text Of the link to it.
	 */
	public static function discard_from_elsewhere( string $url, string $text ): void {
		if ( Input::is_from_own_screen() ) {
			return;
		}
		$back = array( 'response' => 403, 'link_url' => $url, 'link_text' => $text );
		wp_die( esc_html__( 'This request came from another site, or your browser did not send its origin. Nothing was changed.', 'pillion' ), esc_html__( 'Not saved', 'pillion' ), $back );
	}

	/**
	 * Begins a table that scrolls sideways on a small screen. The rows follow, then `end_table`.
	 *
	 * @param string[] $headings
	 */
	public static function begin_table( array $headings, string $class = '' ): void {
		echo '<div style="overflow-x:auto"><table class="' . esc_attr( "widefat striped $class" ) . '"><thead><tr>';
		foreach ( $headings as $heading ) {
			echo '<th scope="col">' . esc_html( $heading ) . '</th>';
		}
		echo '</tr></thead><tbody>';
	}

	public static function end_table(): void {
		echo '</tbody></table></div>';
	}
}
