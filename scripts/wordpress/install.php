<?php
/**
 * Installs a local WordPress (admin / admin) with the uploads of the site, which take longest. Prints the result as
 * JSON. Run by PHP's command line with the path of the site's `wp-load.php`.
 */

require __DIR__ . '/request.php';

define( 'WP_INSTALLING', true );
require $argv[1];
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

if ( ! is_blog_installed() ) {
	wp_install( 'Pillion', 'admin', 'admin@example.org', true, '', 'admin' );
	// Deletes WordPress' sample content.
	foreach ( get_posts( array( 'post_type' => array( 'post', 'page' ), 'post_status' => 'any', 'numberposts' => -1 ) ) as $sample ) {
		wp_delete_post( $sample->ID, true );
	}
}
if ( 'empty' !== getenv( 'PILLION_SEED' ) ) {
	require __DIR__ . '/seed-kit/uploads.php';
	Pillion\Seed\upload_all();
}

echo json_encode(
	array(
		'wordpress' => $GLOBALS['wp_version'],
		'database'  => defined( 'DB_ENGINE' ) && 'sqlite' === DB_ENGINE ? 'SQLite' : $GLOBALS['wpdb']->db_server_info(),
	)
);
