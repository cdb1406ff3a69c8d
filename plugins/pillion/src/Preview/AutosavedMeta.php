<?php
/**
 * Stores theme, SEO fields, template and featured image with an autosave, so that its preview shows them. They are not
 * registered for all revisions: restoring an older revision would delete them.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\PageTheme;
use Pillion\Content\Seo;
use Pillion\Lib\Input;
use WP_Post;
use WP_REST_Request;

final class AutosavedMeta {
	const KEYS = array( PageTheme::META, Seo::TITLE, Seo::DESCRIPTION, Seo::PICTURE, Seo::NOINDEX );

	const TEMPLATE = '_wp_page_template';

	const THUMBNAIL = '_thumbnail_id';

	/** Route of the block editor's autosaves. */
	const ROUTE = '~^/wp/v2/[\w-]+/\d+/autosaves$~';

	public function register(): void {
		add_filter( 'rest_request_before_callbacks', array( $this, 'allow_meta_in_autosave' ), 10, 3 );
		add_filter( 'rest_request_after_callbacks', array( $this, 'disallow_meta' ) );
		add_action( 'save_post_revision', array( $this, 'replace_meta' ) );
	}

	/**
	 * Deletes the meta of the previous autosave, which WordPress overwrites, and stores the fields that the classic
	 * editor's *Preview* sends. WordPress stores only the texts.
	 */
	public function replace_meta( int $id ): void {
		$post = wp_is_post_autosave( $id );
		if ( ! $post ) {
			return;
		}
		foreach ( array_merge( self::KEYS, array( self::TEMPLATE, self::THUMBNAIL ) ) as $key ) {
			delete_metadata( 'post', $id, $key );
		}
		if ( 'dopreview' === Input::posted( 'wp-preview' ) && wp_verify_nonce( Input::posted( '_wpnonce' ), "update-post_$post" ) ) {
			self::write_meta( $id, self::typed_meta( get_post( $post ) ) );
		}
	}

	/** Fields of the classic editor's form, as the meta that a save would write. */
	private static function typed_meta( WP_Post $post ): array {
		$meta = array();
		if ( Input::has( 'page_template' ) && TypedMeta::is_template( Input::posted( 'page_template' ), $post ) ) {
			$meta[ self::TEMPLATE ] = Input::posted( 'page_template' );
		}
		if ( Input::has( self::THUMBNAIL ) ) {
			$meta[ self::THUMBNAIL ] = max( 0, (int) Input::posted( self::THUMBNAIL ) );
		}
		if ( wp_verify_nonce( Input::posted( PageTheme::NONCE ), PageTheme::NONCE ) ) {
			$meta[ PageTheme::META ] = sanitize_key( Input::posted( 'pillion_theme' ) );
		}
		if ( wp_verify_nonce( Input::posted( Seo::NONCE ), Seo::NONCE ) ) {
			$meta[ Seo::TITLE ]       = sanitize_textarea_field( Input::posted( 'pillion_seo_title' ) );
			$meta[ Seo::DESCRIPTION ] = sanitize_textarea_field( Input::posted( 'pillion_seo_description' ) );
			$meta[ Seo::NOINDEX ]     = '' !== Input::posted( 'pillion_seo_noindex' );
		}
		return $meta;
	}

	private static function write_meta( int $autosave, array $meta ): void {
		foreach ( $meta as $key => $value ) {
			// update_post_meta() would write to the post itself.
			update_metadata( 'post', $autosave, $key, wp_slash( $value ) );
		}
	}

	/** WordPress stores only the meta whose keys this filter returns. */
	public function allow_meta_in_autosave( $response, $handler, WP_REST_Request $request ) {
		if ( 'POST' === $request->get_method() && preg_match( self::ROUTE, $request->get_route() ) ) {
			add_filter( 'wp_post_revision_meta_keys', array( self::class, 'add_keys' ) );
		}
		return $response;
	}

	public function disallow_meta( $response ) {
		remove_filter( 'wp_post_revision_meta_keys', array( self::class, 'add_keys' ) );
		return $response;
	}

	/**
	 * @param string[] $keys
	 * @return string[]
	 */
	public static function add_keys( $keys ): array {
		return array_values( array_unique( array_merge( (array) $keys, self::KEYS ) ) );
	}

	/**
	 * Stores the featured image that the block editor chose but did not save. WordPress sends it in the address of the
	 * preview only. Without other changes there is no autosave, and none is created, because WordPress would offer to
	 * restore it.
	 *
	 * @param int|null $picture Null: the address names no image, so the saved one applies. 0 or less: without an image.
	 */
	public static function store_picture( int $post_id, ?int $picture ): void {
		$user     = get_current_user_id();
		$autosave = wp_get_post_autosave( $post_id, $user );
		if ( null === $picture ) {
			delete_transient( self::picture_key( $post_id, $user ) );
			if ( $autosave ) {
				delete_metadata( 'post', $autosave->ID, self::THUMBNAIL );
			}
			return;
		}
		set_transient(
			self::picture_key( $post_id, $user ),
			array(
				'picture' => max( 0, $picture ),
				'at'      => gmdate( 'Y-m-d H:i:s' ),
			),
			PreviewToken::LIFETIME_SECONDS
		);
		if ( $autosave ) {
			self::write_meta( $autosave->ID, array( self::THUMBNAIL => max( 0, $picture ) ) );
		}
	}

	/**
	 * The image that store_picture() has stored for a user since the last save. `picture` is 0 for a page without one, `at`
	 * is the time of the choice, in the format of `$saved_at`.
	 *
	 * @param string $saved_at When the post was saved, in UTC, in MySQL's format.
	 * @return array{picture: int, at: string}|null
	 */
	public static function chosen_picture( int $post_id, int $user, string $saved_at ): ?array {
		$stored = get_transient( self::picture_key( $post_id, $user ) );
		return is_array( $stored ) && is_int( $stored['picture'] ?? null ) && is_string( $stored['at'] ?? null ) && $stored['at'] >= $saved_at ? $stored : null;
	}

	private static function picture_key( int $post_id, int $user ): string {
		return "pillion_preview_picture_{$post_id}_$user";
	}
}
