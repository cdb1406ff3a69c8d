<?php
/**
 * REST routes of previews, for the site and for the editor's browser.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\KeyRules;
use Pillion\Access\Keys;
use Pillion\Languages\Translations;
use Pillion\Lib\Language;
use Pillion\Lib\Rest;
use Pillion\Site\Connection;
use Throwable;
use WP_Error;
use WP_Post;
use WP_REST_Request;
use WP_REST_Response;

/** @phpstan-import-type Note from PreviewToken */
final class Preview {
	/** One post, by its id. */
	const ROUTE = '/preview/(?P<post>\d+)';

	/** Fields that the block editor would save. Missing ones are as saved. */
	const TYPED_FIELDS = array(
		'content'        => array( 'type' => 'string' ),
		'title'          => array( 'type' => 'string' ),
		'excerpt'        => array( 'type' => 'string' ),
		'template'       => array( 'type' => 'string' ),
		'featured_media' => array( 'type' => 'integer' ),
		'meta'           => array( 'type' => 'object' ),
		'slug'           => array( 'type' => 'string' ),
	);

	public function register(): void {
		add_action( 'rest_api_init', array( $this, 'register_routes' ) );
		( new AutosavedMeta() )->register();
	}

	public function register_routes(): void {
		$opening = array(
			'token'   => array( 'type' => 'string', 'default' => '' ),
			'opening' => array( 'type' => 'boolean', 'default' => false ),
		);
		KeyRules::add_route( 'pillion/v1', self::ROUTE, array( self::class, 'get_preview' ), array( Keys::class, 'is_served' ), Language::ARGUMENT + $opening );
		$permission = array( self::class, 'can_edit' );
		$kind       = array( 'type' => 'string', 'enum' => array( 'open', 'pane' ), 'default' => 'open' );
		Rest::add_route( self::ROUTE . '/live', 'POST', array( self::class, 'get_typed_preview' ), $permission, self::TYPED_FIELDS + Language::ARGUMENT );
		Rest::add_route( self::ROUTE . '/check', 'POST', array( SiteCheck::class, 'check_draft' ), $permission, self::TYPED_FIELDS + Language::ARGUMENT );
		Rest::add_route( self::ROUTE . '/token', 'POST', array( self::class, 'create_token' ), $permission, array( 'kind' => $kind ) );
	}

	/** The post of the URL; the request body cannot replace it. */
	public static function requested_post( WP_REST_Request $request ): ?WP_Post {
		return Draft::find( (int) $request->get_url_params()['post'] );
	}

	/** @return true|WP_Error Whether the user may edit the post, and so may see its unsaved changes. */
	public static function can_edit( WP_REST_Request $request ) {
		$post = self::requested_post( $request );
		if ( ! is_user_logged_in() || ( $post && ! current_user_can( 'edit_post', $post->ID ) ) || ( ! $post && ! current_user_can( 'edit_posts' ) ) ) {
			return new WP_Error( 'rest_forbidden', __( 'You may not edit this page.', 'pillion' ), array( 'status' => rest_authorization_required_code() ) );
		}
		if ( ! $post ) {
			return Refusal::error_for( 'gone' );
		}
		return Connection::is_configured() ? true : Refusal::error_for( 'unset' );
	}

	/** @return WP_REST_Response|WP_Error The draft for a token. */
	public static function get_preview( WP_REST_Request $request ) {
		$note = PreviewToken::read( (string) $request['token'] );
		if ( is_wp_error( $note ) ) {
			return $note;
		}
		$id   = (int) $request->get_url_params()['post'];
		$post = Draft::find( $id );
		if ( 'link' === $note['k'] && $id !== $note['p'] ) {
			return Refusal::error_for( 'wrong' );
		}
		$user = get_userdata( $note['u'] );
		if ( ! $user ) {
			return Refusal::error_for( 'rights' );
		}
		if ( 'link' !== $note['k'] && ! Session::is_open( $user, $note['s'] ) ) {
			return Refusal::error_for( 'expired' );
		}
		if ( ! $post ) {
			return Refusal::error_for( 'gone' );
		}
		if ( 'link' === $note['k'] && ! PreviewLinks::is_open( $id, $note['l'] ) ) {
			return Refusal::error_for( 'withdrawn' );
		}
		$is_allowed = 'link' === $note['k'] ? PreviewLinks::can_share( $post, $note['u'] ) : user_can( $note['u'], 'edit_post', $id );
		if ( ! $is_allowed ) {
			return Refusal::error_for( 'rights' );
		}
		if ( $request['opening'] ) {
			return self::record_opening( $note, (string) $request['token'] );
		}
		$draft = Draft::from_saved( $post, 'link' === $note['k'] ? 0 : $note['u'] );
		return self::render_draft( $draft, $request, 'open' === $note['k'] ? $note['u'] : 0 );
	}

	/**
	 * Records that a token is opened. The next request of the visit reads the draft.
	 *
	 * @param Note $note
	 * @return WP_REST_Response|WP_Error
	 */
	private static function record_opening( array $note, string $token ) {
		if ( 'link' === $note['k'] ) {
			PreviewLinks::count_visit( $note['p'], $note['l'] );
		} elseif ( ! PreviewToken::use_up( $token ) ) {
			return Refusal::error_for( 'used' );
		}
		return self::response( array( 'opened' => true ) );
	}

	/** @return WP_REST_Response|WP_Error */
	public static function get_typed_preview( WP_REST_Request $request ) {
		return self::render_draft( self::typed_draft( $request ), $request, 0 );
	}

	/** @return WP_REST_Response|WP_Error */
	private static function render_draft( Draft $draft, WP_REST_Request $request, int $user ) {
		try {
			return self::response( PreviewAnswer::build( $draft, Translations::lang_of( $draft->post->ID ), $user ) );
		} catch ( Throwable $error ) {
			// The message can quote the draft, so the log has only the place.
			error_log( 'Pillion: a preview failed with ' . get_class( $error ) . ' at ' . $error->getFile() . ':' . $error->getLine() );
			return Refusal::error_for( 'failed' );
		}
	}

	/** The draft with the unsaved fields that the editor's browser sent. */
	public static function typed_draft( WP_REST_Request $request ): Draft {
		$fields = array();
		foreach ( array_keys( self::TYPED_FIELDS ) as $name ) {
			if ( null !== $request[ $name ] ) {
				$fields[ $name ] = $request[ $name ];
			}
		}
		return Draft::from_typed( get_post( (int) $request->get_url_params()['post'] ), $fields );
	}

	public static function create_token( WP_REST_Request $request ): WP_REST_Response {
		$post  = (int) $request->get_url_params()['post'];
		$token = PreviewToken::create( $request['kind'], $post, wp_get_current_user() );
		return self::response(
			array(
				'url'  => 'pane' === $request['kind'] ? Connection::address() . "/preview/pane/$post?token=$token" : self::opening_url( $token ),
				'site' => PreviewAnswer::origin( Connection::address() ),
			)
		);
	}

	/** URL at which the site opens a preview. */
	public static function opening_url( string $token ): string {
		return Connection::address() . "/preview/open?token=$token";
	}

	public static function response( $data, int $status = 200 ): WP_REST_Response {
		return new WP_REST_Response( $data, $status, array( 'X-Robots-Tag' => 'noindex, nofollow' ) );
	}
}
