<?php
/**
 * Makes WordPress' *Preview* open the site, through a wp-admin address that creates a token on each click. WordPress'
 * own preview stays if the site's address or the secret is missing.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\Uncached;
use Pillion\Content\Routes;
use Pillion\Lib\Input;
use Pillion\Site\Connection;
use WP_Post;
use WP_REST_Request;
use WP_REST_Response;

final class PreviewAddress {
	/** Action of wp-admin/admin-post.php. */
	const ACTION = 'pillion_preview';

	public function register(): void {
		add_filter( 'preview_post_link', array( self::class, 'preview_url' ), 20, 2 );
		add_action( 'admin_post_' . self::ACTION, array( $this, 'redirect_to_site' ) );
		add_action( 'admin_post_nopriv_' . self::ACTION, 'auth_redirect' );
		add_action( 'template_redirect', array( $this, 'redirect_from_wordpress_preview' ), 0 );
		add_action( 'rest_api_init', array( $this, 'replace_editor_links' ) );
	}

	/**
	 * The block editor opens a draft at its permalink without a filter. If the permalink is on the site, because that
	 * is WordPress' home, the wp-admin address replaces it.
	 */
	public function replace_editor_links(): void {
		if ( untrailingslashit( home_url() ) === untrailingslashit( site_url() ) ) {
			return;
		}
		foreach ( Routes::types() as $type ) {
			add_filter( "rest_prepare_$type", array( self::class, 'replace_draft_link' ), 10, 3 );
		}
	}

	public static function replace_draft_link( $response, WP_Post $post, WP_REST_Request $request ) {
		if ( $response instanceof WP_REST_Response && 'edit' === $request['context'] && in_array( $post->post_status, array( 'draft', 'auto-draft' ), true ) ) {
			$response->set_data( array( 'link' => self::preview_url( (string) get_permalink( $post ), $post ) ) + (array) $response->get_data() );
		}
		return $response;
	}

	/**
	 * @param string  $link
	 * @param WP_Post $post
	 */
	public static function preview_url( $link, $post ): string {
		if ( ! Connection::is_configured() || ! in_array( $post->post_type, Routes::types(), true ) ) {
			return (string) $link;
		}
		$arguments = array( 'action' => self::ACTION, 'post' => $post->ID );
		wp_parse_str( (string) wp_parse_url( (string) $link, PHP_URL_QUERY ), $query );
		if ( isset( $query[ AutosavedMeta::THUMBNAIL ] ) ) {
			$arguments[ AutosavedMeta::THUMBNAIL ] = (int) $query[ AutosavedMeta::THUMBNAIL ];
		}
		return add_query_arg( '_wpnonce', wp_create_nonce( self::nonce_action( $post->ID ) ), add_query_arg( $arguments, admin_url( 'admin-post.php' ) ) );
	}

	/** Redirects *Preview* to the site. */
	public function redirect_to_site(): void {
		$id   = (int) Input::query( 'post' );
		$post = Draft::find( $id );
		if ( ! $post ) {
			wp_die( esc_html__( 'There is nothing to preview. The page was deleted.', 'pillion' ), '', array( 'response' => 404, 'back_link' => true ) );
		}
		if ( ! current_user_can( 'edit_post', $id ) ) {
			wp_die( esc_html__( 'You may not see this preview.', 'pillion' ), '', array( 'response' => 403, 'back_link' => true ) );
		}
		if ( ! wp_verify_nonce( Input::query( '_wpnonce' ), self::nonce_action( $id ) ) ) {
			// An editor that was open for a day has an old nonce; the user confirms the preview with a click.
			$link = '<a href="' . esc_url( self::preview_url( '', $post ) ) . '">' . esc_html__( 'Open the preview', 'pillion' ) . '</a>';
			wp_die( esc_html__( 'This link to a preview has expired.', 'pillion' ) . ' ' . $link, '', array( 'response' => 403 ) );
		}
		if ( ! Connection::is_configured() ) {
			wp_die( esc_html__( 'The site’s address or the secret is missing: see Pillion → Site.', 'pillion' ), '', array( 'response' => 503, 'back_link' => true ) );
		}
		self::open_on_site( $id, true );
	}

	/** The block editor opens a draft's own address with `preview=true`, and with a nonce if there is an autosave. */
	public function redirect_from_wordpress_preview(): void {
		$post = is_preview() && is_singular() ? Draft::find( (int) get_queried_object_id() ) : null;
		if ( $post && Connection::is_configured() && is_user_logged_in() && current_user_can( 'edit_post', $post->ID ) ) {
			self::open_on_site( $post->ID, (bool) wp_verify_nonce( Input::query( 'preview_nonce' ), 'post_preview_' . $post->ID ) );
		}
	}

	/** @param bool $is_confirmed Whether a nonce confirms that the user made the request. Without it nothing is stored. */
	private static function open_on_site( int $id, bool $is_confirmed ): void {
		if ( $is_confirmed ) {
			AutosavedMeta::store_picture( $id, Input::has( AutosavedMeta::THUMBNAIL ) ? (int) Input::query( AutosavedMeta::THUMBNAIL ) : null );
		}
		Uncached::forbid_caching();
		header( 'Referrer-Policy: no-referrer' );
		// The site has another host than WordPress, which wp_safe_redirect() would reject.
		wp_redirect( Preview::opening_url( PreviewToken::create( 'open', $id, wp_get_current_user() ) ) );
		exit;
	}

	private static function nonce_action( int $id ): string {
		return 'pillion-preview-' . $id;
	}
}
