<?php
/**
 * The screen where an editor lists the site's languages and sees which translations are missing.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;
use Pillion\Lib\Language;
use WP_Post;

/** @phpstan-import-type Listed from Language */
final class LanguagesPage {
	const PAGE = 'pillion-languages';

	/** Number of listed pages on one screen. */
	const PER_SCREEN = 100;

	/** @var list<string> Why the input was rejected. */
	private $problems = array();

	/** @var list<Listed>|null Rejected input, shown again. */
	private $rejected = null;

	public function register(): void {
		add_action( 'admin_menu', fn() => Admin::add_screen( $this, self::PAGE, __( 'Languages', 'pillion' ), Admin::capability() ), 9 );
	}

	/** Creates a translation, or saves the list. */
	public function handle(): void {
		if ( ! current_user_can( Admin::capability() ) ) {
			return;
		}
		$id = absint( Input::query( 'translate' ) );
		if ( $id ) {
			$this->create_translation( $id, Input::query( 'into' ) );
		}
		if ( Input::is_post() && ! Translations::are_elsewhere() ) {
			check_admin_referer( self::PAGE );
			$this->save_submitted( Input::posted_list( 'languages' ) );
		}
	}

	/** Saves the list and redirects, or shows it again as typed, with the problems. */
	private function save_submitted( array $rows ): void {
		$result = LanguageRules::validate( $rows );
		if ( ! $result['languages'] ) {
			$result['problems'][] = __( 'A site needs at least one language. Add one.', 'pillion' );
		} elseif ( ! $result['problems'] && self::is_first_replaced( array_column( $result['languages'], 'tag' ) ) ) {
			/* translators: %s: a tag, like en */
			$result['problems'][] = sprintf( __( '%s must stay the first language: its pages and texts have no tag, so they would count as pages and texts of the new first language.', 'pillion' ), Language::default_tag() );
		}
		if ( Admin::fingerprint( Language::listed() ) !== Input::posted( 'version' ) ) {
			$result['problems'][] = __( 'Another user has changed the languages in the meantime, so nothing was saved. Save again to replace that list by the one below, or open this screen again.', 'pillion' );
		}
		if ( $result['problems'] ) {
			$this->problems = $result['problems'];
			$this->rejected = LanguageRules::typed_rows( $rows );
			return;
		}
		update_option( Language::OPTION, $result['languages'] );
		Admin::redirect_and_exit( self::PAGE, array( 'saved' => 1 ) );
	}

	/**
	 * Whether another language takes the first place. A new tag for the first language is no move.
	 *
	 * @param list<string> $tags
	 */
	private static function is_first_replaced( array $tags ): bool {
		return Language::default_tag() !== $tags[0] && ( in_array( $tags[0], Language::all(), true ) || in_array( Language::default_tag(), $tags, true ) );
	}

	/** URL that creates the translation of a page. */
	public static function translate_url( int $id, string $lang ): string {
		return wp_nonce_url( Admin::url( self::PAGE, array( 'translate' => $id, 'into' => $lang ) ), "pillion-translate-$id-$lang" );
	}

	private function create_translation( int $id, string $lang ): void {
		check_admin_referer( "pillion-translate-$id-$lang" );
		$post = get_post( $id );
		if ( ! $post || ! current_user_can( 'edit_post', $id ) || ! in_array( $lang, Language::all(), true ) ) {
			return;
		}
		$problem = Translations::are_elsewhere() ? null : Claims::problem_of_copy( $post, $lang );
		if ( $problem ) {
			wp_die( esc_html( $problem->get_error_message() ), '', 403 );
		}
		$copy = Translations::copy( $post, $lang );
		wp_safe_redirect( $copy ? (string) get_edit_post_link( $copy, 'raw' ) : Admin::url( self::PAGE ) );
		exit;
	}

