<?php
/**
 * Checks that WordPress can make itself. The site's doctor checks more from outside; the same screen starts it.
 */

namespace Pillion\Site;

defined( 'ABSPATH' ) || exit;

use Pillion\Access\Keys;
use Pillion\Content\Menus;
use Pillion\Content\Strings;
use Pillion\Forms\Forms;
use Pillion\Lib\Language;

use const Pillion\VERSION;

/** @phpstan-type Finding array{group: string, name: string, state: string, says: string, todo: string} */
final class SelfCheck {
	/** The oldest PHP version with security fixes. */
	const SAFE_PHP = '8.2';

	/** @return Finding[] */
	public static function all(): array {
		return array_merge(
			array( self::versions(), self::permalinks(), self::keys(), self::front_page(), self::texts() ),
			self::menus(),
			array( self::gravity_forms(), self::form(), self::webhook() )
		);
	}

	/** @return Finding */
	private static function finding( string $state, string $name, string $says, string $todo = '' ): array {
		return array( 'group' => '' ) + compact( 'name', 'state', 'says', 'todo' );
	}

	/** @return Finding */
	private static function versions(): array {
		$name = __( 'versions', 'pillion' );
		/* translators: 1: version of WordPress, 2: version of PHP, 3: version of this plugin. */
		$says = sprintf( __( 'WordPress %1$s, PHP %2$s, Pillion %3$s.', 'pillion' ), get_bloginfo( 'version' ), PHP_VERSION, VERSION );
		return version_compare( PHP_VERSION, self::SAFE_PHP, '<' )
			? self::finding( 'warning', $name, $says . ' ' . __( 'This PHP version no longer gets security fixes.', 'pillion' ), __( 'Ask the host for a newer PHP.', 'pillion' ) )
			: self::finding( 'ok', $name, $says );
	}

	/** @return Finding */
	private static function permalinks(): array {
		$name = __( 'permalinks', 'pillion' );
		return '' === (string) get_option( 'permalink_structure' )
			? self::finding( 'broken', $name, __( 'They are plain, so the site cannot reach /wp-json/.', 'pillion' ), __( 'Settings → Permalinks: choose “Post name” and save.', 'pillion' ) )
			: self::finding( 'ok', $name, __( 'Permalinks are on, so the site can reach /wp-json/.', 'pillion' ) );
	}

	/** @return Finding */
	private static function keys(): array {
		$name = __( 'consumer key', 'pillion' );
		if ( ! Keys::all() ) {
			return self::finding( 'broken', $name, __( 'There is no key, so no site can read this WordPress.', 'pillion' ), __( 'Pillion → Keys: create one, and set it on the site’s server.', 'pillion' ) );
		}
		return Diagnostics::may_read_forms()
			? self::finding( 'ok', $name, __( 'There is a key, and it can read forms.', 'pillion' ) )
			: self::finding( 'broken', $name, __( 'Another plugin prevents keys from reading forms, so the site cannot show a form.', 'pillion' ), __( 'Find the plugin that manages user roles, and let it leave the user “The site’s server” unchanged.', 'pillion' ) );
	}

