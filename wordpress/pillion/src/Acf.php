<?php
/**
 * A page's theme as `acf.theme` (R2). Advanced Custom Fields, where it is there, does this itself.
 */

namespace Pillion;

use WP_Post;

final class Acf {
	const META = '_pillion_theme';

	const NONCE = 'pillion_theme_nonce';

	public function register(): void {
		// Asked late, when every plugin has loaded: ACF may come after us.
		add_action( 'rest_api_init', array( $this, 'register_field' ) );
		add_action( 'init', array( $this, 'register_meta' ), 20 );
		add_action( 'enqueue_block_editor_assets', array( $this, 'enqueue' ) );
		add_action( 'add_meta_boxes', array( $this, 'add_box' ) );
		add_action( 'save_post', array( $this, 'save' ) );
	}

	/** The editor's theme for a page; empty: the site's default one. */
	public static function theme_of( int $post_id ): string {
		$theme = self::is_absent() ? get_post_meta( $post_id, self::META, true ) : get_post_meta( $post_id, 'theme', true );
		return is_string( $theme ) ? $theme : '';
	}

	public function register_field(): void {
		if ( ! self::is_absent() ) {
			return;
		}
		register_rest_field(
			self::types(),
			'acf',
			array(
				'get_callback' => static function ( array $post ): array {
					$theme = self::theme_of( (int) $post['id'] );
					// ACF answers an empty list, not an empty object, for a post without fields; so do we.
					return '' === $theme ? array() : array( 'theme' => $theme );
				},
				'schema'       => array(
					'type'     => array( 'object', 'array' ),
					'context'  => array( 'view', 'edit' ),
					'readonly' => true,
				),
			)
		);
	}

	/** Lets the block editor read and write the theme with the page. */
	public function register_meta(): void {
		register_post_meta(
			'',
			self::META,
			array(
				'type'              => 'string',
				'single'            => true,
				'default'           => '',
				'show_in_rest'      => true,
				'sanitize_callback' => static function ( $theme ): string {
					return is_string( $theme ) && isset( self::themes()[ $theme ] ) ? $theme : '';
				},
				'auth_callback'     => static function ( $allowed, $key, $post_id ): bool {
					return current_user_can( 'edit_post', $post_id );
				},
			)
		);
	}

	/** A panel of the block editor, where a box would bring a drawer of its own with it. */
	public function enqueue(): void {
		$screen = get_current_screen();
		if ( ! self::is_absent() || ! $screen || ! self::has_panel( $screen->post_type ) ) {
			return;
		}
		wp_enqueue_script( 'pillion-theme', plugins_url( 'assets/theme.js', __DIR__ ), array( 'wp-plugins', 'wp-edit-post', 'wp-components', 'wp-core-data', 'wp-data', 'wp-element' ), VERSION, true );
		$about = array(
			'title'  => __( 'Theme of this page', 'pillion' ),
			'meta'   => self::META,
			'themes' => self::themes(),
		);
		wp_add_inline_script( 'pillion-theme', 'window.pillionTheme = ' . wp_json_encode( $about ) . ';', 'before' );
	}

	/** For the classic editor, and for types whose posts carry no meta over REST. */
	public function add_box( string $type ): void {
		if ( ! self::is_absent() || ! in_array( $type, self::types(), true ) ) {
			return;
		}
		$hidden = array( '__back_compat_meta_box' => self::has_panel( $type ) );
		add_meta_box( 'pillion-theme', __( 'Theme of this page', 'pillion' ), array( $this, 'render_box' ), $type, 'side', 'default', $hidden );
	}

	public function render_box( WP_Post $post ): void {
		wp_nonce_field( self::NONCE, self::NONCE );
		$theme = self::theme_of( $post->ID );
		echo '<label class="screen-reader-text" for="pillion_theme">' . esc_html__( 'Theme of this page', 'pillion' ) . '</label>';
		echo '<select id="pillion_theme" name="pillion_theme" class="widefat">';
		foreach ( self::themes() as $value => $name ) {
			echo '<option value="' . esc_attr( $value ) . '"' . selected( $theme, $value, false ) . '>' . esc_html( $name ) . '</option>';
		}
		echo '</select>';
	}

	public function save( int $post_id ): void {
		$nonce = sanitize_key( wp_unslash( $_POST[ self::NONCE ] ?? '' ) );
		if ( ! wp_verify_nonce( $nonce, self::NONCE ) || ! current_user_can( 'edit_post', $post_id ) || wp_is_post_revision( $post_id ) ) {
			return;
		}
		$theme = sanitize_key( wp_unslash( $_POST['pillion_theme'] ?? '' ) );
		if ( '' === $theme || ! isset( self::themes()[ $theme ] ) ) {
			delete_post_meta( $post_id, self::META );
			return;
		}
		update_post_meta( $post_id, self::META, $theme );
	}

	/**
	 * @return array<string, string> Value → name. `pillion_themes` adds one that the site knows.
	 */
	private static function themes(): array {
		return (array) apply_filters(
			'pillion_themes',
			array(
				''      => __( 'The site’s own (dark)', 'pillion' ),
				'dark'  => __( 'Dark', 'pillion' ),
				'light' => __( 'Light', 'pillion' ),
			)
		);
	}

	private static function has_panel( string $type ): bool {
		return in_array( $type, self::types(), true ) && post_type_supports( $type, 'custom-fields' );
	}

	private static function is_absent(): bool {
		return ! class_exists( 'ACF', false );
	}

	/**
	 * @return string[]
	 */
	private static function types(): array {
		$types = get_post_types(
			array(
				'public'       => true,
				'show_in_rest' => true,
			)
		);
		unset( $types['attachment'] );
		return array_values( $types );
	}
}
