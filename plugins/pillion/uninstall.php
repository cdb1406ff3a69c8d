<?php
/**
 * Removes everything the plugin stored: texts, forms, keys, sign-ups, redirects, themes, languages and search words of pages. Pages and menus are the editor's and stay.
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

/** The user of the keys. It wrote nothing that is to stay. */
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

/** Which sign-ups came, and their ids at Gravity Forms' entries; the entries are the editor's and stay. */
function delete_intake(): void {
	global $wpdb;
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}pillion_intake" );
	$entry_meta = $wpdb->prefix . 'gf_entry_meta';
	if ( $entry_meta === $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $entry_meta ) ) ) ) {
		$wpdb->query( "DELETE FROM $entry_meta WHERE meta_key = 'pillion_sign_up_id'" );
	}
}

/** How each user looks at the site beside the editor; WordPress keeps all preferences of a user in one place. */
function delete_preferences(): void {
	global $wpdb;
	$key   = $wpdb->get_blog_prefix() . 'persisted_preferences';
	$users = $wpdb->get_col( $wpdb->prepare( "SELECT user_id FROM $wpdb->usermeta WHERE meta_key = %s AND meta_value LIKE %s", $key, '%pillion/preview%' ) );
	foreach ( array_map( 'intval', $users ) as $user ) {
		$kept = get_user_meta( $user, $key, true );
		if ( is_array( $kept ) ) {
			unset( $kept['pillion/preview'] );
			update_user_meta( $user, $key, $kept );
		}
	}
}

function uninstall(): void {
	delete_preferences();
	delete_own_posts();
	delete_user();
	delete_intake();
	delete_files();
	delete_options();
	delete_post_meta_by_key( '_pillion_theme' );
	delete_post_meta_by_key( '_pillion_lang' );
	delete_post_meta_by_key( '_pillion_translation_of' );
	delete_post_meta_by_key( '_pillion_to_translate' );
	delete_post_meta_by_key( '_pillion_preview_links' );
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