	public function render(): void {
		echo '<div class="wrap"><h1>' . esc_html__( 'Languages', 'pillion' ) . '</h1>';
		if ( Input::query( 'saved' ) ) {
			Admin::notice( 'success is-dismissible', __( 'The languages are saved.', 'pillion' ) );
		}
		foreach ( $this->problems as $problem ) {
			Admin::notice( 'error', $problem );
		}
		echo '<p>' . esc_html__( 'The first language is the default, and its pages have no prefix. Pages of other languages are under their tag, such as /de/. A listed language is on the site at once and shows the pages that are published in it.', 'pillion' ) . '</p>';
		if ( Translations::are_elsewhere() ) {
			self::render_other_plugin();
		} else {
			echo '<form method="post" action="' . esc_url( Admin::url( self::PAGE ) ) . '">';
			wp_nonce_field( self::PAGE );
			echo '<input type="hidden" name="version" value="' . esc_attr( Admin::fingerprint( Language::listed() ) ) . '">';
			$this->render_table();
			submit_button();
			echo '</form>';
		}
		if ( count( Language::all() ) > 1 ) {
			self::render_problems();
			$this->render_pages();
		}
		echo '</div>';
	}

	private static function render_problems(): void {
		foreach ( LanguageProblems::all() as $problem ) {
			// A title can contain characters that change the text direction.
			echo '<div class="notice notice-warning inline"><p><bdi>' . esc_html( $problem ) . '</bdi></p></div>';
		}
	}

	/** The languages of another plugin, with a link to its screen. */
	private static function render_other_plugin(): void {
		$source = Translations::source();
		/* translators: %s: name of a plugin */
		echo '<div class="notice notice-info inline"><p>' . esc_html( sprintf( __( '%s is active and manages the languages. The list of Pillion applies again when it is deactivated.', 'pillion' ), $source->title() ) ) . ' ';
		/* translators: %s: name of a plugin */
		echo '<a href="' . esc_url( admin_url( $source->screen() ) ) . '">' . esc_html( sprintf( __( 'Languages in %s', 'pillion' ), $source->title() ) ) . '</a></p></div>';
		echo '<ul class="ul-disc">';
		foreach ( Language::listed() as $tag => $language ) {
			echo '<li>' . esc_html( $language['name'] ) . ' <code>' . esc_html( Language::front_path( $tag ) ) . '</code></li>';
		}
		echo '</ul>';
	}

	/** Each page of the default language, and the state of its translations. */
	private function render_pages(): void {
		$query   = array(
			'post_type'   => Routes::types(),
			'post_status' => 'publish',
			'numberposts' => -1,
			'orderby'     => 'title',
			'order'       => 'ASC',
			// All languages of Polylang.
			'lang'        => '',
		);
		$default = array_filter( get_posts( $query ), fn( WP_Post $post ): bool => Translations::lang_of( $post->ID ) === Language::default_tag() );
		$screens = array_chunk( $default, self::PER_SCREEN );
		$current = max( 1, min( absint( Input::query( 'paged' ) ), count( $screens ) ) );
		echo '<h2>' . esc_html__( 'Pages', 'pillion' ) . '</h2>';
		Admin::begin_table( array_column( Language::listed(), 'name' ) );
		foreach ( $screens[ $current - 1 ] ?? array() as $post ) {
			$this->render_page( $post );
		}
		Admin::end_table();
		if ( count( $screens ) > 1 ) {
			self::render_page_links( count( $screens ), $current );
		}
	}

	/** Links to the other screens of the list. */
	private static function render_page_links( int $count, int $current ): void {
		echo '<nav aria-label="' . esc_attr__( 'Pages', 'pillion' ) . '"><p>';
		for ( $screen = 1; $screen <= $count; $screen++ ) {
			$url = Admin::url( self::PAGE, array( 'paged' => $screen ) );
			echo '<a href="' . esc_url( $url ) . '"' . ( $screen === $current ? ' aria-current="page"' : '' ) . '>' . esc_html( number_format_i18n( $screen ) ) . '</a> ';
		}
		echo '</p></nav>';
	}

