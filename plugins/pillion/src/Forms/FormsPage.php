<?php
/**
 * Pillion → Forms: the list of forms and the screen of one form. With Gravity Forms active, forms are edited in its
 * screens, and this list shows what the site does not support.
 */

namespace Pillion\Forms;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Strings;
use Pillion\Forms\Entries\Entries;
use Pillion\Forms\Entries\EntriesList;
use Pillion\Forms\Gravity\GravityDescription;
use Pillion\Forms\Gravity\GravityForms;
use Pillion\Forms\Gravity\GravitySupport;
use Pillion\Lib\Admin;
use Pillion\Lib\Assets;
use Pillion\Lib\Input;
use Pillion\Lib\Language;

final class FormsPage {
	const PAGE = 'pillion-forms';

	/** @var array<string, string> Messages about rejected values, by path. */
	private $problems = array();

	/** @var array<string, mixed>|null Values as typed, if they were rejected. */
	private $rejected = null;

	/** @var string Fingerprint of the form that the editor has seen. Empty: of the stored form. */
	private $seen_version = '';

	public function register(): void {
		add_action( 'admin_menu', fn() => Admin::add_screen( $this, self::PAGE, __( 'Forms', 'pillion' ), Admin::capability() ), 9 );
	}

	public function handle(): void {
		wp_enqueue_style( Assets::style( self::PAGE, 'assets/forms.css' ) );
		wp_enqueue_script( Assets::script( self::PAGE, 'assets/forms.js', array( 'wp-a11y', 'wp-i18n' ) ) );
		if ( ! Input::is_post() || ! current_user_can( Admin::capability() ) ) {
			return;
		}
		$id     = absint( Input::posted( 'id' ) );
		$action = Input::posted( 'do' );
		$is_own = Forms::is_fallback();
		if ( $is_own && 'save' === $action ) {
			// Verifies the nonce itself: WordPress' message about an expired one would lose the typed values.
			$this->save_submitted( $id );
			return;
		}
		check_admin_referer( self::PAGE );
		if ( ! $is_own && 'api' === $action ) {
			GravityForms::switch_api_on();
			Admin::redirect_and_exit( self::PAGE );
		}
		if ( $is_own && 'duplicate' === $action && isset( Forms::all()[ $id ] ) ) {
			Admin::redirect_and_exit( self::PAGE, array( 'done' => 'copied', 'form' => Forms::duplicate( $id ) ) );
		}
		if ( $is_own && 'delete' === $action ) {
			Forms::delete( $id );
			Admin::redirect_and_exit( self::PAGE, array( 'done' => 'deleted' ) );
		}
	}

	/** After each failure the screen shows the typed values again. */
	private function save_submitted( int $id ): void {
		$posted             = Input::posted_list( 'form' );
		$this->seen_version = Input::posted( 'version' );
		$before             = Forms::all()[ $id ] ?? array( 'id' => $id );
		if ( ! wp_verify_nonce( sanitize_key( Input::posted( '_wpnonce' ) ), self::PAGE ) ) {
			Admin::reject_foreign_request( Admin::url( self::PAGE, array( 'form' => $id ? $id : 'new' ) ), __( 'Open the saved form', 'pillion' ) );
			$problems = array( 'title' => __( 'The form is not saved because this page was open too long. Press Save again.', 'pillion' ) );
		} elseif ( '' === Input::posted( 'end' ) ) {
			$problems = array( 'fields' => __( 'Fields: the form has more settings than the server accepts (max_input_vars). Remove some fields, or ask the server’s operator to raise the limit.', 'pillion' ) );
		} elseif ( $id && Admin::fingerprint( Forms::all()[ $id ] ?? null ) !== $this->seen_version ) {
			$this->seen_version = '';
			$problems           = array( 'title' => __( 'Another user saved this form while you edited it. Press Save again to replace their version with yours.', 'pillion' ) );
		} else {
			$problems = FormProblems::find( $posted );
		}
		if ( ! $problems ) {
			$saved = Forms::save( FormInput::to_form( $posted, array( 'id' => $id ? $id : Forms::next_id() ) + $before ) );
			Admin::redirect_and_exit( self::PAGE, array( 'form' => $saved, 'done' => 'saved' ) );
		}
		$this->problems = $problems;
		$this->rejected = $posted;
	}

	public function render(): void {
		echo '<div class="wrap">';
		$is_new = 'new' === Input::query( 'form' );
		// 0: a new form, or the list.
		$id = absint( Input::query( 'form' ) );
		if ( ! Forms::is_fallback() ) {
			$this->render_gravity();
		} elseif ( 'delete' === Input::query( 'do' ) && isset( Forms::all()[ $id ] ) ) {
			$this->render_delete( $id );
		} elseif ( $is_new || isset( Forms::all()[ $id ] ) || null !== $this->rejected ) {
			// A rejected form can be one that another user has deleted.
			$this->render_form( $id );
		} else {
			$this->render_list();
		}
		echo '</div>';
	}

