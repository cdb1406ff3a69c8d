<?php
/**
 * Writes every mail of the temporary site to a file instead of sending it. It is a must-use plugin, so that wp-admin
 * cannot deactivate it.
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
