<?php
/**
 * Removes everything the plugin stored: texts, forms, keys, sign-ups, redirects, themes and search words of pages. Pages and menus are the editor's and stay.
 */

namespace Pillion;

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Everything of ours has one of these at its start. */
const PREFIXES = array( 'pillion_', '_transient_pillion_', '_transient_timeout_pillion_' );

function delete_own_posts(): void {
	global $wpdb;
	// The plugin is not loaded here, so WordPress does not know the types and would not find them by a query.
	foreach ( $wpdb->get_col( "SELECT ID FROM $wpdb->posts WHERE post_type IN ( 'pillion_entry', 'pillion_redirect' )" ) as $id ) {
		wp_delete_post( (int) $id, true );
	}
}

function delete_options(): void {
	global $wpdb;
	foreach ( PREFIXES as $prefix ) {
		$names = $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s", $wpdb->esc_like( $prefix ) . '%' ) );
		array_map( 'delete_option', $names );
	}
}

/** What visitors sent along. */
function delete_files(): void {
	$root = wp_upload_dir( null, false )['basedir'] . '/pillion';
	foreach ( (array) glob( "$root/*", GLOB_ONLYDIR ) as $folder ) {
		array_map( 'unlink', (array) glob( "$folder/*" ) );
		rmdir( $folder );
	}
	array_map( 'unlink', array_filter( array( "$root/.htaccess", "$root/index.php" ), 'is_file' ) );
	if ( is_dir( $root ) ) {
		rmdir( $root );
	}
}

function uninstall(): void {
	delete_own_posts();
	delete_files();
	delete_options();
	delete_post_meta_by_key( '_pillion_theme' );
	wp_unschedule_hook( 'pillion_send_changes' );
	foreach ( array( 'title', 'description', 'picture', 'noindex' ) as $part ) {
		delete_post_meta_by_key( "_pillion_found_$part" );
	}
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $site_id ) {
		switch_to_blog( $site_id );
		uninstall();
		restore_current_blog();
	}
} else {
	uninstall();
}
