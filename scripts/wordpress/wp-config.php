<?php
/**
 * Configuration of the local WordPress. Values that differ between sites come from the environment
 * (scripts/lib/wordpress-site.mjs sets it), so a site can be copied and started on another port.
 */

$site = dirname( __DIR__ );
$salt = (string) file_get_contents( "$site/salt" );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as $name ) {
	define( $name, hash( 'sha256', $name . $salt ) );
}

define( 'WP_HOME', 'http://127.0.0.1:' . getenv( 'WORDPRESS_PORT' ) );
define( 'WP_SITEURL', WP_HOME );

// SQLite database, outside the web root.
define( 'DB_DIR', "$site/database/" );
define( 'DB_FILE', 'wordpress.sqlite' );
// MySQL, used without the SQLite drop-in.
define( 'DB_NAME', getenv( 'WORDPRESS_DB_NAME' ) ? getenv( 'WORDPRESS_DB_NAME' ) : 'wordpress' );
define( 'DB_USER', getenv( 'WORDPRESS_DB_USER' ) ? getenv( 'WORDPRESS_DB_USER' ) : 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', getenv( 'WORDPRESS_DB_HOST' ) ? getenv( 'WORDPRESS_DB_HOST' ) : 'localhost' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
$table_prefix = 'wp_';

// Allows application passwords over http.
define( 'WP_ENVIRONMENT_TYPE', 'local' );
// Blocks external requests, updates and cron.
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost' );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'DISABLE_WP_CRON', true );

// Errors go to the site's log and never into a response.
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', "$site/debug.log" );

if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
