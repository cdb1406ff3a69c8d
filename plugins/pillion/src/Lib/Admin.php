<?php
/**
 * The plugin's menu in the admin, and what its screens share.
 */

namespace Pillion\Lib;

defined( 'ABSPATH' ) || exit;

final class Admin {
	/** Slug of the menu and of its first screen, the texts. */
	const MENU = 'pillion';

	/** The capability to connect WordPress with a site: the one that WordPress' own settings require. */
	const SETTINGS_CAPABILITY = 'manage_options';

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
	 * Adds a screen to the plugin's menu.
	 *
	 * @param object $screen Its `handle()` runs before WordPress sends the page, its `render()` prints it.
	 */
	public static function add_screen( object $screen, string $page, string $title, string $capability ): void {
		$hook = add_submenu_page( self::MENU, $title, $title, $capability, $page, array( $screen, 'render' ) );
		add_action( "load-$hook", array( $screen, 'handle' ) );
	}

	/** @param array<string, string|int> $arguments */
	public static function url( string $page, array $arguments = array() ): string {
		return add_query_arg( array( 'page' => $page ) + $arguments, admin_url( 'admin.php' ) );
	}

	/**
	 * Redirects to a screen and ends the request, so that a reload sends no form twice.
	 *
	 * @param array<string, string|int> $arguments
	 * @return never
	 */
	public static function redirect_and_exit( string $page, array $arguments = array() ): void {
		wp_safe_redirect( self::url( $page, $arguments ) );
		exit;
	}

	/** @param string $kinds WordPress' names, such as `warning inline`. */
	public static function notice( string $kinds, string $text, string $role = '' ): void {
		echo '<div class="notice notice-' . esc_attr( $kinds ) . '"' . ( '' === $role ? '' : ' role="' . esc_attr( $role ) . '"' ) . '><p>' . esc_html( $text ) . '</p></div>';
	}

	/**
	 * The options of a select control.
	 *
	 * @param array<int|string, string> $names By value.
	 * @return string Escaped HTML.
	 */
	public static function options( array $names, string $chosen ): string {
		$html = '';
		foreach ( $names as $value => $name ) {
			$html .= '<option value="' . esc_attr( (string) $value ) . '"' . selected( (string) $value, $chosen, false ) . '>' . esc_html( $name ) . '</option>';
		}
		return $html;
	}

	/** A time in the format and the time zone of this WordPress; empty for 0. */
	public static function time( int $at ): string {
		return 0 === $at ? '' : (string) wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $at );
	}

	/** Identifies what a screen shows, so that a save can notice that it was changed since. */
	public static function fingerprint( $shown ): string {
		return md5( (string) wp_json_encode( $shown ) );
	}

	/**
	 * Ends a request with an invalid nonce that another site has sent. Its values are not shown again, because a user could
	 * then save them with one click.
	 *
	 * @param string $url  The screen with the saved values.
	 * @param string $text Of the link to it.
	 */
	public static function reject_foreign_request( string $url, string $text ): void {
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
