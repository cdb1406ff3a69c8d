<?php
/**
 * The screen where an editor changes the colours and typefaces of the site, with the site next to them.
 */

namespace Pillion\Content;

defined( 'ABSPATH' ) || exit;

use Pillion\Languages\Translations;
use Pillion\Lib\Admin;
use Pillion\Lib\Assets;
use Pillion\Lib\Data;
use Pillion\Lib\Input;
use Pillion\Site\Connection;

/**
 * @phpstan-import-type Values from Look
 * @phpstan-type Token    array{path: string, kind: 'color'|'font', value: string, choices: string[]}
 * @phpstan-type Problem  array{path: string, grounds: string[], ratio: float, asked: float, nearest: string}
 */
final class LookPage {
	const PAGE = 'pillion-look';

	/** Endpoint of the site that lists what may be changed and checks a look. */
	const PATH = '/api/look';

	/** Longest wait for the site, in seconds. */
	const TIMEOUT_SECONDS = 8;

	/** @var Values|null Rejected input. */
	private $rejected = null;

	/** @var string Why nothing was saved; empty: it was, or nothing was sent. */
	private $problem = '';

	/** @var string Version that a rejected form was opened with, so that the next save still notices another user's; empty: the current one. */
	private $version = '';

	public function register(): void {
		add_action( 'admin_menu', fn() => Admin::add_screen( $this, self::PAGE, __( 'Look', 'pillion' ), Admin::capability() ), 9 );
	}

	/** Saves the form, or an earlier look. Redirects after it, so that a reload saves nothing twice. */
	public function handle(): void {
		wp_enqueue_style( Assets::style( self::PAGE, 'assets/look.css' ) );
		wp_enqueue_script( Assets::script( self::PAGE, 'assets/look.js', array( 'wp-api-fetch', 'wp-i18n' ) ) );
		if ( ! Input::is_post() || ! current_user_can( Admin::capability() ) ) {
			return;
		}
		$earlier = Input::posted( 'earlier' );
		$values  = '' === $earlier ? Look::sanitize( Input::posted_list( 'look' ) ) : self::earlier_values( $earlier );
		if ( ! wp_verify_nonce( sanitize_key( Input::posted( '_wpnonce' ) ), self::PAGE ) ) {
			Admin::reject_foreign_request( Admin::url( self::PAGE ), __( 'Open the saved look', 'pillion' ) );
			$this->reject( $values, __( 'The look is not saved because you logged in again, or this page was open too long. Press Save again.', 'pillion' ), Input::posted( 'version' ) );
			return;
		}
		$valid = self::validate( $values );
		if ( is_string( $valid ) ) {
			$this->reject( $values, $valid, Input::posted( 'version' ) );
			return;
		}
		if ( Input::posted( 'version' ) !== Look::current_version() ) {
			// The form gets the version of the other look, so that the next save replaces it.
			$this->reject( $values, self::conflict_message(), Look::version() );
			return;
		}
		Look::save( $valid );
		Admin::redirect_and_exit( self::PAGE, array( 'saved' => 1 ) );
	}

	/**
	 * Shows rejected input again.
	 *
	 * @param Values $values
	 */
	private function reject( array $values, string $problem, string $version ): void {
		$this->rejected = $values;
		$this->problem  = $problem;
		$this->version  = $version;
	}

	private static function conflict_message(): string {
		$latest = Look::stored()[0];
		/* translators: 1: name of a user, 2: a time. */
		return sprintf( __( '%1$s has saved another look at %2$s, so nothing was saved. Check the values in the form and save them again to replace that look.', 'pillion' ), self::user_name( $latest['user'] ), Admin::time( $latest['at'] ) );
	}

	/** @return Values The values of an earlier look, by its time: its position changes with each save. Empty for `theme`. */
	private static function earlier_values( string $at ): array {
		foreach ( Look::stored() as $look ) {
			if ( (string) $look['at'] === $at ) {
				return $look['values'];
			}
		}
		return array();
	}

