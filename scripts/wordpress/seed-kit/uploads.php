<?php
/**
 * Brings the pictures and the music of a site into the media library. Apart from the rest of the seed: WordPress makes
 * six sizes of each picture, which takes longer than everything else, and needs nothing of the plugin.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

require_once ABSPATH . 'wp-admin/includes/image.php';
require_once ABSPATH . 'wp-admin/includes/media.php';

/**
 * The folder that holds the site's own part of the seed: `PILLION_SEED`, or the demo's.
 */
function seed_folder(): string {
	$given = (string) getenv( 'PILLION_SEED' );
	return '' === $given ? dirname( __DIR__, 3 ) . '/site/seed' : rtrim( $given, '/' );
}

/**
 * Brings a file of `media/` into the media library.
 *
 * @param bool $has_sizes Whether WordPress makes its smaller sizes of it.
 * @return int Id of the attachment; 0 where the file is absent.
 */
function upload( string $name, string $file, string $alt, bool $has_sizes ): int {
	// Attachments share the names of pages' addresses, so theirs have a prefix.
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
 * Brings in what `media.php` names: by its name, the file in `media/`, what it shows for those who do not see it (empty:
 * decoration), and `false` where it is used in its own size alone.
 *
 * @return array<string, int> Attachment ids by name.
 */
function upload_all(): array {
	// One folder for all, so that the site's addresses are `/media/hero.webp`.
	update_option( 'uploads_use_yearmonth_folders', 0 );
	$ids = array();
	foreach ( require seed_folder() . '/media.php' as $name => $file ) {
		$ids[ $name ] = upload( $name, $file[0], $file[1], $file[2] ?? true );
	}
	return $ids;
}
