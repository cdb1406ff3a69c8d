<?php
/**
 * Configuration of the local WordPress. What differs from one site to the next comes from its environment
 * (scripts/lib/wordpress-site.mjs sets it), so a site can be copied and started on another port.
 */

$site = dirname( __DIR__ );
$salt = (string) file_get_contents( "$site/salt" );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as $name ) {
	define( $name, hash( 'sha256', $name . $salt ) );
}

define( 'WP_HOME', 'http://127.0.0.1:' . getenv( 'WORDPRESS_PORT' ) );
define( 'WP_SITEURL', WP_HOME );

// SQLite: outside the folder that is served.
define( 'DB_DIR', "$site/database/" );
define( 'DB_FILE', 'wordpress.sqlite' );
// MySQL, where the drop-in for SQLite is absent.
define( 'DB_NAME', getenv( 'WORDPRESS_DB_NAME' ) ? getenv( 'WORDPRESS_DB_NAME' ) : 'wordpress' );
define( 'DB_USER', getenv( 'WORDPRESS_DB_USER' ) ? getenv( 'WORDPRESS_DB_USER' ) : 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', getenv( 'WORDPRESS_DB_HOST' ) ? getenv( 'WORDPRESS_DB_HOST' ) : 'localhost' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
$table_prefix = 'wp_';

// Application passwords over plain http.
define( 'WP_ENVIRONMENT_TYPE', 'local' );
// Nothing leaves this machine, and nothing runs but what was asked for.
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost' );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'DISABLE_WP_CRON', true );

// Errors go to the site's log, never into an answer.
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', "$site/debug.log" );

if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
