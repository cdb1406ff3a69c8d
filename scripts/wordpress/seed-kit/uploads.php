<?php
/**
 * Adds the pictures and the music of a site to the media library. Separate from the rest of the seed, because it takes
 * longest (WordPress creates six sizes of each picture) and needs no plugin.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

require_once ABSPATH . 'wp-admin/includes/image.php';
require_once ABSPATH . 'wp-admin/includes/media.php';

/** The folder with the site's part of the seed: `PILLION_SEED`, or the demo's folder. */
function seed_folder(): string {
	$given = (string) getenv( 'PILLION_SEED' );
	return '' === $given ? dirname( __DIR__, 3 ) . '/site/seed' : rtrim( $given, '/' );
}

/**
 * Adds a file of `media/` to the media library.
 *
 * @param bool $has_sizes Whether WordPress creates smaller sizes.
 * @return int Id of the attachment; 0 if the file is missing.
 */
function upload( string $name, string $file, string $alt, bool $has_sizes ): int {
	// Attachments and pages share slugs, so slugs of attachments have a prefix.
	$slug  = "media-$name";
	$known = get_page_by_path( $slug, OBJECT, 'attachment' );
	$from  = seed_folder() . "/media/$file";
	if ( $known || ! is_file( $from ) ) {
		return $known ? $known->ID : 0;
	}
	$to = wp_upload_dir()['path'] . "/$file";
	copy( $from, $to );
	$id = wp_insert_attachment(
		array(
			'post_title'     => ucfirst( str_replace( '-', ' ', $name ) ),
			'post_name'      => $slug,
			'post_status'    => 'inherit',
			'post_mime_type' => wp_check_filetype( $to )['type'],
		),
		$to
	);
	if ( ! $has_sizes ) {
		add_filter( 'intermediate_image_sizes_advanced', '__return_empty_array' );
	}
	wp_update_attachment_metadata( $id, wp_generate_attachment_metadata( $id, $to ) );
	remove_filter( 'intermediate_image_sizes_advanced', '__return_empty_array' );
	update_post_meta( $id, '_wp_attachment_image_alt', $alt );
	return $id;
}

/**
 * Adds the files of `media.php`. Each entry has a name, the file in `media/`, its description (empty for decoration),
 * and `false` if smaller sizes are not needed.
 *
 * @return array<string, int> Attachment ids by name.
 */
function upload_all(): array {
	// One folder for all files, so that the site's paths are `/media/hero.webp`.
	update_option( 'uploads_use_yearmonth_folders', 0 );
	$ids = array();
	foreach ( require seed_folder() . '/media.php' as $name => $file ) {
		$ids[ $name ] = upload( $name, $file[0], $file[1], $file[2] ?? true );
	}
	return $ids;
}