	/**
	 * The values that the theme lets editors change, or why the site would not show the look.
	 *
	 * @param Values $values
	 * @return Values|string
	 */
	private static function validate( array $values ) {
		$response = self::request_look( $values );
		if ( is_string( $response ) ) {
			/* translators: %s: a sentence. */
			return sprintf( __( 'Nothing was saved, because the site could not check the look. %s', 'pillion' ), $response );
		}
		foreach ( $response['editable'] as $token ) {
			$value = $values[ $token['path'] ] ?? '';
			if ( '' !== $value && 'color' === $token['kind'] && ! preg_match( '/^#[0-9a-f]{6}$/i', $value ) ) {
				/* translators: 1: name of a colour, 2: what was entered. */
				return sprintf( __( '%1$s: “%2$s” is not a colour. Enter # and six digits from 0 to f, such as #2450d8.', 'pillion' ), self::token_label( $token['path'] ), $value );
			}
			if ( '' !== $value && 'font' === $token['kind'] && ! in_array( $value, $token['choices'], true ) ) {
				/* translators: 1: name of a typeface's use, 2: what was entered, 3: names of typefaces. */
				return sprintf( __( '%1$s: the theme has no typeface “%2$s”. Choose %3$s.', 'pillion' ), self::token_label( $token['path'] ), $value, implode( ', ', $token['choices'] ) );
			}
		}
		if ( $response['problems'] ) {
			return self::problem_sentences( $response['problems'] );
		}
		return array_intersect_key( $values, array_fill_keys( array_column( $response['editable'], 'path' ), true ) );
	}

	/** @param Problem[] $problems */
	private static function problem_sentences( array $problems ): string {
		$sentences = array();
		foreach ( $problems as $problem ) {
			$grounds = implode( ', ', array_map( array( self::class, 'token_label' ), $problem['grounds'] ) );
			/* translators: 1: name of a colour, 2: names of the colours behind it, 3: and 4: contrasts, 5: a colour. */
			$sentences[] = sprintf( __( '%1$s cannot be read on %2$s: the contrast is %3$s and must be %4$s. The nearest colour that works is %5$s.', 'pillion' ), self::token_label( $problem['path'] ), $grounds, number_format_i18n( $problem['ratio'], 1 ), number_format_i18n( $problem['asked'], 1 ), $problem['nearest'] );
		}
		return implode( "\n", $sentences );
	}

	/**
	 * Asks the site what may be changed and what cannot be read.
	 *
	 * @param Values $values
	 * @return array{editable: Token[], problems: Problem[]}|string A text about what went wrong.
	 */
	private static function request_look( array $values ) {
		$response = Connection::request( self::PATH, array( 'type' => 'look', 'look' => (object) $values ), self::TIMEOUT_SECONDS );
		if ( is_string( $response ) ) {
			return $response;
		}
		$editable = array();
		foreach ( Data::rows( $response['editable'] ?? null ) as $token ) {
			$editable[] = array(
				'path'    => (string) ( $token['path'] ?? '' ),
				'kind'    => 'font' === ( $token['kind'] ?? '' ) ? 'font' : 'color',
				'value'   => (string) ( $token['value'] ?? '' ),
				'choices' => array_map( 'strval', (array) ( $token['choices'] ?? array() ) ),
			);
		}
		$problems = array();
		foreach ( Data::rows( $response['problems'] ?? null ) as $problem ) {
			$problems[] = array(
				'path'    => (string) ( $problem['path'] ?? '' ),
				'grounds' => array_map( 'strval', (array) ( $problem['grounds'] ?? array() ) ),
				'ratio'   => (float) ( $problem['ratio'] ?? 0 ),
				'asked'   => (float) ( $problem['asked'] ?? 0 ),
				'nearest' => (string) ( $problem['nearest'] ?? '' ),
			);
		}
		return compact( 'editable', 'problems' );
	}

