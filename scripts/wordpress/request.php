<?php
/**
 * WordPress needs a request, which a command-line script does not have.
 */

$_SERVER = array(
	'HTTP_HOST'       => '127.0.0.1:' . getenv( 'WORDPRESS_PORT' ),
	'SERVER_PROTOCOL' => 'HTTP/1.1',
	'REQUEST_METHOD'  => 'GET',
	// A blog of a network in folders has a path.
	'REQUEST_URI'     => getenv( 'WORDPRESS_PATH' ) ? getenv( 'WORDPRESS_PATH' ) : '/',
) + $_SERVER;
