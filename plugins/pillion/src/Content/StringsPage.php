<?php
/**
 * The screen where an editor enters the site's texts. Each field has the name that the site uses for the text.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Admin;
use Pillion\Lib\Assets;
use Pillion\Lib\Data;
use Pillion\Lib\Input;
use Pillion\Lib\Language;

/** @phpstan-import-type Field from Strings */
final class StringsPage {
	/** Settings group, and the name of its nonce. */
	const GROUP = 'pillion';

	/** Lifetime of rejected input in seconds. Core stores its messages equally long. */
	const DRAFT_SECONDS = 60;

	/** Query parameter of the language. Polylang takes `lang` of any screen as a filter for the user's lists. */
	const LANG = 'texts_lang';

	public function register(): void {
		add_action( 'admin_menu', array( $this, 'add_page' ), 8 );
		add_action( 'admin_enqueue_scripts', array( $this, 'enqueue' ) );
		add_filter( 'option_page_capability_' . self::GROUP, array( Admin::class, 'capability' ) );
	}

	public function add_page(): void {
		add_submenu_page( Admin::MENU, __( 'Texts of the site', 'pillion' ), __( 'Texts', 'pillion' ), Admin::capability(), Admin::MENU, array( $this, 'render' ) );
	}

	/** Loads the media library's dialog, for the music. */
	public function enqueue( string $screen ): void {
		if ( 'toplevel_page_' . Admin::MENU !== $screen ) {
			return;
		}
		wp_enqueue_media();
		wp_enqueue_script( Assets::script( 'pillion-texts', 'assets/texts.js', array( 'media-editor' ) ) );
	}

	/**
	 * Shows a message per rejected value, and stores the input for the next display of the form.
	 *
	 * @param array<string, string> $problems By path.
	 * @param array<string, mixed>  $input    As submitted.
	 */
	public static function store_draft( array $problems, array $input ): void {
		if ( ! function_exists( 'add_settings_error' ) || ! $problems || self::GROUP !== Input::posted( 'option_page' ) ) {
			return;
		}
		foreach ( $problems as $path => $problem ) {
			// A fixed code per message: WordPress sanitises a new option twice, and the message must appear once.
			if ( ! in_array( $path, wp_list_pluck( get_settings_errors( self::GROUP ), 'code' ), true ) ) {
				// WordPress prints messages unescaped, and this one contains the input.
				add_settings_error( self::GROUP, $path, esc_html( $problem ) );
			}
		}
		set_transient( self::draft_key(), compact( 'problems', 'input' ), self::DRAFT_SECONDS );
	}

	public function render(): void {
		$lang  = $this->requested_language();
		$draft = Data::to_array( get_transient( self::draft_key() ) );
		delete_transient( self::draft_key() );
		echo '<div class="wrap"><h1>' . esc_html__( 'Texts of the site', 'pillion' ) . '</h1>';
		settings_errors( self::GROUP );
		settings_errors( 'general' );
		$this->render_languages( $lang );
		echo '<form method="post" action="' . esc_url( admin_url( 'options.php' ) ) . '">';
		settings_fields( self::GROUP );
		$values = Strings::stored( $lang );
		foreach ( StringFields::groups( $lang ) as $group ) {
			$this->render_group( $group['title'], $group['fields'], $lang, $values, $draft );
		}
		$this->render_links( $lang, (array) ( $values['links'] ?? array() ), $draft );
		submit_button();
		echo '</form></div>';
	}

	/**
	 * @param array<string, Field> $fields By path.
	 * @param array<string, mixed> $values By path.
	 * @param array<string, mixed> $draft  Rejected input with its problems.
	 */
	private function render_group( string $title, array $fields, string $lang, array $values, array $draft ): void {
		echo '<h2>' . esc_html( $title ) . '</h2><table class="form-table" role="presentation">';
		foreach ( $fields as $path => $field ) {
			$problem = (string) ( $draft['problems'][ $path ] ?? '' );
			$value   = $problem ? self::typed_value( (array) $draft['input'], $path ) : (string) ( $values[ $path ] ?? '' );
			$this->render_field( $path, $field, Strings::option( $lang ), $value, $problem );
		}
		echo '</table>';
	}