	public function render(): void {
		echo '<div class="wrap pillion-look"><h1>' . esc_html__( 'Look', 'pillion' ) . '</h1><hr class="wp-header-end">';
		if ( '' !== $this->problem ) {
			echo '<div class="notice notice-error" role="alert"><p>' . wp_kses_post( nl2br( esc_html( $this->problem ) ) ) . '</p></div>';
		} elseif ( '' !== Input::query( 'saved' ) ) {
			Admin::notice( 'success', __( 'Saved.', 'pillion' ), 'status' );
		}
		$response = self::request_look( Look::values() );
		if ( is_string( $response ) ) {
			/* translators: %s: a sentence. */
			Admin::notice( 'error inline', sprintf( __( 'The site did not say what may be changed. %s', 'pillion' ), $response ) );
			$this->render_rejected();
			echo '</div>';
			return;
		}
		if ( ! $response['editable'] ) {
			echo '<p>' . esc_html__( 'The theme file of this site lets editors change nothing. A developer can mark colours and typefaces there as editable.', 'pillion' ) . '</p></div>';
			return;
		}
		if ( $response['problems'] ) {
			/* translators: %s: sentences. */
			Admin::notice( 'warning inline', sprintf( __( 'Visitors see the theme without the saved look. %s', 'pillion' ), self::problem_sentences( $response['problems'] ) ) );
		}
		echo '<p>' . esc_html__( 'Colours and typefaces of all pages. Empty fields have the values of the theme. Nothing changes for visitors before you save.', 'pillion' ) . '</p>';
		echo '<div class="pillion-look-parts"><div>';
		$this->render_form( $response['editable'] );
		$this->render_earlier_looks();
		echo '</div>';
		$this->render_pane();
		echo '</div></div>';
	}

	/** @param Token[] $editable */
	private function render_form( array $editable ): void {
		$values = $this->rejected ?? Look::values();
		$groups = array();
		foreach ( $editable as $token ) {
			$groups[ substr( $token['path'], 0, (int) strrpos( $token['path'], '.' ) ) ][] = $token;
		}
		echo '<form method="post" id="pillion-look" data-labels="' . esc_attr( (string) wp_json_encode( self::token_labels() ) ) . '">';
		$this->render_hidden_fields();
		foreach ( $groups as $name => $tokens ) {
			echo '<fieldset><legend><h2>' . esc_html( self::group_label( $name ) ) . '</h2></legend>';
			foreach ( $tokens as $token ) {
				$this->render_field( $token, $values[ $token['path'] ] ?? '' );
			}
			echo '</fieldset>';
		}
		echo '<p id="pillion-look-problems" role="status"></p>';
		submit_button( __( 'Save', 'pillion' ) );
		echo '</form>';
	}

	/** What an editor wanted to save while the site did not respond. */
	private function render_rejected(): void {
		if ( null === $this->rejected ) {
			return;
		}
		echo '<form method="post"><p>' . esc_html__( 'Your values are still here. Press Save when the site responds again.', 'pillion' ) . '</p>';
		$this->render_hidden_fields();
		foreach ( $this->rejected as $path => $value ) {
			echo '<input type="hidden" name="look[' . esc_attr( $path ) . ']" value="' . esc_attr( $value ) . '">';
		}
		submit_button( __( 'Save', 'pillion' ) );
		echo '</form>';
	}

	/** Fields that show where a save comes from, and which look its user has seen. */
	private function render_hidden_fields(): void {
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="version" value="' . esc_attr( '' !== $this->version ? $this->version : Look::version() ) . '">';
	}

	/** @param Token $token */
	private function render_field( array $token, string $value ): void {
		$id         = 'pillion-look-' . str_replace( '.', '-', $token['path'] );
		$attributes = 'id="' . esc_attr( $id ) . '" name="look[' . esc_attr( $token['path'] ) . ']" data-token="' . esc_attr( $token['path'] ) . '" aria-describedby="pillion-look-problems"';
		echo '<p class="pillion-look-field"><label for="' . esc_attr( $id ) . '">' . esc_html( self::role_label( $token['path'] ) ) . '</label>';
		// phpcs:disable WordPress.Security.EscapeOutput.OutputNotEscaped -- $attributes are escaped above.
		if ( 'font' === $token['kind'] ) {
			echo "<select $attributes>";
			foreach ( $token['choices'] as $index => $choice ) {
				echo '<option value="' . esc_attr( 0 === $index ? '' : $choice ) . '"' . selected( $value, 0 === $index ? '' : $choice, false ) . '>' . esc_html( $choice ) . '</option>';
			}
			echo '</select>';
		} else {
			echo "<input type=\"text\" class=\"code\" size=\"9\" spellcheck=\"false\" autocomplete=\"off\" $attributes value=\"" . esc_attr( $value ) . '" placeholder="' . esc_attr( $token['value'] ) . '">';
		}
		// phpcs:enable
		echo '</p>';
	}

