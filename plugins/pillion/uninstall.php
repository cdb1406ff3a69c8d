<?php
/**
 * Deletes everything that the plugin stored: texts, forms, keys, sign-ups, redirects, themes, languages and SEO fields
 * of pages. Keeps pages and menus, which belong to the editors.
 */

namespace Pillion;

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Prefixes of the plugin's options. */
const PREFIXES = array( 'pillion_', '_transient_pillion_', '_transient_timeout_pillion_' );

function delete_own_posts(): void {
	global $wpdb;
	// The plugin is not loaded, so WordPress does not know its post types and a query would not find the posts.
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

/** Deletes the meta of pages and media. */
function delete_meta(): void {
	global $wpdb;
	$keys = $wpdb->get_col( $wpdb->prepare( "SELECT DISTINCT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE %s", $wpdb->esc_like( '_pillion_' ) . '%' ) );
	array_map( 'delete_post_meta_by_key', $keys );
}

/** Deletes the files of sign-ups. */
function delete_files(): void {
	$root = wp_upload_dir( null, false )['basedir'] . '/pillion';
	foreach ( (array) glob( "$root/*", GLOB_ONLYDIR ) as $folder ) {
		array_map( 'unlink', (array) glob( "$folder/*" ) );
		rmdir( $folder );
	}
	array_map( 'unlink', array_filter( array( "$root/.htaccess", "$root/index.php", "$root/check.txt" ), 'is_file' ) );
	if ( is_dir( $root ) ) {
		rmdir( $root );
	}
}

/** Deletes the user of the keys, which owns no content. */
function delete_user(): void {
	$id = (int) get_option( 'pillion_key_user', 0 );
	if ( $id && is_multisite() ) {
		require_once ABSPATH . 'wp-admin/includes/ms.php';
		wpmu_delete_user( $id );
	} elseif ( $id ) {
		require_once ABSPATH . 'wp-admin/includes/user.php';
		wp_delete_user( $id );
	}
	remove_role( 'pillion_key' );
}

/**
 * Deletes the table of sign-up ids, and the ids and campaigns at Gravity Forms' entries. Keeps the entries, which belong
 * to the editors.
 */
function delete_intake(): void {
	global $wpdb;
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}pillion_intake" );
	$entry_meta = $wpdb->prefix . 'gf_entry_meta';
	if ( $entry_meta === $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $entry_meta ) ) ) ) {
		$wpdb->query( $wpdb->prepare( "DELETE FROM $entry_meta WHERE meta_key LIKE %s", $wpdb->esc_like( 'pillion_' ) . '%' ) );
	}
}

/** Deletes each user's settings of the preview pane. WordPress stores all preferences of a user in one value. */
function delete_preferences(): void {
	global $wpdb;
	$key   = $wpdb->get_blog_prefix() . 'persisted_preferences';
	$users = $wpdb->get_col( $wpdb->prepare( "SELECT user_id FROM $wpdb->usermeta WHERE meta_key = %s AND meta_value LIKE %s", $key, '%pillion/preview%' ) );
	foreach ( array_map( 'intval', $users ) as $user ) {
		$preferences = get_user_meta( $user, $key, true );
		if ( is_array( $preferences ) ) {
			unset( $preferences['pillion/preview'] );
			update_user_meta( $user, $key, $preferences );
		}
	}
}

function uninstall(): void {
	delete_preferences();
	delete_own_posts();
	delete_meta();
	delete_user();
	delete_intake();
	delete_files();
	delete_options();
	wp_unschedule_hook( 'pillion_send_changes' );
	wp_unschedule_hook( 'pillion_video_posters' );
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
