<?php
/**
 * A page's theme as `acf.theme` (R2), chosen in a panel of the editor. A field of Advanced Custom Fields named `theme`
 * replaces the panel on the pages that show the field.
 *
 * @phpstan-type Field array<string, mixed>
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Assets;
use Pillion\Lib\Data;
use Pillion\Lib\Input;
use Pillion\Lib\Rest;
use WP_Post;
use WP_REST_Response;

final class PageTheme {
	const META = '_pillion_theme';

	const NONCE = 'pillion_theme_nonce';

	/**
	 * @var array<int, array{group: array<string, mixed>, field: Field}>|null ACF's fields named `theme`; null until
	 * they are read.
	 */
	private static $acf_fields = null;

	public function register(): void {
		// This hook runs when all plugins are loaded; ACF can load after this one.
		add_action( 'rest_api_init', array( $this, 'register_field' ) );
		add_action( 'init', array( $this, 'register_meta' ), 20 );
		add_action( 'enqueue_block_editor_assets', array( $this, 'enqueue' ) );
		add_action( 'add_meta_boxes', array( $this, 'add_box' ), 10, 2 );
		add_action( 'save_post', array( $this, 'save' ) );
	}

	/** The editor's theme for a page; empty: the site's default. */
	public static function theme_of( int $post_id ): string {
		$field = self::acf_field_of( $post_id );
		$panel = get_post_meta( $post_id, self::META, true );
		$panel = is_string( $panel ) ? $panel : '';
		if ( null === $field ) {
			return $panel;
		}
		// A field that is added later has no value on old pages; the panel's value stays until the field is saved.
		if ( '' !== $panel && ! metadata_exists( 'post', $post_id, 'theme' ) ) {
			return $panel;
		}
		$theme = acf_get_value( $post_id, $field );
		return is_string( $theme ) ? $theme : '';
	}

	public function register_field(): void {
		if ( class_exists( 'ACF', false ) ) {
			// ACF registers `acf` itself with its public fields, so only the theme is added.
			foreach ( Routes::types() as $type ) {
				add_filter( "rest_prepare_$type", array( $this, 'add_theme' ), 20, 2 );
			}
			return;
		}
		// Without fields ACF returns an empty list, not an empty object; this does the same.
		$callback = static fn( array $post ): array => self::merge_theme( array(), (int) $post['id'] );
		Rest::add_field( Routes::types(), 'acf', $callback, array( 'type' => array( 'object', 'array' ), 'context' => array( 'view', 'edit' ) ) );
	}

	public function add_theme( $response, WP_Post $post ) {
		$data = $response instanceof WP_REST_Response ? $response->get_data() : null;
		if ( is_array( $data ) ) {
			$data['acf'] = self::merge_theme( Data::to_array( $data['acf'] ?? null ), $post->ID );
			$response->set_data( $data );
		}
		return $response;
	}

	private static function merge_theme( array $fields, int $post_id ): array {
		$theme = self::theme_of( $post_id );
		return '' === $theme ? $fields : array( 'theme' => $theme ) + $fields;
	}

	/**
	 * ACF's field for the theme of a page.
	 *
	 * @return Field|null Null if ACF is not active or the page does not show the field: the panel applies.
	 */
	private static function acf_field_of( int $post_id ): ?array {
		if ( ! function_exists( 'acf_get_field_groups' ) || ! function_exists( 'acf_get_field_group_visibility' ) ) {
			return null;
		}
		if ( null === self::$acf_fields ) {
			self::$acf_fields = array();
			foreach ( acf_get_field_groups() as $group ) {
				foreach ( ! empty( $group['active'] ) ? acf_get_fields( $group ) : array() as $field ) {
					if ( 'theme' === ( $field['name'] ?? '' ) ) {
						self::$acf_fields[] = compact( 'group', 'field' );
					}
				}
			}
		}
		$screen = array( 'post_id' => $post_id, 'post_type' => get_post_type( $post_id ) );
		foreach ( self::$acf_fields as $candidate ) {
			if ( acf_get_field_group_visibility( $candidate['group'], $screen ) ) {
				return $candidate['field'];
			}
		}
		return null;
	}

	/** Lets the block editor read and write the theme. */
	public function register_meta(): void {
		PageMeta::register( self::META, 'string', '', static fn( $theme ): string => is_string( $theme ) && isset( self::themes()[ $theme ] ) ? $theme : '' );
	}

	/**
	 * Adds the theme panel to the block editor, unless ACF shows a theme field for the page. A panel, because a meta box
	 * opens a separate area there.
	 */
	public function enqueue(): void {
		$screen = get_current_screen();
		if ( ! $screen || ! PageMeta::has_panel( $screen->post_type ) || null !== self::acf_field_of( (int) get_the_ID() ) ) {
			return;
		}
		$data = array(
			'title'  => __( 'Theme of this page', 'pillion' ),
			'meta'   => self::META,
			'themes' => self::themes(),
		);
		Assets::add_to_editor( 'pillionTheme', $data );
	}

	/**
	 * For the classic editor, and for post types without meta in REST.
	 *
	 * @param mixed $post A comment or a link on their screens.
	 */
	public function add_box( string $type, $post = null ): void {
		if ( ! in_array( $type, Routes::types(), true ) || ( $post instanceof WP_Post && null !== self::acf_field_of( $post->ID ) ) ) {
			return;
		}
		$hidden = array( '__back_compat_meta_box' => PageMeta::has_panel( $type ) );
		add_meta_box( 'pillion-theme', __( 'Theme of this page', 'pillion' ), array( $this, 'render_box' ), $type, 'side', 'default', $hidden );
	}

	public function render_box( WP_Post $post ): void {
		wp_nonce_field( self::NONCE, self::NONCE );
		$theme = self::theme_of( $post->ID );
		echo '<label class="screen-reader-text" for="pillion_theme">' . esc_html__( 'Theme of this page', 'pillion' ) . '</label>';
		echo '<select id="pillion_theme" name="pillion_theme" class="widefat">' . Admin::options( self::themes(), $theme ) . '</select>';
	}

	public function save( int $post_id ): void {
		if ( ! wp_verify_nonce( Input::posted( self::NONCE ), self::NONCE ) || ! PageMeta::current_user_can_save( $post_id ) ) {
			return;
		}
		$theme = sanitize_key( Input::posted( 'pillion_theme' ) );
		PageMeta::save( $post_id, self::META, isset( self::themes()[ $theme ] ) ? $theme : '' );
	}

	/** @return array<string, string> Names by value. The filter `pillion_themes` adds themes that the site knows. */
	private static function themes(): array {
		return (array) apply_filters(
			'pillion_themes',
			array(
				''      => __( 'Site default (dark)', 'pillion' ),
				'dark'  => __( 'Dark', 'pillion' ),
				'light' => __( 'Light', 'pillion' ),
			)
		);
	}
}
