<?php
/**
 * A meta box with a page's language, its original, and links to its translations. Only if there are several languages.
 * The block editor shows the box in its sidebar.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\PageMeta;
use Pillion\Content\Routes;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;
use Pillion\Lib\Language;
use WP_Post;

final class LanguageBox {
	const NONCE = 'pillion_language_nonce';

	public function register(): void {
		add_action( 'add_meta_boxes', array( $this, 'add_box' ), 10, 2 );
		add_action( 'save_post', array( $this, 'save' ) );
	}

	/** @param mixed $post A comment or a link on their screens. */
	public function add_box( string $type, $post = null ): void {
		if ( $post instanceof WP_Post && in_array( $type, Routes::types(), true ) && count( Language::all() ) > 1 && ! Translations::are_elsewhere() ) {
			add_meta_box( 'pillion-language', __( 'Language', 'pillion' ), array( $this, 'render' ), $type, 'side' );
		}
	}

	public function render( WP_Post $post ): void {
		wp_nonce_field( self::NONCE, self::NONCE );
		$lang     = Translations::lang_of( $post->ID );
		$original = absint( get_post_meta( $post->ID, Translations::ORIGINAL, true ) );
		echo '<p><label for="pillion_lang">' . esc_html__( 'Language of this page', 'pillion' ) . '</label><br><select id="pillion_lang" name="pillion_lang" class="widefat">';
		// A language that is no longer listed stays until the editor changes it.
		echo Admin::options( wp_list_pluck( Language::listed(), 'name' ) + array( $lang => $lang ), $lang ) . '</select></p>';
		echo '<p><label for="pillion_original">' . esc_html__( 'Number of the page it translates', 'pillion' ) . '</label><br>';
		echo '<input type="number" min="0" id="pillion_original" name="pillion_original" class="small-text" value="' . esc_attr( $original ? (string) $original : '' ) . '"></p>';
		if ( $original && ! get_post( $original ) ) {
			echo '<p class="notice notice-warning inline">' . esc_html__( 'There is no page with this number. Enter another one.', 'pillion' ) . '</p>';
		}
		$refusal = get_transient( self::refusal_key( $post->ID ) );
		if ( is_string( $refusal ) ) {
			echo '<p class="notice notice-error inline">' . esc_html( $refusal ) . '</p>';
		}
		$this->render_links( $post, $lang );
	}

	/** Links to the page in other languages, or to create its translation, as far as the user may follow them. */
	private function render_links( WP_Post $post, string $lang ): void {
		if ( 'auto-draft' === $post->post_status ) {
			return;
		}
		$group = Translations::group( Translations::group_of( $post->ID ) );
		echo '<ul>';
		foreach ( Language::listed() as $tag => $language ) {
			$translation = $group[ $tag ] ?? null;
			$is_allowed  = $translation ? current_user_can( 'edit_post', $translation->ID ) : current_user_can( Admin::capability() );
			if ( $tag !== $lang && $is_allowed ) {
				echo '<li>' . wp_kses( self::translation_link( $language['name'], $translation, $post->ID, $tag ), array( 'a' => array( 'href' => true ) ) ) . '</li>';
			}
		}
		echo '</ul>';
	}

	/** @return string An escaped HTML link. */
	public static function translation_link( string $name, ?WP_Post $translation, int $from, string $lang ): string {
		if ( $translation ) {
			/* translators: %s: name of a language */
			return '<a href="' . esc_url( (string) get_edit_post_link( $translation->ID ) ) . '">' . esc_html( sprintf( __( 'Edit in %s', 'pillion' ), $name ) ) . '</a>';
		}
		/* translators: %s: name of a language */
		return '<a href="' . esc_url( LanguagesPage::translate_url( $from, $lang ) ) . '">' . esc_html( sprintf( __( 'Translate this page: %s', 'pillion' ), $name ) ) . '</a>';
	}

	public function save( int $post_id ): void {
		if ( ! wp_verify_nonce( Input::posted( self::NONCE ), self::NONCE ) || ! PageMeta::current_user_can_save( $post_id ) ) {
			return;
		}
		$lang     = Input::posted( 'pillion_lang' );
		$lang     = preg_match( Language::TAG, $lang ) ? $lang : Language::default_tag();
		$original = self::original_of( $post_id, absint( Input::posted( 'pillion_original' ) ) );
		// Pairs of language and original, saved one after the other.
		$states = array( array( $lang, $original ) );
		if ( absint( get_post_meta( $post_id, Translations::ORIGINAL, true ) ) !== $original ) {
			// Claims checks each write, so the post leaves its group before its language changes: within the old group,
			// the new language can be another user's.
			$states = array( array( Translations::lang_of( $post_id ), 0 ), array( $lang, 0 ), array( $lang, $original ) );
		}
		foreach ( $states as $state ) {
			$problem = Claims::problem_with( $post_id, (string) get_post_type( $post_id ), ...$state );
			if ( $problem ) {
				// The block editor ignores the response to this form, so the reason waits for the box's next rendering.
				set_transient( self::refusal_key( $post_id ), $problem->get_error_message(), DAY_IN_SECONDS );
				return;
			}
		}
		delete_transient( self::refusal_key( $post_id ) );
		foreach ( $states as list( $state_lang, $state_original ) ) {
			PageMeta::save( $post_id, Translations::LANG, Language::default_tag() === $state_lang ? '' : $state_lang );
			PageMeta::save( $post_id, Translations::ORIGINAL, $state_original );
		}
	}

	/** A translation always refers to the first page, so that all of a group share one number. Its own number means none. */
	private static function original_of( int $post_id, int $typed ): int {
		$original = $typed ? Translations::group_of( $typed ) : 0;
		return $original === $post_id ? 0 : $original;
	}

	/** Name of the transient with the reason why this user's last save did not change the language. */
	private static function refusal_key( int $post_id ): string {
		return "pillion_language_refused_{$post_id}_" . get_current_user_id();
	}
}
