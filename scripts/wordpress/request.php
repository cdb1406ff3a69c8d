<?php
/**
 * WordPress needs a request, which a command-line script does not have.
 */

$_SERVER = array(
	'HTTP_HOST'       => '127.0.0.1:' . getenv( 'WORDPRESS_PORT' ),
	'SERVER_PROTOCOL' => 'HTTP/1.1',
	'REQUEST_METHOD'  => 'GET',
	'REQUEST_URI'     => '/',
) + $_SERVER;
