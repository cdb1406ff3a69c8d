<?php
/**
 * What a page says of itself to search engines and where its link is shared: title, description, picture, and whether
 * it may be found at all. What the editor leaves empty an SEO plugin says, or the page itself.
 */

namespace Pillion;

use WP_Post;

final class Found {
	const TITLE       = '_pillion_found_title';
	const DESCRIPTION = '_pillion_found_description';
	const PICTURE     = '_pillion_found_picture';
	const NOINDEX     = '_pillion_found_noindex';

	const NONCE = 'pillion_found_nonce';

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_field' ) );
		add_action( 'init', array( $this, 'register_meta' ), 20 );
		add_action( 'enqueue_block_editor_assets', array( $this, 'enqueue' ) );
		add_action( 'add_meta_boxes', array( $this, 'add_box' ) );
		add_action( 'save_post', array( $this, 'save' ) );
	}

	/** Whether a page is to stay out of search engines, by its editor's word or by an SEO plugin's. */
	public static function is_hidden( WP_Post $post ): bool {
		return (bool) get_post_meta( $post->ID, self::NOINDEX, true ) || self::is_hidden_by_yoast( $post );
	}

	/** Yoast SEO's own setting: 1 hides a page, 2 shows it, anything else is what its type has. */
	private static function is_hidden_by_yoast( WP_Post $post ): bool {
		if ( ! defined( 'WPSEO_VERSION' ) ) {
			return false;
		}
		$own = (string) get_post_meta( $post->ID, '_yoast_wpseo_meta-robots-noindex', true );
		if ( '1' === $own || '2' === $own ) {
			return '1' === $own;
		}
		$titles = get_option( 'wpseo_titles' );
		return is_array( $titles ) && ! empty( $titles[ "noindex-{$post->post_type}" ] );
	}

	public function register_field(): void {
		register_rest_field(
			self::types(),
			'found',
			array(
				'get_callback' => static function ( array $answer ): array {
					return self::read( (int) $answer['id'] );
				},
				'schema'       => array(
					'description' => __( 'The editor’s own words for links and search engines; empty where there are none.', 'pillion' ),
					'type'        => 'object',
					'context'     => array( 'view' ),
					'readonly'    => true,
				),
			)
		);
	}

	/**
	 * @return array{title: string, description: string, noindex: bool, picture: ?array}
	 */
	private static function read( int $id ): array {
		return array(
			'title'       => (string) get_post_meta( $id, self::TITLE, true ),
			'description' => (string) get_post_meta( $id, self::DESCRIPTION, true ),
			'noindex'     => (bool) get_post_meta( $id, self::NOINDEX, true ),
			'picture'     => SectionPictures::read( (int) get_post_meta( $id, self::PICTURE, true ) ),
		);
	}

	/** Lets the block editor read and write them with the page. */
	public function register_meta(): void {
		$kinds = array(
			self::TITLE       => array( 'string', '', 'sanitize_text_field' ),
			self::DESCRIPTION => array( 'string', '', 'sanitize_textarea_field' ),
			self::PICTURE     => array( 'integer', 0, 'absint' ),
			self::NOINDEX     => array( 'boolean', false, 'rest_sanitize_boolean' ),
		);
		foreach ( $kinds as $name => list( $type, $default, $sanitize ) ) {
			register_post_meta(
				'',
				$name,
				array(
					'type'              => $type,
					'single'            => true,
					'default'           => $default,
					'show_in_rest'      => true,
					'sanitize_callback' => $sanitize,
					'auth_callback'     => static function ( $allowed, $key, $post_id ): bool {
						return current_user_can( 'edit_post', $post_id );
					},
				)
			);
		}
	}

	public function enqueue(): void {
		$screen = get_current_screen();
		if ( ! $screen || ! self::has_panel( $screen->post_type ) ) {
			return;
		}
		wp_enqueue_script( 'pillion-found', plugins_url( 'assets/found.js', __DIR__ ), array( 'wp-plugins', 'wp-edit-post', 'wp-editor', 'wp-block-editor', 'wp-components', 'wp-core-data', 'wp-data', 'wp-element' ), VERSION, true );
		$about = array(
			'meta'  => array(
				'title'       => self::TITLE,
				'description' => self::DESCRIPTION,
				'picture'     => self::PICTURE,
				'noindex'     => self::NOINDEX,
			),
			'texts' => self::texts(),
		);
		wp_add_inline_script( 'pillion-found', 'window.pillionFound = ' . wp_json_encode( $about ) . ';', 'before' );
	}

	/**
	 * @return array<string, string>
	 */
	private static function texts(): array {
		return array(
			'panel'           => __( 'For links and search engines', 'pillion' ),
			'title'           => __( 'Title', 'pillion' ),
			'titleHelp'       => __( 'What the browser’s tab and search results show. Empty: the page’s title and the brand.', 'pillion' ),
			'description'     => __( 'Description', 'pillion' ),
			'descriptionHelp' => __( 'One or two sentences of up to 160 characters. Empty: the excerpt, else how the page begins.', 'pillion' ),
			'picture'         => __( 'Picture', 'pillion' ),
			'pictureHelp'     => __( 'Shown where the link is shared, cut to 1200 × 630. Empty: the featured image, else one that the site draws with the page’s title.', 'pillion' ),
			'choose'          => __( 'Choose picture', 'pillion' ),
			'remove'          => __( 'Remove picture', 'pillion' ),
			'noindex'         => __( 'Keep out of search engines', 'pillion' ),
			'noindexHelp'     => __( 'The page also leaves the sitemap. Whoever has its address can still open it.', 'pillion' ),
		);
	}

	/** For the classic editor, and for types whose posts carry no meta over REST. */
	public function add_box( string $type ): void {
		if ( ! in_array( $type, self::types(), true ) ) {
			return;
		}
		$hidden = array( '__back_compat_meta_box' => self::has_panel( $type ) );
		add_meta_box( 'pillion-found', __( 'For links and search engines', 'pillion' ), array( $this, 'render_box' ), $type, 'normal', 'default', $hidden );
	}

	public function render_box( WP_Post $post ): void {
		wp_nonce_field( self::NONCE, self::NONCE );
		$texts = self::texts();
		$field = static function ( string $name, string $control ) use ( $texts ): void {
			printf( '<p><label for="pillion_found_%1$s"><strong>%2$s</strong></label><br />%3$s<br /><span class="description">%4$s</span></p>', esc_attr( $name ), esc_html( $texts[ $name ] ), $control, esc_html( $texts[ "{$name}Help" ] ) ); // phpcs:ignore WordPress.Security.EscapeOutput -- the control is escaped where it is made.
		};
		$field( 'title', sprintf( '<input class="widefat" type="text" id="pillion_found_title" name="pillion_found_title" value="%s" />', esc_attr( get_post_meta( $post->ID, self::TITLE, true ) ) ) );
		$field( 'description', sprintf( '<textarea class="widefat" rows="2" id="pillion_found_description" name="pillion_found_description">%s</textarea>', esc_textarea( get_post_meta( $post->ID, self::DESCRIPTION, true ) ) ) );
		$field( 'noindex', sprintf( '<input type="checkbox" id="pillion_found_noindex" name="pillion_found_noindex" value="1" %s />', checked( (bool) get_post_meta( $post->ID, self::NOINDEX, true ), true, false ) ) );
	}

	/** The picture is chosen in the block editor; in the classic one the featured image is it. */
	public function save( int $post_id ): void {
		$nonce = sanitize_key( wp_unslash( $_POST[ self::NONCE ] ?? '' ) );
		if ( ! wp_verify_nonce( $nonce, self::NONCE ) || ! current_user_can( 'edit_post', $post_id ) || wp_is_post_revision( $post_id ) ) {
			return;
		}
		self::keep( $post_id, self::TITLE, self::sent( 'pillion_found_title' ) );
		self::keep( $post_id, self::DESCRIPTION, self::sent( 'pillion_found_description' ) );
		self::keep( $post_id, self::NOINDEX, self::sent( 'pillion_found_noindex' ) );
	}

	private static function sent( string $name ): string {
		$value = wp_unslash( $_POST[ $name ] ?? '' ); // phpcs:ignore WordPress.Security.NonceVerification -- save() has verified it.
		return is_string( $value ) ? sanitize_textarea_field( $value ) : '';
	}

	private static function keep( int $post_id, string $name, string $value ): void {
		if ( '' === $value ) {
			delete_post_meta( $post_id, $name );
			return;
		}
		update_post_meta( $post_id, $name, wp_slash( $value ) );
	}

	private static function has_panel( string $type ): bool {
		return in_array( $type, self::types(), true ) && post_type_supports( $type, 'custom-fields' );
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