	private function render_page( WP_Post $post ): void {
		$group = Translations::group( Translations::group_of( $post->ID ) );
		echo '<tr><th scope="row"><a href="' . esc_url( (string) get_edit_post_link( $post->ID ) ) . '">' . esc_html( get_the_title( $post ) ) . '</a></th>';
		foreach ( array_slice( Language::listed(), 1, null, true ) as $lang => $language ) {
			$translation = $group[ $lang ] ?? null;
			$link        = LanguageBox::translation_link( $language['name'], $translation, $post->ID, $lang );
			echo '<td>' . wp_kses( $link, array( 'a' => array( 'href' => true ) ) ) . '<br>' . esc_html( self::translation_state( $post, $translation ) ) . '</td>';
		}
		echo '</tr>';
	}

	private static function translation_state( WP_Post $original, ?WP_Post $translation ): string {
		if ( ! $translation ) {
			return __( 'Missing', 'pillion' );
		}
		$states = array( ToDo::summary( $translation ) );
		if ( 'publish' !== $translation->post_status ) {
			$states[] = __( 'Not published', 'pillion' );
		} elseif ( $translation->post_modified_gmt < $original->post_modified_gmt ) {
			$states[] = __( 'Older than the original', 'pillion' );
		}
		return implode( ' · ', array_filter( $states ) );
	}

	private function render_table(): void {
		$languages = $this->rejected ?? array_values( Language::listed() );
		Admin::begin_table( array( __( 'Tag', 'pillion' ), __( 'Name in the language', 'pillion' ), __( 'Direction', 'pillion' ), __( 'If a page is missing', 'pillion' ) ) );
		foreach ( array_merge( $languages, array( LanguageRules::EMPTY_ROW ) ) as $at => $language ) {
			$this->render_row( $at, $language, $languages );
		}
		Admin::end_table();
		echo '<p class="description">' . esc_html__( 'Clear the tag and the name of a row to remove the language. Its pages stay in WordPress but disappear from the site.', 'pillion' ) . '</p>';
	}

	/**
	 * @param array<string, string> $language
	 * @param list<Listed>          $languages
	 */
	private function render_row( int $at, array $language, array $languages ): void {
		$directions = array(
			''    => __( 'Automatic, by the tag', 'pillion' ),
			'ltr' => __( 'Left to right', 'pillion' ),
			'rtl' => __( 'Right to left', 'pillion' ),
		);
		$fallbacks  = array( '' => __( 'Show “not found”', 'pillion' ) );
		foreach ( $languages as $other ) {
			// Rejected input can lack a tag or a name.
			if ( '' !== $other['tag'] && $other['tag'] !== $language['tag'] ) {
				/* translators: %s: name of a language */
				$fallbacks[ $other['tag'] ] = sprintf( __( 'Show it in %s', 'pillion' ), '' === $other['name'] ? $other['tag'] : $other['name'] );
			}
		}
		echo '<tr>';
		self::render_input( $at, 'tag', __( 'Tag', 'pillion' ), $language['tag'] );
		self::render_input( $at, 'name', __( 'Name in the language', 'pillion' ), $language['name'] );
		self::render_select( $at, 'dir', __( 'Direction', 'pillion' ), $language['dir'], $directions );
		self::render_select( $at, 'fallback', __( 'If a page is missing', 'pillion' ), $language['fallback'], $fallbacks );
		echo '</tr>';
	}

	private static function render_input( int $at, string $field, string $label, string $value ): void {
		echo '<td><input type="text" aria-label="' . esc_attr( $label ) . '" name="' . esc_attr( "languages[$at][$field]" ) . '" value="' . esc_attr( $value ) . '"></td>';
	}

	/** @param array<string, string> $choices */
	private static function render_select( int $at, string $field, string $label, string $value, array $choices ): void {
		echo '<td><select aria-label="' . esc_attr( $label ) . '" name="' . esc_attr( "languages[$at][$field]" ) . '">' . Admin::options( $choices, $value ) . '</select></td>';
	}
}
