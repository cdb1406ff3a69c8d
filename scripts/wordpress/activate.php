<?php
/**
 * Activates the plugin. Separate from the seed, because WordPress must restart with the plugin.
 */

require __DIR__ . '/request.php';
require $argv[1];
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user( 1 );

$error = activate_plugin( 'pillion/pillion.php' );
if ( is_wp_error( $error ) ) {
	fwrite( STDERR, $error->get_error_message() . "\n" );
	exit( 1 );
}