	/** @return Finding */
	private static function front_page(): array {
		$name = __( 'front page', 'pillion' );
		$id   = 'page' === get_option( 'show_on_front' ) ? (int) get_option( 'page_on_front' ) : 0;
		return $id && 'publish' === get_post_status( $id )
			/* translators: %s: title of a page. */
			? self::finding( 'ok', $name, sprintf( __( 'It is “%s”.', 'pillion' ), html_entity_decode( get_the_title( $id ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ) ) )
			: self::finding( 'broken', $name, __( 'No published page is chosen for it.', 'pillion' ), __( 'Settings → Reading: let the homepage show a static page, and choose it.', 'pillion' ) );
	}

	/** @return Finding */
	private static function texts(): array {
		$name   = __( 'texts', 'pillion' );
		$stored = Strings::stored( Language::default_tag() );
		return isset( $stored['brand'] )
			? self::finding( 'ok', $name, __( 'The brand has its name.', 'pillion' ) )
			: self::finding( 'warning', $name, __( 'The brand is empty, so the site shows “Pillion”.', 'pillion' ), __( 'Pillion → Texts: enter the brand and save.', 'pillion' ) );
	}

	/** @return Finding[] */
	private static function menus(): array {
		$name     = __( 'menus', 'pillion' );
		$findings = array();
		foreach ( Menus::location_names() as $location => $label ) {
			$id = get_nav_menu_locations()[ $location ] ?? 0;
			if ( ! $id || ! wp_get_nav_menu_object( $id ) ) {
				/* translators: %s: name of a place for a menu. */
				$findings[] = self::finding( 'warning', $name, sprintf( __( '“%s” has no menu.', 'pillion' ), $label ), __( 'Appearance → Menus → Manage Locations: choose one.', 'pillion' ) );
			} elseif ( ! wp_get_nav_menu_items( $id ) ) {
				/* translators: %s: name of a place for a menu. */
				$findings[] = self::finding( 'warning', $name, sprintf( __( 'The menu at “%s” is empty.', 'pillion' ), $label ), __( 'Appearance → Menus: add items to it.', 'pillion' ) );
			}
		}
		return $findings ? $findings : array( self::finding( 'ok', $name, __( 'Every location has a menu.', 'pillion' ) ) );
	}

	/** @return Finding */
	private static function gravity_forms(): array {
		$facts = Diagnostics::gravity_forms();
		if ( ! $facts ) {
			return self::finding( 'ok', 'Gravity Forms', __( 'It is not active. Pillion’s own forms are used.', 'pillion' ) );
		}
		return $facts['rest']
			/* translators: %s: a version. */
			? self::finding( 'ok', 'Gravity Forms', sprintf( __( 'Version %s. Its REST API is on.', 'pillion' ), $facts['version'] ) )
			: self::finding( 'broken', 'Gravity Forms', __( 'Its REST API is off. The site shows no form, and sign-ups wait for delivery.', 'pillion' ), __( 'Forms → Settings → REST API: tick “Enabled”, and save.', 'pillion' ) );
	}

	/** @return Finding */
	private static function form(): array {
		$name = __( 'form', 'pillion' );
		$id   = (int) ( Strings::stored( Language::default_tag() )['form.form_id'] ?? 1 );
		$form = Forms::find( $id );
		/* translators: %d: number of a form. */
		$which = sprintf( __( 'Form %d, which is set in the texts,', 'pillion' ), $id );
		if ( ! $form ) {
			/* translators: %s: Form 1, which is set in the texts, */
			return self::finding( 'broken', $name, sprintf( __( '%s does not exist.', 'pillion' ), $which ), __( 'Pillion → Texts: enter the number of an existing form as “Form”.', 'pillion' ) );
		}
		if ( empty( $form['is_active'] ) || ! empty( $form['is_trash'] ) ) {
			/* translators: %s: Form 1, which is set in the texts, */
			return self::finding( 'broken', $name, sprintf( __( '%s accepts no sign-ups because it is inactive or in the trash.', 'pillion' ), $which ), __( 'Activate or restore it in the list of forms.', 'pillion' ) );
		}
		/* translators: %s: Form 1, which is set in the texts, */
		return self::finding( 'ok', $name, sprintf( __( '%s is open.', 'pillion' ), $which ) );
	}

	/** @return Finding */
	private static function webhook(): array {
		$name = __( 'webhook', 'pillion' );
		if ( ! Connection::is_configured() ) {
			return self::finding( 'warning', $name, __( 'The site is not notified of changes. It checks for them once a minute.', 'pillion' ), __( 'Enter the address and the secret above.', 'pillion' ) );
		}
		$waiting = count( ChangeQueue::all() );
		return $waiting
			/* translators: %d: a number. */
			? self::finding( 'warning', $name, sprintf( _n( '%d change has not reached the site yet. WordPress will try again.', '%d changes have not reached the site yet. WordPress will try again.', $waiting, 'pillion' ), $waiting ), __( 'Send a test to see the reason.', 'pillion' ) )
			: self::finding( 'ok', $name, __( 'All changes have reached the site.', 'pillion' ) );
	}
}
