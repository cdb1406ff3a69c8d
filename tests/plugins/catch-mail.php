<?php
/**
 * Keeps every mail of the temporary site in a file beside it, in place of sending it. A must-use plugin: nothing in
 * wp-admin turns it off.
 */

add_filter(
	'pre_wp_mail',
	static function ( $sent, $mail ) {
		file_put_contents( dirname( ABSPATH ) . '/mails.jsonl', wp_json_encode( $mail ) . "\n", FILE_APPEND | LOCK_EX );
		return true;
	},
	10,
	2
);
