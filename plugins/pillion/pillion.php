<?php
/**
 * Plugin Name:       Pillion
 * Description:       Connects WordPress with a Pillion site: routes, menus and texts over REST, sections as blocks, page templates, forms, and keys for the site's server.
 * Version:           1.0.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * Author:            The Pillion developers
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       pillion
 * Domain Path:       /languages
 */

namespace Pillion;

defined( 'ABSPATH' ) || exit;

const VERSION = '1.0.0';

/** The main file, for `plugins_url()`. */
const PLUGIN_FILE = __FILE__;

const DIRECTORY = __DIR__;

/**
 * Classes whose `register()` adds their hooks. They are listed because finding them would load every class on every
 * request. The order matters for hooks of one priority.
 */
const AREAS = array(
	Lib\Admin::class,
	Site\Addresses::class,
	Access\Keys::class,
	Access\Uncached::class,
	Content\Menus::class,
	Content\Strings::class,
	Content\StringsPage::class,
	Content\LookPage::class,
	Content\Routes::class,
	Languages\Translations::class,
	Languages\Claims::class,
	Languages\LanguageBox::class,
	Languages\ToDo::class,
	Languages\LanguagesPage::class,
	Redirects\Redirects::class,
	Content\PageTheme::class,
	Content\Templates::class,
	Content\VideoPosters::class,
	Content\Seo::class,
	Content\PushedContent::class,
	Forms\Forms::class,
	Forms\FormsPage::class,
	Forms\Gravity\GravityForms::class,
	Forms\Gravity\GravityCheck::class,
	Forms\Gravity\Submissions::class,
	Forms\Gravity\GravityAttribution::class,
	Forms\Entries\Entries::class,
	Forms\Entries\EntryFiles::class,
	Forms\Entries\EntriesList::class,
	Forms\Entries\EntriesPrivacy::class,
	Forms\Entries\DeliveryProblems::class,
	Editor\Sections::class,
	Destinations\Destinations::class,
	Site\Changes::class,
	Site\Receipts::class,
	Site\Diagnostics::class,
	Forms\Gravity\TrialSignUp::class,
	Site\SitePage::class,
	Preview\Preview::class,
	Preview\PreviewLinks::class,
	Preview\PreviewAddress::class,
	Preview\DuePosts::class,
	Preview\EditorScripts::class,
);

spl_autoload_register(
	static function ( string $name ): void {
		$file = __DIR__ . '/src/' . str_replace( '\\', '/', substr( $name, strlen( __NAMESPACE__ ) + 1 ) ) . '.php';
		if ( str_starts_with( $name, __NAMESPACE__ . '\\' ) && is_file( $file ) ) {
			require $file;
		}
	}
);

// Before WordPress 6.8 a plugin names its folder of translations. Other callbacks of `init` use texts.
add_action(
	'init',
	static function (): void {
		load_plugin_textdomain( 'pillion', false, dirname( plugin_basename( PLUGIN_FILE ) ) . '/languages' );
	},
	0
);

foreach ( AREAS as $area ) {
	// During an update files are copied one by one, so a class can be missing. WordPress must still run.
	if ( class_exists( $area ) ) {
		( new $area() )->register();
	}
}
