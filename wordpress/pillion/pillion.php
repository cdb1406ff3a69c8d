<?php
/**
 * Plugin Name:       Pillion
 * Description:       What a Pillion site needs of WordPress: routes, menus and texts over REST, sections as blocks, page templates by name, forms, and keys for the site's server.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           MIT
 * Text Domain:       pillion
 */

namespace Pillion;

defined( 'ABSPATH' ) || exit;

const VERSION = '0.1.0';

/** One class per area; each hooks itself in from `register()`. An area whose file is absent is left out. */
const AREAS = array(
	'Admin',
	'Keys',
	'Menus',
	'Strings',
	'StringsPage',
	'Routes',
	'Redirects',
	'Acf',
	'Templates',
	'Excerpts',
	'SharePicture',
	'Found',
	'Forms',
	'FormsPage',
	'GravityForms',
	'Entries',
	'EntryFiles',
	'EntriesList',
	'EntriesPrivacy',
	'Sections',
	'Changes',
	'Receipts',
	'SitePage',
);

spl_autoload_register(
	static function ( string $name ): void {
		$file = __DIR__ . '/src/' . str_replace( '\\', '/', substr( $name, strlen( __NAMESPACE__ ) + 1 ) ) . '.php';
		if ( 0 === strpos( $name, __NAMESPACE__ . '\\' ) && is_file( $file ) ) {
			require $file;
		}
	}
);

foreach ( AREAS as $area ) {
	$class = __NAMESPACE__ . '\\' . $area;
	if ( class_exists( $class ) ) {
		( new $class() )->register();
	}
}
