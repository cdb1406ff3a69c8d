<?php
/**
 * What the site, and the editor's browser, are told of a draft: the page as WordPress would answer it were it published, and
 * what a visitor never learns, such as when it was saved.
 */

namespace Pillion\Preview;

use Pillion\Content\Routes;
use Pillion\Editor\Sections;
use Pillion\Editor\SectionTree;
use WP_Post;
use WP_REST_Posts_Controller;
use WP_REST_Request;

final class PreviewAnswer {
	/** What the site reads of a page (packages/content/src/wordpress/endpoints.ts); `sections` are read here, with where they come from. */
	const FIELDS = array( 'id', 'status', 'title', 'content', 'excerpt', 'template', 'acf', 'picture', 'found', 'yoast_head_json' );

	/** Names of states that a preview says; a plugin's own count as a draft. */
	const STATES = array( 'draft', 'pending', 'future', 'private', 'publish', 'trash' );

	/**
	 * @param int $user Whose other drafts are named; 0: none, since links lead nowhere or for others.
	 * @return array<string, mixed>
	 */
	public static function of( Draft $draft, string $lang, int $user = 0 ): array {
		$make  = static function () use ( $draft, $lang ): array {
			return array(
				'route' => Routes::route( $draft->post, $lang ),
			) + self::page( $draft->post, $lang );
		};
		$shown = Embeds::remember(
			static function () use ( $draft, $make ): array {
				return Sandbox::run( $draft->post, $draft->meta, $make );
			}
		);
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

	/** Scheme, host and port of an address. */
	public static function origin( string $url ): string {
		$parts = wp_parse_url( $url );
		$parts = is_array( $parts ) ? $parts : array();
		return ( $parts['scheme'] ?? '' ) . '://' . ( $parts['host'] ?? '' ) . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
	}

	/**
	 * The answer of `wp/v2` for one post, made by the same code of WordPress.
	 *
	 * @return array{page: array<string, mixed>, blocks: int[]}
	 */
	private static function page( WP_Post $post, string $lang ): array {
		$type       = get_post_type_object( $post->post_type );
		$controller = $type ? $type->get_rest_controller() : null;
		$request    = new WP_REST_Request( 'GET', rest_get_route_for_post( $post ) );
		$request->set_query_params( array( 'context' => 'view', '_fields' => implode( ',', self::FIELDS ), 'lang' => $lang ) );
		// Plugins add their fields when they see what is asked for: Advanced Custom Fields does.
		apply_filters( 'rest_pre_dispatch', null, rest_get_server(), $request );
		$page   = $controller instanceof WP_REST_Posts_Controller ? (array) $controller->prepare_item_for_response( $post, $request )->get_data() : array();
		if ( isset( $page['title'] ) ) {
			// WordPress looks it up by the number of the post; this is right behind any cache.
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

	/**
	 * @return array{status: string, saved: string, clock: string, date: string|null, kind: string, title: string}
	 */
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
