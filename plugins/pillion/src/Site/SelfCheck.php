<?php
/**
 * What this WordPress can judge by itself of what a site needs of it. The site's own doctor asks the same from outside
 * and more; it is asked from the same screen.
 */

namespace Pillion\Site;

use Pillion\Access\Keys;
use Pillion\Content\Menus;
use Pillion\Content\Strings;
use Pillion\Forms\Forms;
use Pillion\Lib\Language;

use const Pillion\VERSION;

/**
 * @phpstan-type Finding array{group: string, name: string, state: string, says: string, todo: string}
 */
final class SelfCheck {
	/** The oldest PHP that gets security fixes. */
	const SAFE_PHP = '8.2';

	/**
	 * @return Finding[]
	 */
	public static function all(): array {
		return array_merge(
			array( self::versions(), self::permalinks(), self::keys(), self::front_page(), self::texts() ),
			self::menus(),
			array( self::gravity_forms(), self::form(), self::changes() )
		);
	}

	/**
	 * @return Finding
	 */
	private static function finding( string $state, string $name, string $says, string $todo = '' ): array {
		return array( 'group' => '' ) + compact( 'name', 'state', 'says', 'todo' );
	}

	/**
	 * @return Finding
	 */
	private static function versions(): array {
		$name = __( 'versions', 'pillion' );
		/* translators: 1: version of WordPress, 2: version of PHP, 3: version of this plugin. */
		$says = sprintf( __( 'WordPress %1$s, PHP %2$s, Pillion %3$s.', 'pillion' ), get_bloginfo( 'version' ), PHP_VERSION, VERSION );
		return version_compare( PHP_VERSION, self::SAFE_PHP, '<' )
			? self::finding( 'warning', $name, $says . ' ' . __( 'This PHP gets no security fixes any more.', 'pillion' ), __( 'Ask the host for a newer PHP.', 'pillion' ) )
			: self::finding( 'ok', $name, $says );
	}

	/**
	 * @return Finding
	 */
	private static function permalinks(): array {
		$name = __( 'permalinks', 'pillion' );
		return '' === (string) get_option( 'permalink_structure' )
			? self::finding( 'broken', $name, __( 'They are plain, so that the site cannot reach /wp-json/.', 'pillion' ), __( 'Settings → Permalinks: choose “Post name” and save.', 'pillion' ) )
			: self::finding( 'ok', $name, __( 'Addresses have names, and /wp-json/ is there.', 'pillion' ) );
	}

	/**
	 * @return Finding
	 */
	private static function keys(): array {
		$name = __( 'consumer key', 'pillion' );
		if ( ! array_filter( Keys::all(), array( Keys::class, 'is_alive' ) ) ) {
			return Keys::all()
				? self::finding( 'broken', $name, __( 'All went with the users who made them: no site can read this WordPress.', 'pillion' ), __( 'Pillion → Keys: make one, and give it to the site’s server.', 'pillion' ) )
				: self::finding( 'broken', $name, __( 'There is none: no site can read this WordPress.', 'pillion' ), __( 'Pillion → Keys: make one, and give it to the site’s server.', 'pillion' ) );
		}
		return Diagnostics::may_read_forms()
			? self::finding( 'ok', $name, __( 'There is one, and it may read forms.', 'pillion' ) )
			: self::finding( 'broken', $name, __( 'Another plugin keeps keys from reading forms: the site cannot show one.', 'pillion' ), __( 'Look for a plugin that manages rights, and let the user “The site’s server” keep those that Pillion lends it.', 'pillion' ) );
	}

