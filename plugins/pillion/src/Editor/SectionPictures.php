<?php
/**
 * Reads the pictures and films of sections. A block stores an attachment's id, so that its address can change.
 */

namespace Pillion\Editor;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;

final class SectionPictures {

	/**
	 * Loads attachments and their meta in two queries instead of two per attachment.
	 *
	 * @param int[] $ids
	 */
	public static function load( array $ids ): void {
		$ids = array_values( array_unique( array_filter( $ids ) ) );
		if ( $ids ) {
			_prime_post_caches( $ids, false, true );
		}
	}

	/**
	 * One picture.
	 *
	 * @param int $id Attachment id; 0 for none.
	 * @return array{id: int, url: string, alt: string, width: int, height: int, sizes: array[]}|null Sizes in pixels.
	 * Null if the picture does not exist or its size is unknown, because the page reserves its space.
	 */
	public static function read( int $id ): ?array {
		$url = self::exists( $id ) && wp_attachment_is_image( $id ) ? (string) wp_get_attachment_url( $id ) : '';
		if ( '' === $url ) {
			return null;
		}
		$meta = Data::to_array( wp_get_attachment_metadata( $id ) );
		$size = self::size_of( $id, $meta );
		if ( ! $size ) {
			return null;
		}
		return array(
			'id'     => $id,
			'url'    => $url,
			'alt'    => trim( wp_strip_all_tags( (string) get_post_meta( $id, '_wp_attachment_image_alt', true ) ) ),
			'width'  => $size[0],
			'height' => $size[1],
			'sizes'  => self::all_sizes( $url, $size, $meta ),
		);
	}

	/**
	 * One film. The site reports one of a type that it does not serve.
	 *
	 * @param int $id Attachment id; 0 for none.
	 * @return array{id: int, url: string, bytes: int}|null Null if the file does not exist.
	 */
	public static function read_film( int $id ): ?array {
		if ( ! self::exists( $id ) ) {
			return null;
		}
		$file = (string) get_attached_file( $id );
		$meta = wp_get_attachment_metadata( $id );
		return array(
			'id'    => $id,
			'url'   => (string) wp_get_attachment_url( $id ),
			'bytes' => is_file( $file ) ? (int) filesize( $file ) : (int) ( $meta['filesize'] ?? 0 ),
		);
	}

	/** Whether there is an attachment that is not in the trash. */
	private static function exists( int $id ): bool {
		return $id && 'attachment' === get_post_type( $id ) && 'trash' !== get_post_status( $id );
	}

	/** @return int[]|null Width and height in pixels: from WordPress' metadata, or else from the file. */
	private static function size_of( int $id, array $meta ): ?array {
		$size = array( (int) ( $meta['width'] ?? 0 ), (int) ( $meta['height'] ?? 0 ) );
		if ( $size[0] < 1 || $size[1] < 1 ) {
			$size = self::size_of_file( (string) get_attached_file( $id ) );
		}
		return $size && $size[0] > 0 && $size[1] > 0 ? $size : null;
	}

	/** @return int[]|null Size of a file. PHP cannot read the size of an SVG, so its viewBox gives the proportions. */
	private static function size_of_file( string $file ): ?array {
		if ( ! is_file( $file ) ) {
			return null;
		}
		if ( str_ends_with( strtolower( $file ), '.svg' ) ) {
			$head     = (string) file_get_contents( $file, false, null, 0, 4096 );
			$view_box = '/<svg\b[^>]*\bviewBox\s*=\s*["\']\s*\S+[\s,]+\S+[\s,]+([\d.]+)[\s,]+([\d.]+)/i';
			return preg_match( $view_box, $head, $matches ) ? array( (int) round( (float) $matches[1] ), (int) round( (float) $matches[2] ) ) : null;
		}
		$size = wp_getimagesize( $file );
		return $size ? array( (int) $size[0], (int) $size[1] ) : null;
	}

	/**
	 * All files of a picture by ascending width, including the full one. They are in the same folder.
	 *
	 * @param string $url       Of the full picture.
	 * @param int[]  $full_size Its width and height in pixels.
	 * @param array  $meta      WordPress' metadata of the attachment.
	 * @return array<int, array{url: string, width: int, height: int}>
	 */
	private static function all_sizes( string $url, array $full_size, array $meta ): array {
		$files  = array( $url => array( 'url' => $url, 'width' => $full_size[0], 'height' => $full_size[1] ) );
		$folder = substr( $url, 0, (int) strrpos( $url, '/' ) + 1 );
		foreach ( (array) ( $meta['sizes'] ?? array() ) as $size ) {
			if ( ! empty( $size['file'] ) && ! empty( $size['width'] ) && ! empty( $size['height'] ) ) {
				$file_url           = $folder . wp_basename( $size['file'] );
				$files[ $file_url ] = array( 'url' => $file_url, 'width' => (int) $size['width'], 'height' => (int) $size['height'] );
			}
		}
		usort( $files, static fn( array $a, array $b ): int => $a['width'] <=> $b['width'] );
		return $files;
	}
}
