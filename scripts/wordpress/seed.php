<?php
/**
 * Fills the local site with its content, unless it must be empty, and creates credentials for scripts; prints them as
 * JSON. Separate from the installation, because WordPress must have started with the plugin.
 */

require __DIR__ . '/request.php';
require $argv[1];
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user( 1 );
if ( 'empty' === getenv( 'PILLION_SEED' ) ) {
	$GLOBALS['wp_rewrite']->set_permalink_structure( '/%postname%/' );
	flush_rewrite_rules( false );
	Pillion\Access\Keys::add( '00000000-0000-4000-8000-000000000001', 'ck_pillion_development', 'cs_pillion_development', 'Local development', 1 );
} else {
	require __DIR__ . ( getenv( 'PILLION_SEED_LANGUAGES' ) ? '/seed-kit/languages.php' : '/seed-kit/seed.php' );
}

// The editor's welcome guide covers the page.
update_user_meta( 1, $GLOBALS['wpdb']->get_blog_prefix() . 'persisted_preferences', array( 'core/edit-post' => array( 'welcomeGuide' => false ), '_modified' => gmdate( 'c' ) ) );

// A password for tests that write over REST. Created again on each run, because WordPress stores only its hash.
WP_Application_Passwords::delete_all_application_passwords( 1 );
list( $password ) = WP_Application_Passwords::create_new_application_password( 1, array( 'name' => 'local scripts' ) );
echo wp_json_encode( array( 'password' => $password ) );
