<?php
/**
 * What search engines and shared links show of a page: title, description, picture, and whether it is indexed. An empty
 * field falls back to the SEO plugin's value, then to the page's own.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Editor\SectionPictures;
use Pillion\Lib\Assets;
use Pillion\Lib\Input;
use Pillion\Lib\Rest;
use WP_Post;

final class Seo {
	const TITLE       = '_pillion_found_title';
	const DESCRIPTION = '_pillion_found_description';
	const PICTURE     = '_pillion_found_picture';
	const NOINDEX     = '_pillion_found_noindex';

	const NONCE = 'pillion_seo_nonce';

	public function register(): void {
		add_action( 'init', static fn() => add_post_type_support( 'page', 'excerpt' ) );
		// Themes without thumbnail support hide the featured image from editors, and the site does not use the theme.
		add_action( 'after_setup_theme', static fn() => add_theme_support( 'post-thumbnails' ), 20 );
		add_action( 'rest_api_init', array( $this, 'register_fields' ) );
		add_action( 'init', array( $this, 'register_meta' ), 20 );
		add_action( 'enqueue_block_editor_assets', array( $this, 'enqueue' ) );
		add_action( 'add_meta_boxes', array( $this, 'add_box' ) );
		add_action( 'save_post', array( $this, 'save' ) );
	}

	/**
	 * Whether search engines should not index a page. Yoast SEO's setting for this page takes precedence, then this
	 * panel, then Yoast SEO's setting for the post type.
	 */
	public static function is_hidden( WP_Post $post ): bool {
		$yoast = self::yoast_value( $post->ID, 'meta-robots-noindex' );
		if ( '1' === $yoast || '2' === $yoast ) {
			return '1' === $yoast;
		}
		$titles = self::has_yoast() ? get_option( 'wpseo_titles' ) : array();
		return get_post_meta( $post->ID, self::NOINDEX, true ) || ( is_array( $titles ) && ! empty( $titles[ "noindex-{$post->post_type}" ] ) );
	}

	/** The canonical URL that an editor set in Yoast SEO; empty if not set. */
	public static function canonical_of( WP_Post $post ): string {
		return self::yoast_value( $post->ID, 'canonical' );
	}

	private static function has_yoast(): bool {
		return defined( 'WPSEO_VERSION' );
	}

	/** A setting of Yoast SEO for one page; empty if Yoast is not active or its default applies. */
	private static function yoast_value( int $id, string $name ): string {
		return self::has_yoast() ? trim( (string) get_post_meta( $id, "_yoast_wpseo_$name", true ) ) : '';
	}

	public function register_fields(): void {
		$picture = static fn( array $response ): ?array => SectionPictures::read( (int) get_post_thumbnail_id( $response['id'] ) );
		$schema  = array(
			'description' => __( 'The featured image with all its sizes, or null.', 'pillion' ),
			'type'        => array( 'object', 'null' ),
		);
		Rest::add_field( array( 'page', 'post' ), 'picture', $picture, $schema );
		$values = static fn( array $response ): array => self::values_of( (int) $response['id'] );
		$schema = array(
			'description' => __( 'The editor’s texts for links and search engines; empty if not set.', 'pillion' ),
			'type'        => 'object',
		);
		Rest::add_field( Routes::types(), 'found', $values, $schema );
	}

	/**
	 * The panel's values, without those that an editor set in Yoast SEO for this page. Yoast SEO's templates for all
	 * pages do not override the panel.
	 *
	 * @return array{title: string, description: string, noindex: bool, picture: ?array, share_title: string, share_description: string, verification: array<string, string>|array{}}
	 */
	private static function values_of( int $id ): array {
		$title       = self::yoast_value( $id, 'title' ) ? '' : (string) get_post_meta( $id, self::TITLE, true );
		$description = self::yoast_value( $id, 'metadesc' ) ? '' : (string) get_post_meta( $id, self::DESCRIPTION, true );
		$picture     = self::yoast_value( $id, 'opengraph-image' ) ? 0 : (int) get_post_meta( $id, self::PICTURE, true );
		return array(
			'title'             => $title,
			'description'       => $description,
			'noindex'           => get_post_meta( $id, self::NOINDEX, true ) && '2' !== self::yoast_value( $id, 'meta-robots-noindex' ),
			'picture'           => SectionPictures::read( $picture ),
			'share_title'       => self::yoast_value( $id, 'opengraph-title' ) ? '' : $title,
			'share_description' => self::yoast_value( $id, 'opengraph-description' ) ? '' : $description,
			'verification'      => self::verification_codes( $id ),
		);
	}

	/**
	 * Site verification codes for search engines. Yoast SEO prints them on WordPress' front page, which visitors do not
	 * see.
	 *
	 * @return array<string, string>
	 */
	private static function verification_codes( int $id ): array {
		if ( ! self::has_yoast() || '/' !== Routes::path_of( $id ) ) {
			return array();
		}
		$names   = array(
			'googleverify'    => 'google-site-verification',
			'msverify'        => 'msvalidate.01',
			'yandexverify'    => 'yandex-verification',
			'baiduverify'     => 'baidu-site-verification',
			'pinterestverify' => 'p:domain_verify',
			'ahrefsverify'    => 'ahrefs-site-verification',
		);
		$options = get_option( 'wpseo' );
		$codes   = array();
		foreach ( $names as $option => $name ) {
			if ( is_array( $options ) && ! empty( $options[ $option ] ) && is_string( $options[ $option ] ) ) {
				$codes[ $name ] = $options[ $option ];
			}
		}
		return $codes;
	}

	/** Lets the block editor read and write the values. */
	public function register_meta(): void {
		PageMeta::register( self::TITLE, 'string', '', 'sanitize_text_field' );
		PageMeta::register( self::DESCRIPTION, 'string', '', 'sanitize_textarea_field' );
		PageMeta::register( self::PICTURE, 'integer', 0, 'absint' );
		PageMeta::register( self::NOINDEX, 'boolean', false, 'rest_sanitize_boolean' );
	}

	public function enqueue(): void {
		$screen = get_current_screen();
		if ( ! $screen || ! PageMeta::has_panel( $screen->post_type ) ) {
			return;
		}
		$data = array(
			'meta'  => array(
				'title'       => self::TITLE,
				'description' => self::DESCRIPTION,
				'picture'     => self::PICTURE,
				'noindex'     => self::NOINDEX,
			),
			'texts' => self::panel_texts(),
		);
		Assets::add_to_editor( 'pillionSeo', $data );
	}

	/** @return array<string, string> */
	private static function panel_texts(): array {
		return array(
			'panel'           => __( 'For links and search engines', 'pillion' ),
			'title'           => __( 'Title', 'pillion' ),
			'titleHelp'       => __( 'Shown in the browser’s tab and in search results. If empty: the page’s title and the brand.', 'pillion' ),
			'description'     => __( 'Description', 'pillion' ),
			'descriptionHelp' => __( 'One or two sentences of up to 160 characters. If empty: the excerpt, or else the beginning of the page.', 'pillion' ),
			'picture'         => __( 'Picture', 'pillion' ),
			'pictureHelp'     => __( 'Shown with shared links, cropped to 1200 × 630. If empty: the featured image, or else a picture with the page’s title.', 'pillion' ),
			'choose'          => __( 'Choose picture', 'pillion' ),
			'remove'          => __( 'Remove picture', 'pillion' ),
			'noindex'         => __( 'Keep out of search engines', 'pillion' ),
			'yoastNotice'     => self::has_yoast() ? __( 'Yoast SEO is active. Its settings for this page take precedence.', 'pillion' ) : '',
			'noindexHelp'     => __( 'The page is also removed from the sitemap. Visitors with its address can still open it.', 'pillion' ),
		);
	}

	/** For the classic editor, and for post types without meta in REST. */
	public function add_box( string $type ): void {
		if ( ! in_array( $type, Routes::types(), true ) ) {
			return;
		}
		$hidden = array( '__back_compat_meta_box' => PageMeta::has_panel( $type ) );
		add_meta_box( 'pillion-seo', __( 'For links and search engines', 'pillion' ), array( $this, 'render_box' ), $type, 'normal', 'default', $hidden );
	}

	public function render_box( WP_Post $post ): void {
		wp_nonce_field( self::NONCE, self::NONCE );
		$texts = self::panel_texts();
		$field = static function ( string $name, string $control ) use ( $texts ): void {
			printf( '<p><label for="pillion_seo_%1$s"><strong>%2$s</strong></label><br />%3$s<br /><span class="description">%4$s</span></p>', esc_attr( $name ), esc_html( $texts[ $name ] ), $control, esc_html( $texts[ "{$name}Help" ] ) ); // phpcs:ignore WordPress.Security.EscapeOutput -- the control is escaped where it is made.
		};
		if ( $texts['yoastNotice'] ) {
			echo '<p>' . esc_html( $texts['yoastNotice'] ) . '</p>';
		}
		$field( 'title', sprintf( '<input class="widefat" type="text" id="pillion_seo_title" name="pillion_seo_title" value="%s" />', esc_attr( get_post_meta( $post->ID, self::TITLE, true ) ) ) );
		$field( 'description', sprintf( '<textarea class="widefat" rows="2" id="pillion_seo_description" name="pillion_seo_description">%s</textarea>', esc_textarea( get_post_meta( $post->ID, self::DESCRIPTION, true ) ) ) );
		$field( 'noindex', sprintf( '<input type="checkbox" id="pillion_seo_noindex" name="pillion_seo_noindex" value="1" %s />', checked( (bool) get_post_meta( $post->ID, self::NOINDEX, true ), true, false ) ) );
	}

	/** The picture is chosen in the block editor only; the classic editor uses the featured image. */
	public function save( int $post_id ): void {
		if ( ! wp_verify_nonce( Input::posted( self::NONCE ), self::NONCE ) || ! PageMeta::current_user_can_save( $post_id ) ) {
			return;
		}
		foreach ( array( 'title' => self::TITLE, 'description' => self::DESCRIPTION, 'noindex' => self::NOINDEX ) as $name => $key ) {
			PageMeta::save( $post_id, $key, sanitize_textarea_field( Input::posted( "pillion_seo_$name" ) ) );
		}
	}
}
