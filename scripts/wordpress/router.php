<?php
/**
 * Router of PHP's built-in server: serves files, passes other requests to WordPress, and answers hidden files with 404.
 */

$root = $_SERVER['DOCUMENT_ROOT'];
$path = rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );

if ( preg_match( '~(^|/)\.~', $path ) || false !== strpos( $path, "\0" ) ) {
	http_response_code( 404 );
	return true;
}
if ( '/' !== $path && is_dir( $root . $path ) && is_file( rtrim( $root . $path, '/' ) . '/index.php' ) ) {
	if ( '/' !== substr( $path, -1 ) ) {
		header( "Location: $path/", true, 301 );
		return true;
	}
	$path .= 'index.php';
}
if ( '/' !== $path && is_file( $root . $path ) && '.php' !== substr( $path, -4 ) ) {
	return false;
}
$script = '/' !== $path && is_file( $root . $path ) ? $path : '/index.php';

$_SERVER['SCRIPT_NAME']     = $script;
$_SERVER['PHP_SELF']        = $script;
$_SERVER['SCRIPT_FILENAME'] = $root . $script;
// For a folder with an index.php, PHP's server sets PATH_INFO to the rest of the path.
unset( $_SERVER['PATH_INFO'] );
chdir( dirname( $root . $script ) );
require $root . $script;
