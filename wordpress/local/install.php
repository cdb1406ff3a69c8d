<?php
/**
 * Installs a local WordPress (admin / admin) and switches the plugin on. Prints what came of it as JSON. Run by PHP's
 * command line, with the path of the site's `wp-load.php`.
 */

require __DIR__ . '/request.php';

define( 'WP_INSTALLING', true );
require $argv[1];
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

if ( ! is_blog_installed() ) {
	wp_install( 'LOWSUN', 'admin', 'admin@example.org', true, '', 'admin' );
	// Nobody's first page is to be "Sample Page".
	foreach ( get_posts( array( 'post_type' => array( 'post', 'page' ), 'post_status' => 'any', 'numberposts' => -1 ) ) as $sample ) {
		wp_delete_post( $sample->ID, true );
	}
}
$error = activate_plugin( 'pillion/pillion.php' );
if ( is_wp_error( $error ) ) {
	fwrite( STDERR, $error->get_error_message() . "\n" );
	exit( 1 );
}
echo json_encode(
	array(
		'wordpress' => $GLOBALS['wp_version'],
		'database'  => defined( 'DB_ENGINE' ) && 'sqlite' === DB_ENGINE ? 'SQLite' : $GLOBALS['wpdb']->db_server_info(),
	)
);