	/** @param Field $field */
	private function render_field( string $path, array $field, string $option, string $value, string $problem ): void {
		$id   = 'pillion-' . str_replace( '.', '-', $path );
		$name = $option . '[' . str_replace( '.', '][', $path ) . ']';
		$note = $problem ? $problem : (string) ( $field['help'] ?? '' );
		echo '<tr><th scope="row"><label for="' . esc_attr( $id ) . '">' . esc_html( $field['label'] ) . '</label></th><td>';
		$attributes  = ' id="' . esc_attr( $id ) . '" name="' . esc_attr( $name ) . '"';
		$attributes .= $note ? ' aria-describedby="' . esc_attr( "$id-note" ) . '"' : '';
		$attributes .= $problem ? ' aria-invalid="true"' : '';
		$attributes .= empty( $field['default'] ) ? '' : ' placeholder="' . esc_attr( $field['default'] ) . '"';
		$this->render_control( $field, $attributes, $value );
		if ( $note ) {
			echo '<p class="' . ( $problem ? 'notice notice-error inline' : 'description' ) . '" id="' . esc_attr( "$id-note" ) . '">' . esc_html( $note ) . '</p>';
		}
		echo '</td></tr>';
	}

	/**
	 * @param Field  $field
	 * @param string $attributes Escaped already.
	 */
	private function render_control( array $field, string $attributes, string $value ): void {
		$kind = $field['kind'];
		// phpcs:disable WordPress.Security.EscapeOutput.OutputNotEscaped -- $attributes are built from escaped parts above.
		switch ( $kind ) {
			case 'lines':
			case 'svg':
				echo "<textarea class=\"large-text" . ( 'svg' === $kind ? ' code' : '' ) . "\" rows=\"3\"$attributes>" . esc_textarea( $value ) . '</textarea>';
				break;
			case 'choice':
				echo "<select$attributes>" . Admin::options( $field['choices'], $value ) . '</select>';
				break;
			case 'count':
			case 'number':
				echo '<input type="number" min="' . (int) $field['least'] . '" step="1" class="small-text" value="' . esc_attr( $value ) . "\"$attributes>";
				break;
			default:
				echo "<input type=\"text\" class=\"large-text\" value=\"" . esc_attr( $value ) . "\"$attributes>";
		}
		// phpcs:enable
		if ( 'audio' === $kind ) {
			echo '<p><button type="button" class="button" data-pillion-pick="audio">' . esc_html__( 'Choose from the media library', 'pillion' ) . '</button></p>';
		}
	}

	/**
	 * A row per named address, and an empty one for a new link. A row without an address is removed.
	 *
	 * @param array<string, string> $links
	 * @param array<string, mixed>  $draft Rejected input with its problems.
	 */
	private function render_links( string $lang, array $links, array $draft ): void {
		$option   = Strings::option( $lang );
		$problems = (array) ( $draft['problems'] ?? array() );
		$input    = (array) ( $draft['input'] ?? array() );
		echo '<h2>' . esc_html__( 'Links', 'pillion' ) . '</h2>';
		echo '<p>' . esc_html__( 'Addresses that forms and the consent dialog use by name. Clear an address to remove the link.', 'pillion' ) . '</p>';
		echo '<table class="form-table" role="presentation">';
		foreach ( $links as $name => $address ) {
			$field   = array( 'kind' => 'address', 'label' => (string) $name );
			$problem = (string) ( $problems[ "links.$name" ] ?? '' );
			$this->render_field( "links.$name", $field, $option, $problem ? self::typed_value( $input, "links.$name" ) : (string) $address, $problem );
		}
		$new            = self::typed_value( $input, 'links.0.name' );
		$problem_of_new = (string) ( $problems['links'] ?? $problems[ "links.$new" ] ?? '' );
		$rows           = array(
			'links.0.name'    => __( 'Name of another link', 'pillion' ),
			'links.0.address' => __( 'Its address', 'pillion' ),
		);
		foreach ( $rows as $path => $label ) {
			$field = array( 'kind' => 'text', 'label' => $label );
			$this->render_field( $path, $field, $option, $problem_of_new ? self::typed_value( $input, $path ) : '', $problem_of_new );
		}
		echo '</table>';
	}

	private function render_languages( string $current ): void {
		if ( count( Language::all() ) < 2 ) {
			return;
		}
		echo '<nav class="nav-tab-wrapper">';
		foreach ( Language::listed() as $lang => $language ) {
			$url = add_query_arg( self::LANG, $lang, menu_page_url( Admin::MENU, false ) );
			echo '<a class="nav-tab' . ( $lang === $current ? ' nav-tab-active' : '' ) . '" href="' . esc_url( $url ) . '">' . esc_html( $language['name'] ) . '</a>';
		}
		echo '</nav>';
	}

	private function requested_language(): string {
		$lang = Input::query( self::LANG );
		return in_array( $lang, Language::all(), true ) ? $lang : Language::default_tag();
	}

	private static function typed_value( array $input, string $path ): string {
		$value = Data::at( $input, $path );
		return is_scalar( $value ) ? (string) $value : '';
	}

	private static function draft_key(): string {
		return 'pillion_texts_' . get_current_user_id();
	}
}
