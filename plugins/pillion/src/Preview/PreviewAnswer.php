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
use Pillion\Languages\Translations;
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

	/** Maximum number of paths of other drafts; the latest ones are used. */
	const MAX_DRAFTS = 200;

	/** States that a preview shows. States of plugins count as drafts. */
	const STATES = array( 'draft', 'pending', 'future', 'private', 'publish', 'trash' );

	/**
	 * @param int $user User whose other drafts are listed; 0: none, because links are disabled or the viewer is not
	 * this user.
	 */
	public static function build( Draft $draft, string $lang, int $user = 0 ): array {
		$render = static function () use ( $draft, $lang ): array {
			return array( 'route' => Routes::to_route( $draft->post, $lang ) ) + self::page_and_blocks( $draft->post, $lang );
		};
		$rendered = Embeds::run_cached( static fn(): array => Sandbox::run( $draft->post, $draft->meta, $render ) );
		return array(
			'page'   => $rendered['page'],
			'blocks' => $rendered['blocks'],
			'route'  => $rendered['route'],
			'state'  => self::state( $draft, $rendered['route']['title'] ),
			'live'   => Routes::path_of( $draft->saved->ID ),
			'drafts' => (object) ( $user ? self::draft_ids_by_path( $user, $draft->saved->ID ) : array() ),
			'editor' => self::origin( admin_url() ),
		);
	}

	/** Scheme, host and port of a URL. */
	public static function origin( string $url ): string {
		$parts = Data::to_array( wp_parse_url( $url ) );
		return ( $parts['scheme'] ?? '' ) . '://' . ( $parts['host'] ?? '' ) . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
	}

	/**
	 * The `wp/v2` response for one post, made by WordPress' own controller.
	 *
	 * @return array{page: array<string, mixed>, blocks: int[]} `blocks`: see SectionTree::sources().
	 */
	private static function page_and_blocks( WP_Post $post, string $lang ): array {
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

	/**
	 * Times are local times of WordPress: `saved` and `clock` (hours and minutes) of the last save, `date` when a scheduled
	 * post is due.
	 *
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

	/**
	 * Other unpublished posts, for links inside a preview.
	 *
	 * @param int $user   User who may edit the posts.
	 * @param int $except The previewed post.
	 * @return array<string, int> Post id by the path that it would have.
	 */
	private static function draft_ids_by_path( int $user, int $except ): array {
		$paths = array();
		foreach ( array_merge( self::unpublished_posts(), self::autosaved_posts( $user ) ) as $post ) {
			if ( $post->ID !== $except && count( $paths ) < self::MAX_DRAFTS && user_can( $user, 'edit_post', $post->ID ) ) {
				$paths += array( self::expected_path( $post ) => $post->ID );
			}
		}
		return $paths;
	}

	/** @return WP_Post[] */
	private static function unpublished_posts(): array {
		return get_posts(
			array(
				'post_type'              => Routes::types(),
				'post_status'            => array( 'draft', 'pending', 'future', 'private' ),
				'numberposts'            => self::MAX_DRAFTS,
				// All languages of Polylang.
				'lang'                   => '',
				'orderby'                => 'modified',
				'order'                  => 'DESC',
				// With Polylang a page's language is a term; else it is meta.
				'update_post_term_cache' => Translations::are_elsewhere(),
			)
		);
	}

	/** @return WP_Post[] Published posts with an autosave of this user that is newer than the saved post. */
	private static function autosaved_posts( int $user ): array {
		global $wpdb;
		$query = "SELECT page.ID FROM $wpdb->posts AS page JOIN $wpdb->posts AS autosave ON autosave.post_parent = page.ID
			WHERE autosave.post_type = 'revision' AND autosave.post_author = %d AND autosave.post_name LIKE %s
			AND page.post_status = 'publish' AND autosave.post_modified_gmt > page.post_modified_gmt
			ORDER BY autosave.post_modified_gmt DESC LIMIT %d";
		$ids   = array_map( 'intval', $wpdb->get_col( $wpdb->prepare( $query, $user, '%-autosave-v1', self::MAX_DRAFTS ) ) );
		return array_filter( array_map( array( Draft::class, 'find' ), $ids ) );
	}

	/** Does not check whether another post has the slug: that would need a query per post. */
	private static function expected_path( WP_Post $post ): string {
		$values                = get_object_vars( $post );
		$values['post_status'] = 'publish';
		$values['filter']      = 'raw';
		$values['post_name']   = '' !== $post->post_name ? $post->post_name : sanitize_title( $post->post_title, (string) $post->ID );
		return Routes::path_as_published( new WP_Post( (object) $values ) );
	}
}