	private function render_earlier_looks(): void {
		$stored = Look::stored();
		if ( 1 === count( $stored ) && ! $stored[0]['values'] ) {
			return;
		}
		echo '<h2>' . esc_html__( 'Earlier looks', 'pillion' ) . '</h2><form method="post"><ul>';
		$this->render_hidden_fields();
		foreach ( array_slice( $stored, 1 ) as $look ) {
			if ( $look['values'] ) {
				/* translators: 1: a time, 2: name of a user. */
				$this->render_restore_button( (string) $look['at'], sprintf( __( '%1$s, by %2$s', 'pillion' ), Admin::time( $look['at'] ), self::user_name( $look['user'] ) ) );
			}
		}
		if ( $stored[0]['values'] ) {
			$this->render_restore_button( 'theme', __( 'The theme as it is', 'pillion' ) );
		}
		echo '</ul></form>';
	}

	private function render_restore_button( string $which, string $text ): void {
		/* translators: %s: which look, by time and name. */
		$label = sprintf( __( 'Use again: %s', 'pillion' ), $text );
		echo '<li>' . esc_html( $text ) . ' <button class="button-link" name="earlier" value="' . esc_attr( $which ) . '" aria-label="' . esc_attr( $label ) . '">' . esc_html__( 'Use again', 'pillion' ) . '</button></li>';
	}

	/** The pane in which assets/look.ts previews the look on the site's front page, or the reason why it cannot. */
	private function render_pane(): void {
		$front = Translations::front_id();
		if ( ! $front || ! current_user_can( 'edit_post', $front ) ) {
			echo '<p>' . esc_html( $front ? __( 'The site is not shown here, because you may not edit its front page.', 'pillion' ) : __( 'The site is not shown here, because it has no front page. An administrator can set one under Settings → Reading.', 'pillion' ) ) . '</p>';
			return;
		}
		echo '<div class="pillion-look-pane" data-post="' . esc_attr( (string) $front ) . '"><p role="status"></p></div>';
	}

	private static function user_name( int $user ): string {
		$account = get_userdata( $user );
		return $account ? $account->display_name : __( 'Someone', 'pillion' );
	}

	private static function group_label( string $name ): string {
		$groups = array(
			'color.dark'  => __( 'Colours of the theme “dark”', 'pillion' ),
			'color.light' => __( 'Colours of the theme “light”', 'pillion' ),
			'color'       => __( 'Colours of all pages', 'pillion' ),
			'font'        => __( 'Typefaces', 'pillion' ),
		);
		return $groups[ $name ] ?? __( 'Other colours', 'pillion' );
	}

	/** @return array<string, string> Names of all colours of both themes, by path. */
	private static function token_labels(): array {
		$labels = array();
		foreach ( array( 'dark', 'light' ) as $theme ) {
			foreach ( array_keys( self::role_labels() ) as $role ) {
				$labels[ "color.$theme.$role" ] = self::token_label( "color.$theme.$role" );
			}
		}
		return $labels;
	}

	/** Name of a token within its group. */
	private static function role_label( string $path ): string {
		$name = (string) substr( (string) strrchr( $path, '.' ), 1 );
		return self::role_labels()[ $name ] ?? $name;
	}

	/** @return array<string, string> */
	private static function role_labels(): array {
		return array(
			'background'         => __( 'Background', 'pillion' ),
			'surface'            => __( 'Cards and fields', 'pillion' ),
			'text'               => __( 'Text', 'pillion' ),
			'muted'              => __( 'Less prominent text', 'pillion' ),
			'accent'             => __( 'Accent: buttons and links', 'pillion' ),
			'on-accent'          => __( 'Text on the accent', 'pillion' ),
			'accent-2'           => __( 'Emphasised words', 'pillion' ),
			'accent-in-contrast' => __( 'Accent for visitors who prefer more contrast', 'pillion' ),
			'veil'               => __( 'Shade over pictures', 'pillion' ),
			'sans'               => __( 'Text and headlines', 'pillion' ),
			'serif'              => __( 'Emphasised words', 'pillion' ),
		);
	}

	/** Name of a token with its theme, for messages. */
	private static function token_label( string $path ): string {
		$themes = array( 'color.dark' => __( 'dark', 'pillion' ), 'color.light' => __( 'light', 'pillion' ) );
		$theme  = $themes[ substr( $path, 0, (int) strrpos( $path, '.' ) ) ] ?? '';
		return self::role_label( $path ) . ( $theme ? " ($theme)" : '' );
	}
}
