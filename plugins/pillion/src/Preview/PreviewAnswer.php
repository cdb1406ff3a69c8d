<?php
/**
 * The data of a draft for the site and the editor's browser: WordPress' response as if the post were published, and its
 * state, such as when it was saved.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Editor\Sections;
use Pillion\Editor\SectionTree;
use Pillion\Lib\Data;
use WP_Post;
use WP_REST_Posts_Controller;
use WP_REST_Request;

final class PreviewAnswer {
	/**
	 * Fields that the site reads of a page (packages/content/src/wordpress/endpoints.ts). `sections` are added below,
	 * with their blocks.
	 */
	const FIELDS = array( 'id', 'status', 'title', 'content', 'excerpt', 'template', 'acf', 'picture', 'found', 'yoast_head_json' );

	/** States that a preview shows. States of plugins count as drafts. */
	const STATES = array( 'draft', 'pending', 'future', 'private', 'publish', 'trash' );

	/**
	 * @param int $user User whose other drafts are listed; 0: none, because links are disabled or the viewer is not
	 * this user.
	 */
	public static function of( Draft $draft, string $lang, int $user = 0 ): array {
		$make  = static function () use ( $draft, $lang ): array {
			return array(
				'route' => Routes::route( $draft->post, $lang ),
			) + self::page( $draft->post, $lang );
		};
		$shown = Embeds::remember( static fn(): array => Sandbox::run( $draft->post, $draft->meta, $make ) );
		return array(
			'page'   => $shown['page'],
			'blocks' => $shown['blocks'],
			'route'  => $shown['route'],
			'state'  => self::state( $draft, $shown['route']['title'] ),
			'live'   => Routes::path_of( $draft->saved->ID ),
			'drafts' => (object) ( $user ? OtherDrafts::of( $user, $draft->saved->ID ) : array() ),
			'editor' => self::origin( admin_url() ),
		);
	}

	/** Scheme, host and port of a URL. */
	public static function origin( string $url ): string {
		$parts = wp_parse_url( $url );
		$parts = Data::members( $parts );
		return ( $parts['scheme'] ?? '' ) . '://' . ( $parts['host'] ?? '' ) . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
	}

	/**
	 * The `wp/v2` response for one post, made by WordPress' own controller.
	 *
	 * @return array{page: array<string, mixed>, blocks: int[]}
	 */
	private static function page( WP_Post $post, string $lang ): array {
		$type       = get_post_type_object( $post->post_type );
		$controller = $type ? $type->get_rest_controller() : null;
		$request    = new WP_REST_Request( 'GET', rest_get_route_for_post( $post ) );
		$request->set_query_params( array( 'context' => 'view', '_fields' => implode( ',', self::FIELDS ), 'lang' => $lang ) );
		// Plugins such as Advanced Custom Fields add their fields in this filter.
		apply_filters( 'rest_pre_dispatch', null, rest_get_server(), $request );
		$page   = $controller instanceof WP_REST_Posts_Controller ? (array) $controller->prepare_item_for_response( $post, $request )->get_data() : array();
		if ( isset( $page['title'] ) ) {
			// WordPress reads the title by the post's id, and an object cache could return the saved one.
			$page['title']['rendered'] = get_the_title( $post );
		}
		$page  += array( 'id' => $post->ID, 'status' => 'publish', 'yoast_head_json' => null );
		$blocks = array();
		if ( in_array( $post->post_type, Sections::POST_TYPES, true ) ) {
			$tree             = new SectionTree();
			$page['sections'] = $tree->read( $post->post_content );
			$blocks           = $tree->sources();
		}
		return compact( 'page', 'blocks' );
	}

	/** @return array{status: string, saved: string, clock: string, date: string|null, kind: string, title: string} */
	private static function state( Draft $draft, string $title ): array {
		$status = $draft->saved->post_status;
		$kind   = 'publish' === $status ? 'unchanged' : 'saved';
		return array(
			'status' => in_array( $status, self::STATES, true ) ? $status : 'draft',
			'saved'  => (string) get_date_from_gmt( $draft->saved_at, 'c' ),
			'clock'  => (string) get_date_from_gmt( $draft->saved_at, 'H:i' ),
			'date'   => 'future' === $status ? (string) get_date_from_gmt( $draft->saved->post_date_gmt, 'c' ) : null,
			'kind'   => $draft->is_unsaved ? 'autosave' : $kind,
			'title'  => $title,
		);
	}
}