	/**
	 * @return Finding
	 */
	private static function front_page(): array {
		$name = __( 'front page', 'pillion' );
		$id   = 'page' === get_option( 'show_on_front' ) ? (int) get_option( 'page_on_front' ) : 0;
		return $id && 'publish' === get_post_status( $id )
			/* translators: %s: title of a page. */
			? self::finding( 'ok', $name, sprintf( __( 'It is “%s”.', 'pillion' ), html_entity_decode( get_the_title( $id ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ) ) )
			: self::finding( 'broken', $name, __( 'No published page is chosen for it.', 'pillion' ), __( 'Settings → Reading: let the homepage show a static page, and choose it.', 'pillion' ) );
	}

	/**
	 * @return Finding
	 */
	private static function texts(): array {
		$name   = __( 'texts', 'pillion' );
		$stored = Strings::stored( Language::all()[0] );
		return isset( $stored['brand'] )
			? self::finding( 'ok', $name, __( 'The brand has its name.', 'pillion' ) )
			: self::finding( 'warning', $name, __( 'The brand is not filled in: the site shows “Pillion” in its place.', 'pillion' ), __( 'Pillion: fill in the texts, and save.', 'pillion' ) );
	}

	/**
	 * @return Finding[]
	 */
	private static function menus(): array {
		$name  = __( 'menus', 'pillion' );
		$found = array();
		foreach ( Menus::names() as $location => $label ) {
			$id = get_nav_menu_locations()[ $location ] ?? 0;
			if ( ! $id || ! wp_get_nav_menu_object( $id ) ) {
				/* translators: %s: name of a place for a menu. */
				$found[] = self::finding( 'warning', $name, sprintf( __( '“%s” has no menu.', 'pillion' ), $label ), __( 'Appearance → Menus → Manage Locations: choose one.', 'pillion' ) );
			} elseif ( ! wp_get_nav_menu_items( $id ) ) {
				/* translators: %s: name of a place for a menu. */
				$found[] = self::finding( 'warning', $name, sprintf( __( 'The menu at “%s” is empty.', 'pillion' ), $label ), __( 'Appearance → Menus: add items to it.', 'pillion' ) );
			}
		}
		return $found ? $found : array( self::finding( 'ok', $name, __( 'Every location has one.', 'pillion' ) ) );
	}

	/**
	 * @return Finding
	 */
	private static function gravity_forms(): array {
		$facts = Diagnostics::gravity_forms();
		if ( ! $facts ) {
			return self::finding( 'ok', 'Gravity Forms', __( 'It is not installed; Pillion’s own forms are used.', 'pillion' ) );
		}
		return $facts['rest']
			/* translators: %s: a version. */
			? self::finding( 'ok', 'Gravity Forms', sprintf( __( 'Version %s, its REST API is on.', 'pillion' ), $facts['version'] ) )
			: self::finding( 'broken', 'Gravity Forms', __( 'Its REST API is off: the site shows no form, and sign-ups wait.', 'pillion' ), __( 'Forms → Settings → REST API: tick “Enabled”, and save.', 'pillion' ) );
	}

	/**
	 * @return Finding
	 */
	private static function form(): array {
		$name = __( 'form', 'pillion' );
		$id   = (int) ( Strings::stored( Language::all()[0] )['form.form_id'] ?? 1 );
		$form = self::stored_form( $id );
		/* translators: %d: number of a form. */
		$which = sprintf( __( 'Form %d, named by the texts,', 'pillion' ), $id );
		if ( ! $form ) {
			/* translators: %s: Form 1, named by the texts, */
			return self::finding( 'broken', $name, sprintf( __( '%s is not there.', 'pillion' ), $which ), __( 'Pillion: put the number of a form that exists into “Form”.', 'pillion' ) );
		}
		if ( empty( $form['is_active'] ) || ! empty( $form['is_trash'] ) ) {
			/* translators: %s: Form 1, named by the texts, */
			return self::finding( 'broken', $name, sprintf( __( '%s takes nothing: it is inactive or in the trash.', 'pillion' ), $which ), __( 'Switch it on in the list of forms.', 'pillion' ) );
		}
		/* translators: %s: Form 1, named by the texts, */
		return self::finding( 'ok', $name, sprintf( __( '%s is open.', 'pillion' ), $which ) );
	}

	/**
	 * @return array<string, mixed>|null
	 */
	private static function stored_form( int $id ): ?array {
		if ( Forms::is_fallback() ) {
			return Forms::all()[ $id ] ?? null;
		}
		$form = is_callable( array( 'GFAPI', 'get_form' ) ) ? \GFAPI::get_form( $id ) : null;
		return is_array( $form ) ? $form : null;
	}

	/**
	 * @return Finding
	 */
	private static function changes(): array {
		$name = __( 'word of changes', 'pillion' );
		if ( ! Connection::is_configured() ) {
			return self::finding( 'warning', $name, __( 'The site is not told of changes: it looks for them itself, once a minute.', 'pillion' ), __( 'Fill in address and secret above.', 'pillion' ) );
		}
		$waiting = count( ChangeQueue::all() );
		return $waiting
			/* translators: %d: a number. */
			? self::finding( 'warning', $name, sprintf( _n( '%d change has not reached the site yet; it is tried again.', '%d changes have not reached the site yet; they are tried again.', $waiting, 'pillion' ), $waiting ), __( 'Send a test: it says why.', 'pillion' ) )
			: self::finding( 'ok', $name, __( 'None waits to be told.', 'pillion' ) );
	}
}
