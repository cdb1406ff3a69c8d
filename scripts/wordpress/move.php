<?php
/**
 * Moves a local site to another port: WordPress stores full URLs in texts, menus and options. Arguments: path of the
 * site's `wp-load.php`, old URL, new URL.
 */

require __DIR__ . '/request.php';
require $argv[1];

list( , , $old, $new ) = $argv;
global $wpdb;

$like = '%' . $wpdb->esc_like( $old ) . '%';
$wpdb->query( $wpdb->prepare( "UPDATE $wpdb->posts SET post_content = REPLACE( post_content, %s, %s ) WHERE post_content LIKE %s", $old, $new, $like ) );
$wpdb->query( $wpdb->prepare( "UPDATE $wpdb->postmeta SET meta_value = REPLACE( meta_value, %s, %s ) WHERE meta_key = '_menu_item_url' AND meta_value LIKE %s", $old, $new, $like ) );

foreach ( $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_value LIKE %s AND option_name LIKE 'pillion%%'", $like ) ) as $name ) {
	$moved = map_deep(
		get_option( $name ),
		static function ( $value ) use ( $old, $new ) {
			return is_string( $value ) ? str_replace( $old, $new, $value ) : $value;
		}
	);
	update_option( $name, $moved );
}