	private function render_form( int $id ): void {
		$form = Forms::all()[ $id ] ?? FormInput::new_form();
		echo '<h1 class="wp-heading-inline">' . esc_html( $id ? __( 'Edit form', 'pillion' ) : __( 'Add form', 'pillion' ) ) . '</h1> ';
		echo '<a class="page-title-action" href="' . esc_url( Admin::url( self::PAGE ) ) . '">' . esc_html__( 'All forms', 'pillion' ) . '</a><hr class="wp-header-end">';
		if ( null === $this->rejected ) {
			$this->render_done_notice();
		}
		$screen = new FormScreen( $this->rejected ?? FormInput::from_form( $form ), $this->problems );
		$screen->render( $id, '' !== $this->seen_version ? $this->seen_version : Admin::fingerprint( Forms::all()[ $id ] ?? null ), $form );
	}

	private function render_done_notice(): void {
		$done = array(
			'saved'   => __( 'Form saved.', 'pillion' ),
			'copied'  => __( 'Form copied. Give the copy a new name.', 'pillion' ),
			'deleted' => __( 'Form deleted.', 'pillion' ),
		);
		$key  = sanitize_key( Input::query( 'done' ) );
		if ( isset( $done[ $key ] ) ) {
			Admin::notice( 'success is-dismissible', $done[ $key ], 'status' );
		}
	}

	private function render_list(): void {
		echo '<h1 class="wp-heading-inline">' . esc_html__( 'Forms', 'pillion' ) . '</h1> ';
		echo '<a class="page-title-action" href="' . esc_url( Admin::url( self::PAGE, array( 'form' => 'new' ) ) ) . '">' . esc_html__( 'Add form', 'pillion' ) . '</a><hr class="wp-header-end">';
		$this->render_done_notice();
		Admin::begin_table( array( __( 'Form', 'pillion' ), __( 'Fields', 'pillion' ), __( 'Sign-ups', 'pillion' ), __( 'Number', 'pillion' ) ), 'pillion-list' );
		foreach ( Forms::all() as $id => $form ) {
			$this->render_row( $id, $form );
		}
		echo Forms::all() ? '' : '<tr><td colspan="4">' . esc_html__( 'No form yet.', 'pillion' ) . '</td></tr>';
		Admin::end_table();
	}

	private function render_row( int $id, array $form ): void {
		$edit_url    = Admin::url( self::PAGE, array( 'form' => $id ) );
		$entries_url = add_query_arg( array( 'post_type' => Entries::TYPE, EntriesList::FILTER => $id ), admin_url( 'edit.php' ) );
		echo '<tr><td><strong><a class="row-title" href="' . esc_url( $edit_url ) . '">' . esc_html( Forms::title( $form, $id ) ) . '</a></strong>';
		foreach ( array_filter( array_map( array( FieldTypes::class, 'unsupported_message' ), $form['fields'] ) ) as $problem ) {
			Admin::notice( 'warning inline', $problem );
		}
		echo '<form method="post" class="row-actions visible"><a href="' . esc_url( $edit_url ) . '">' . esc_html__( 'Edit', 'pillion' ) . '</a> | ';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="id" value="' . (int) $id . '"><button class="button-link" name="do" value="duplicate">' . esc_html__( 'Duplicate', 'pillion' ) . '</button> | ';
		echo '<a class="submitdelete" href="' . esc_url( Admin::url( self::PAGE, array( 'form' => $id, 'do' => 'delete' ) ) ) . '">' . esc_html__( 'Delete', 'pillion' ) . '</a></form></td>';
		echo '<td>' . count( $form['fields'] ) . '</td><td><a href="' . esc_url( $entries_url ) . '">' . (int) Entries::count( $id ) . '</a></td><td>' . (int) $id . '</td></tr>';
	}

