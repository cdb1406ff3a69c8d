<?php
/**
 * Runs PHP from standard input in the local site as its administrator, for tests that need more than REST routes.
 */

require __DIR__ . '/request.php';
require $argv[1];
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user( 1 );
eval( stream_get_contents( STDIN ) );
