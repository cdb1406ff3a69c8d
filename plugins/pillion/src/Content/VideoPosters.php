<?php
/**
 * Posters of embedded YouTube and Vimeo videos, in the media library. The site shows a poster until the visitor plays
 * the video, so that the browser requests nothing from the video's host before.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Site\Changes;
use WP_Post;

final class VideoPosters {
	/** Meta of a poster: the address of its video. */
	const META = '_pillion_poster_of';

	/** Scheduled event that downloads the posters of a post. */
	const EVENT = 'pillion_video_posters';

	/** Only addresses of these hosts: others could lead anywhere. */
	const HOSTS = '#^https?://(?:[\w-]+\.)?(?:youtube\.com|youtu\.be|vimeo\.com)/#i';

	/** Hosts of the posters themselves. */
	const POSTER_HOSTS = '#^https://(?:[\w-]+\.)?(?:ytimg\.com|vimeocdn\.com)/#i';

	/** Longest download of a poster. */
	const TIMEOUT_SECONDS = 15;

	public function register(): void {
		add_action( 'save_post', array( $this, 'schedule_download' ), 10, 2 );
		add_action( self::EVENT, array( $this, 'download_missing' ) );
		add_filter( 'render_block_core/embed', array( $this, 'add_poster' ), 10, 2 );
	}

	/** Schedules the download: a save must not wait for another host. */
	public function schedule_download( int $id, WP_Post $post ): void {
		if ( 'publish' !== $post->post_status || array() === self::urls_without_poster( $post->post_content ) ) {
			return;
		}
		if ( false === wp_next_scheduled( self::EVENT, array( $id ) ) ) {
			wp_schedule_single_event( time(), self::EVENT, array( $id ) );
		}
	}

	/** Downloads the missing posters of a post. A video that its host does not describe stays without one. */
	public function download_missing( int $id ): void {
		$post = get_post( $id );
		foreach ( $post instanceof WP_Post ? self::urls_without_poster( $post->post_content ) : array() as $url ) {
			$data   = _wp_oembed_get_object()->get_data( $url );
			$poster = is_object( $data ) && isset( $data->thumbnail_url ) ? (string) $data->thumbnail_url : '';
			$title  = is_object( $data ) && isset( $data->title ) ? (string) $data->title : '';
			if ( 1 === preg_match( self::POSTER_HOSTS, $poster ) && self::store_poster( $poster, $url, $title, $id ) ) {
				// Every page that shows the video: the block can be in a pattern.
				Changes::note( 'embed' );
			}
		}
	}

	/** Adds the poster to the player's frame, where the site reads it. */
	public function add_poster( string $html, array $block ): string {
		$url    = self::video_url( $block );
		$poster = null === $url ? null : self::poster_of( $url );
		$src    = null === $poster ? false : wp_get_attachment_image_url( $poster, 'large' );
		if ( false === $src ) {
			return $html;
		}
		return (string) preg_replace( '/<iframe\b/', '<iframe data-poster="' . esc_url( $src ) . '"', $html, 1 );
	}

	private static function video_url( array $block ): ?string {
		$url = 'core/embed' === ( $block['blockName'] ?? '' ) ? (string) ( $block['attrs']['url'] ?? '' ) : '';
		return 1 === preg_match( self::HOSTS, $url ) ? $url : null;
	}

	/** @return string[] Addresses of the videos without a poster. */
	private static function urls_without_poster( string $content ): array {
		if ( ! has_block( 'core/embed', $content ) ) {
			return array();
		}
		$blocks = parse_blocks( $content );
		$urls   = array();
		while ( $blocks ) {
			$block  = array_shift( $blocks );
			$url    = self::video_url( $block );
			$blocks = array_merge( $blocks, $block['innerBlocks'] );
			if ( null !== $url && null === self::poster_of( $url ) ) {
				$urls[] = $url;
			}
		}
		return array_unique( $urls );
	}

	private static function poster_of( string $url ): ?int {
		$ids = get_posts(
			array(
				'post_type'   => 'attachment',
				'numberposts' => 1,
				'fields'      => 'ids',
				'meta_key'    => self::META,
				'meta_value'  => $url,
			)
		);
		return $ids ? (int) $ids[0] : null;
	}

	private static function store_poster( string $poster, string $url, string $title, int $parent_id ): bool {
		require_once ABSPATH . 'wp-admin/includes/file.php';
		require_once ABSPATH . 'wp-admin/includes/media.php';
		require_once ABSPATH . 'wp-admin/includes/image.php';
		$path = download_url( $poster, self::TIMEOUT_SECONDS );
		if ( is_wp_error( $path ) ) {
			return false;
		}
		$extension = array_search( wp_get_image_mime( $path ), wp_get_mime_types(), true );
		if ( false === $extension ) {
			wp_delete_file( $path );
			return false;
		}
		$file = array(
			'name'     => sanitize_title( $title, 'video' ) . '.' . strtok( $extension, '|' ),
			'tmp_name' => $path,
		);
		$id   = media_handle_sideload( $file, $parent_id, $title );
		if ( is_wp_error( $id ) ) {
			wp_delete_file( $path );
			return false;
		}
		update_post_meta( $id, self::META, $url );
		return true;
	}
}
