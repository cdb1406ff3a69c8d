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

/** @phpstan-import-type Payload from PreviewToken */
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

	/** The post id of the URL; the request body cannot replace it. */
	public static function requested_id( WP_REST_Request $request ): int {
		return (int) $request->get_url_params()['post'];
	}

	public static function requested_post( WP_REST_Request $request ): ?WP_Post {
		return Draft::find( self::requested_id( $request ) );
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
		$token   = (string) $request['token'];
		$payload = PreviewToken::read( $token );
		if ( is_wp_error( $payload ) ) {
			return $payload;
		}
		$id      = self::requested_id( $request );
		$post    = Draft::find( $id );
		$is_link = 'link' === $payload['k'];
		$reason  = $is_link ? self::link_refusal( $payload, $id, $post ) : self::user_refusal( $payload, $post );
		if ( ! $post || $reason ) {
			return Refusal::error_for( $reason ?? 'gone' );
		}
		if ( $request['opening'] ) {
			return self::record_opening( $payload, $token );
		}
		$draft = Draft::from_saved( $post, $is_link ? 0 : $payload['u'] );
		return self::render_draft( $draft, 'open' === $payload['k'] ? $payload['u'] : 0 );
	}

	/**
	 * A link opens only its own post, while it is not withdrawn and its creator may still share that post.
	 *
	 * @param Payload $payload
	 * @return string|null Reason of a Refusal; null: the link is valid.
	 */
	private static function link_refusal( array $payload, int $id, ?WP_Post $post ): ?string {
		if ( $id !== $payload['p'] ) {
			return 'wrong';
		}
		if ( ! get_userdata( $payload['u'] ) ) {
			return 'rights';
		}
		if ( ! $post ) {
			return 'gone';
		}
		if ( ! PreviewLinks::is_open( $id, $payload['l'] ) ) {
			return 'withdrawn';
		}
		return PreviewLinks::can_share( $post, $payload['u'] ) ? null : 'rights';
	}

	/**
	 * A user's own token opens every post that the user may edit, until their session ends.
	 *
	 * @param Payload $payload
	 * @return string|null Reason of a Refusal; null: the user may see the post.
	 */
	private static function user_refusal( array $payload, ?WP_Post $post ): ?string {
		$user = get_userdata( $payload['u'] );
		if ( ! $user ) {
			return 'rights';
		}
		if ( ! Session::is_open( $user, $payload['s'] ) ) {
			return 'expired';
		}
		if ( ! $post ) {
			return 'gone';
		}
		return user_can( $user, 'edit_post', $post->ID ) ? null : 'rights';
	}

	/**
	 * Records that a token is opened. The next request of the visit reads the draft.
	 *
	 * @param Payload $payload
	 * @return WP_REST_Response|WP_Error
	 */
	private static function record_opening( array $payload, string $token ) {
		if ( 'link' === $payload['k'] ) {
			PreviewLinks::count_visit( $payload['p'], $payload['l'] );
		} elseif ( ! PreviewToken::use_up( $token ) ) {
			return Refusal::error_for( 'used' );
		}
		return self::response( array( 'opened' => true ) );
	}

	/** @return WP_REST_Response|WP_Error */
	public static function get_typed_preview( WP_REST_Request $request ) {
		return self::render_draft( self::typed_draft( $request ), 0 );
	}

	/**
	 * @param int $user See PreviewAnswer::build().
	 * @return WP_REST_Response|WP_Error
	 */
	private static function render_draft( Draft $draft, int $user ) {
		try {
			return self::response( PreviewAnswer::build( $draft, Translations::lang_of( $draft->post->ID ), $user ) );
		} catch ( Throwable $error ) {
			// The message can quote the draft, so the log has only the place.
			error_log( 'Pillion: a preview failed with ' . get_class( $error ) . ' at ' . $error->getFile() . ':' . $error->getLine() );
			return Refusal::error_for( 'failed' );
		}
	}

	/** The draft with the unsaved fields that the editor's browser sent. */
	private static function typed_draft( WP_REST_Request $request ): Draft {
		return Draft::from_typed( get_post( self::requested_id( $request ) ), array_intersect_key( $request->get_params(), self::TYPED_FIELDS ) );
	}

	public static function create_token( WP_REST_Request $request ): WP_REST_Response {
		$post  = self::requested_id( $request );
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