	private function render_delete( int $id ): void {
		$sign_ups = Entries::count( $id );
		/* translators: %s: name of a form */
		echo '<h1>' . esc_html( sprintf( __( 'Delete “%s”?', 'pillion' ), Forms::title( Forms::all()[ $id ], $id ) ) ) . '</h1>';
		foreach ( Language::all() as $lang ) {
			if ( (int) ( Strings::stored( $lang )['form.form_id'] ?? 0 ) === $id ) {
				/* translators: %s: a language, like en */
				Admin::notice( 'error inline', sprintf( __( 'The site shows this form (%s). Choose another form under Texts first, or visitors will see no form.', 'pillion' ), $lang ) );
			}
		}
		if ( $sign_ups ) {
			/* translators: %d: a number */
			Admin::notice( 'warning inline', sprintf( _n( '%d sign-up was sent with this form. It stays under Sign-ups.', '%d sign-ups were sent with this form. They stay under Sign-ups.', $sign_ups, 'pillion' ), $sign_ups ) );
		}
		echo '<p>' . esc_html__( 'A deleted form cannot be restored.', 'pillion' ) . '</p><form method="post" action="' . esc_url( Admin::url( self::PAGE ) ) . '">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="do" value="delete"><input type="hidden" name="id" value="' . (int) $id . '">';
		submit_button( __( 'Delete form', 'pillion' ), 'primary', 'submit', false );
		echo ' <a class="button" href="' . esc_url( Admin::url( self::PAGE ) ) . '">' . esc_html__( 'Cancel', 'pillion' ) . '</a></form>';
	}

	private function render_gravity(): void {
		echo '<h1>' . esc_html__( 'Forms', 'pillion' ) . '</h1><hr class="wp-header-end">';
		echo '<p>' . esc_html__( 'Gravity Forms is active: edit your forms there. This list shows what the site supports.', 'pillion' ) . '</p>';
		$this->render_api_button();
		Admin::begin_table( array( __( 'Form', 'pillion' ), __( 'Support on the site', 'pillion' ) ), 'pillion-list' );
		foreach ( GravityForms::all() as $form ) {
			$this->render_gravity_row( $form );
		}
		Admin::end_table();
	}

	/** The REST API of Gravity Forms is off by default, and the site needs it. */
	private function render_api_button(): void {
		if ( GravityForms::is_api_on() ) {
			return;
		}
		echo '<div class="notice notice-error inline"><p><strong>' . esc_html__( 'The site cannot read these forms: Gravity Forms’ REST API is off.', 'pillion' ) . '</strong> ';
		echo esc_html__( 'New sign-ups wait on the site until it is on. Enable it under Forms → Settings → REST API, or here:', 'pillion' ) . '</p><form method="post">';
		wp_nonce_field( self::PAGE );
		echo '<p><button class="button button-primary" name="do" value="api">' . esc_html__( 'Enable the REST API', 'pillion' ) . '</button></p></form></div>';
	}

	private function render_gravity_row( array $form ): void {
		$id = (int) ( $form['id'] ?? 0 );
		echo '<tr><td><strong><a class="row-title" href="' . esc_url( add_query_arg( array( 'page' => 'gf_edit_forms', 'id' => $id ), admin_url( 'admin.php' ) ) ) . '">' . esc_html( Forms::title( $form, $id ) ) . '</a></strong></td><td>';
		$closed   = GravityDescription::closed_reason( $form );
		$findings = GravitySupport::findings_for( $form );
		if ( $closed ) {
			/* translators: %s: why, in a word of Gravity Forms or its own message */
			echo '<p>' . esc_html( sprintf( __( 'Closed at the moment: %s', 'pillion' ), '' !== $closed['message'] ? wp_strip_all_tags( $closed['message'] ) : $closed['reason'] ) ) . '</p>';
		}
		foreach ( $findings as $finding ) {
			$this->render_finding( $finding );
		}
		echo $findings ? '' : esc_html__( 'Fully supported.', 'pillion' );
		echo '</td></tr>';
	}

	/**
	 * @param array{field: int|null, label: string, what: string, level: string, then: string, blocks: bool} $finding Of
	 * GravitySupport. `what`: kind of field or setting; `then`: the consequence; `blocks`: all sign-ups are rejected.
	 */
	private function render_finding( array $finding ): void {
		$is_left_out = GravitySupport::LEFT_OUT === $finding['level'];
		$support     = $is_left_out ? __( 'is not shown.', 'pillion' ) : __( 'works with a difference.', 'pillion' );
		$name        = null === $finding['field'] ? $finding['what'] : '“' . $finding['label'] . '” (' . $finding['what'] . ')';
		$text        = "$name $support " . ( '' === $finding['then'] ? '' : translate( $finding['then'], 'pillion' ) ); // phpcs:ignore WordPress.WP.I18n -- the table of GravitySupport has the text.
		if ( $finding['blocks'] ) {
			$text .= ' ' . __( 'It is required, so Gravity Forms rejects every sign-up from the site. Make it optional, or remove it.', 'pillion' );
		}
		Admin::notice( ( $finding['blocks'] ? 'error' : ( $is_left_out ? 'warning' : 'info' ) ) . ' inline', trim( $text ) );
	}
}
