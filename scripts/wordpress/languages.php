<?php
/**
 * Adds the other languages to the seeded local site.
 */

require __DIR__ . '/request.php';
require $argv[1];
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user( 1 );
require __DIR__ . '/seed-kit/languages.php';
