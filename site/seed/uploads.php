<?php
/**
 * Pictures and music of the LOWSUN site, brought into the media library. Apart from the rest of the seed: WordPress makes
 * six sizes of each picture, which takes longer than everything else, and needs nothing of the plugin.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

require_once ABSPATH . 'wp-admin/includes/image.php';
require_once ABSPATH . 'wp-admin/includes/media.php';

/**
 * Uploads by name: the file in `media/`, and what it shows for those who do not see it. An empty text: decoration.
 *
 * @return array<string, array{0: string, 1: string}>
 */
function media(): array {
	return array(
		'hero'                => array( 'hero.webp', 'A lone rider on a mountain road, the sun low behind the ridge' ),
		'hero-portrait'       => array( 'hero-portrait.webp', 'A lone rider on a mountain road, the sun low behind the ridge' ),
		'gold'                => array( 'gold.webp', 'A rider on the valley road, a full sun low over the ridge' ),
		'ember'               => array( 'ember.webp', 'A rider on the valley road under a red sky, half a sun on the ridge, a string of other lamps far ahead' ),
		'night'               => array( 'night.webp', 'A rider in the dark under a thin moon, a string of lamps winding up the pass ahead' ),
		'gold-portrait'       => array( 'gold-portrait.webp', 'A rider on the valley road, a full sun low over the ridge' ),
		'ember-portrait'      => array( 'ember-portrait.webp', 'A rider on the valley road under a red sky, half a sun on the ridge, a string of other lamps far ahead' ),
		'night-portrait'      => array( 'night-portrait.webp', 'A rider in the dark under a thin moon, a string of lamps winding up the pass ahead' ),
		'wheel'               => array( 'wheel.webp', 'Spoked front wheel and drilled brake disc, lit warm from the side' ),
		'lamp'                => array( 'lamp.webp', 'Round headlamp from the front, its rim a bright ring, one of two lenses lit' ),
		'route-map'           => array( 'route-map.webp', 'Contour map of the Hallen Pass' ),
		'night-road'          => array( 'night-road.webp', '' ),
		'night-road-portrait' => array( 'night-road-portrait.webp', '' ),
		'social'              => array( 'social.webp', 'LOWSUN: ride the last light' ),
		'last-light'          => array( 'last-light.mp3', '' ),
		'stop-1'              => array( 'stop-1.webp', 'A rider on the straight road from the landing, the sun behind a telegraph pole' ),
		'stop-2'              => array( 'stop-2.webp', 'The empty road bends towards a low sun, a mountain above it lit from the side' ),
		'stop-3'              => array( 'stop-3.webp', 'A rider on the open road under a deep red sky, snow still lit on the left' ),
		'stop-4'              => array( 'stop-4.webp', 'The empty road at dusk, a moon, and a string of red and white lamps climbing the pass' ),
		'stop-5'              => array( 'stop-5.webp', 'A rider in the last red light, the lamps of others on the road far ahead' ),
		'stop-6'              => array( 'stop-6.webp', 'An empty bend at night, one lamp’s light on it, the lamps of others strung along the valley' ),
	);
}

/**
 * Brings a file of `media/` into the media library, in all of WordPress' sizes.
 *
 * @return int Id of the attachment; 0 where the file is absent.
 */
function upload( string $name, string $file, string $alt ): int {
	// Attachments share the names of pages' addresses, so theirs are kept apart.
	$slug  = "media-$name";
	$known = get_page_by_path( $slug, OBJECT, 'attachment' );
	$from  = __DIR__ . "/media/$file";
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
	// WordPress would make the map's smaller sizes four times as heavy as itself: thin lines on a clear ground come out of
	// its scaling in 256 strengths instead of three.
	$no_sizes = 'route-map' === $name ? '__return_empty_array' : null;
	if ( $no_sizes ) {
		add_filter( 'intermediate_image_sizes_advanced', $no_sizes );
	}
	wp_update_attachment_metadata( $id, wp_generate_attachment_metadata( $id, $to ) );
	if ( $no_sizes ) {
		remove_filter( 'intermediate_image_sizes_advanced', $no_sizes );
	}
	update_post_meta( $id, '_wp_attachment_image_alt', $alt );
	return $id;
}

/**
 * @return array<string, int> Attachment ids by name.
 */
function upload_all(): array {
	// One folder for all, so that the site's addresses are `/media/hero.webp`.
	update_option( 'uploads_use_yearmonth_folders', 0 );
	$ids = array();
	foreach ( media() as $name => $file ) {
		$ids[ $name ] = upload( $name, $file[0], $file[1] );
	}
	return $ids;
}
