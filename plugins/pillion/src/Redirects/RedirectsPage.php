<?php
/**
 * The screen where an editor manages redirects.
 */

namespace Pillion\Redirects;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;

/** @phpstan-import-type Redirect from Redirects */
final class RedirectsPage {
	const PAGE = 'pillion-redirects';

	const FIELDS = array( 'from', 'status', 'to' );

	/** @var array{from: string, status: string, to: string}|null Rejected input, shown again. */
	private $rejected = null;

	/** @var array<string, string> By field. */
	private $problems = array();

	public function register(): void {
		add_action( 'admin_menu', fn() => Admin::add_screen( $this, self::PAGE, __( 'Redirects', 'pillion' ), Admin::capability() ), 9 );
	}

	public static function removal_url( int $id ): string {
		return wp_nonce_url( Admin::url( self::PAGE, array( 'remove' => $id ) ), 'pillion-remove-' . $id );
	}

	/** Each action ends the request, except a save with problems. */
	public function handle(): void {
		if ( ! current_user_can( Admin::capability() ) ) {
			return;
		}
		$id = absint( Input::query( 'remove' ) );
		if ( $id ) {
			check_admin_referer( 'pillion-remove-' . $id );
			$this->remove_all( array( $id ) );
		} elseif ( 'remove' === Input::query( 'action' ) || 'remove' === Input::query( 'action2' ) ) {
			check_admin_referer( 'bulk-redirects' );
			$this->remove_all( array_map( 'absint', Input::query_list( 'ids' ) ) );
		} elseif ( Input::is_post() ) {
			check_admin_referer( self::PAGE );
			$this->save_submitted( absint( Input::posted( 'id' ) ) );
		}
	}

	/**
	 * Shows the form again with the typed values if there are problems. Otherwise redirects to the list, so that a
	 * reload sends nothing twice.
	 */
	private function save_submitted( int $id ): void {
		$input = array();
		foreach ( self::FIELDS as $field ) {
			$input[ $field ] = Input::posted( $field );
		}
		$result   = RedirectRules::validate( $input, $id );
		$problems = $result['problems'];
		if ( ! $problems && $id && ! Redirects::get( $id ) ) {
			$problems['from'] = __( 'This redirect was removed in the meantime. Add it again.', 'pillion' );
		}
		if ( ! $problems ) {
			// An edited redirect belongs to the editor and is no longer changed automatically.
			$saved = Redirects::save( array( 'id' => $id, 'page' => 0 ) + $result );
			if ( $saved ) {
				Redirects::notify_changed( $result['from'] );
				Admin::redirect_and_exit( self::PAGE, array( 'saved' => $saved ) );
			}
			$problems['from'] = __( 'WordPress could not save the redirect. Please try again.', 'pillion' );
		}
		$this->rejected = $input;
		$this->problems = $problems;
	}

	/** @param int[] $ids */
	private function remove_all( array $ids ): void {
		$redirects = array_values( array_filter( array_map( array( Redirects::class, 'get' ), $ids ) ) );
		foreach ( $redirects as $redirect ) {
			Redirects::remove( $redirect['id'] );
		}
		if ( $redirects ) {
			// One notification for all, because listeners read all redirects again.
			Redirects::notify_changed( $redirects[0]['from'] );
		}
		Admin::redirect_and_exit( self::PAGE, array( 'deleted' => count( $redirects ) ) );
	}

	public function render(): void {
		$id     = absint( Input::query( 'edit' ) );
		$edited = $id ? Redirects::get( $id ) : null;
		echo '<div class="wrap nosubsub"><h1>' . esc_html( $edited ? __( 'Edit redirect', 'pillion' ) : __( 'Redirects', 'pillion' ) ) . '</h1>';
		$this->render_notices( $id, $edited );
		if ( $edited ) {
			$this->render_form( $edited );
			echo '<p><a href="' . esc_url( Admin::url( self::PAGE ) ) . '">' . esc_html__( 'Back to all redirects', 'pillion' ) . '</a></p>';
		} else {
			echo '<p>' . esc_html__( 'Redirects send visitors from old addresses to new ones. A page that moves or is deleted adds its redirect automatically. An existing page at a path takes precedence.', 'pillion' ) . '</p>';
			echo '<div id="col-container" class="wp-clearfix"><div id="col-left"><div class="col-wrap"><div class="form-wrap"><h2>' . esc_html__( 'Add a redirect', 'pillion' ) . '</h2>';
			$this->render_form( null );
			echo '</div></div></div><div id="col-right"><div class="col-wrap">';
			$this->render_list();
			echo '</div></div></div>';
		}
		echo '</div>';
	}

	/** @param Redirect|null $edited */
	private function render_notices( int $id, ?array $edited ): void {
		if ( $this->problems ) {
			Admin::notice( 'error', __( 'The redirect is not saved yet. Correct the fields below.', 'pillion' ), 'alert' );
		} elseif ( $id && ! $edited ) {
			Admin::notice( 'warning', __( 'This redirect no longer exists.', 'pillion' ), 'status' );
		}
		$removed = absint( Input::query( 'deleted' ) );
		if ( $removed ) {
			/* translators: %d: a number */
			Admin::notice( 'success', sprintf( _n( '%d redirect removed.', '%d redirects removed.', $removed, 'pillion' ), $removed ), 'status' );
		}
		$saved = Redirects::get( absint( Input::query( 'saved' ) ) );
		if ( $saved && ! $this->problems ) {
			Admin::notice( 'success', self::saved_message( $saved ), 'status' );
			foreach ( self::warnings_for( $saved ) as $warning ) {
				Admin::notice( 'warning', $warning, 'status' );
			}
		}
	}

	/** @param Redirect $redirect */
	private static function saved_message( array $redirect ): string {
		$from = RedirectRules::readable( $redirect['from'] );
		return 410 === $redirect['status']
			/* translators: %s: a path */
			? sprintf( __( 'Saved: the site shows that %s is gone.', 'pillion' ), $from )
			/* translators: 1: a path, 2: another */
			: sprintf( __( 'Saved: %1$s leads to %2$s.', 'pillion' ), $from, RedirectRules::readable( $redirect['to'] ) );
	}

	/**
	 * @param Redirect $redirect
	 * @return string[] Warnings about possible mistakes.
	 */
	private static function warnings_for( array $redirect ): array {
		$warnings = array();
		$page     = Routes::post_at( $redirect['from'] );
		if ( $page ) {
			/* translators: 1: title of a page, 2: a path */
			$warnings[] = sprintf( __( 'The page “%1$s” has the address %2$s and is shown instead. The redirect works once that page is no longer published.', 'pillion' ), get_the_title( $page ), RedirectRules::readable( $redirect['from'] ) );
		}
		$target = (string) preg_replace( '/[?#].*$/s', '', $redirect['to'] );
		if ( 410 !== $redirect['status'] && ! preg_match( '~^/(media|search)(/|$)~', $target ) && ! Routes::post_at( $target ) && ! Redirects::find_at( (string) RedirectRules::normalise_path( $target ) ) ) {
			/* translators: %s: a path */
			$warnings[] = sprintf( __( 'There is no page at %s, so visitors will see “not found”. Check the path.', 'pillion' ), RedirectRules::readable( $target ) );
		}
		return $warnings;
	}

	/** @param Redirect|null $redirect Null: a new one. */
	private function render_form( ?array $redirect ): void {
		$values = $this->rejected ?? array(
			'from'   => $redirect ? RedirectRules::readable( $redirect['from'] ) : '',
			'status' => (string) ( $redirect ? $redirect['status'] : 301 ),
			'to'     => $redirect ? RedirectRules::readable( $redirect['to'] ) : '',
		);
		// Without styles the field is always visible; with 410 its value is ignored.
		echo '<style>.pillion-redirect:has(option[value="410"]:checked) .pillion-redirect-to{display:none}</style>';
		echo '<form method="post" class="pillion-redirect" action="' . esc_url( Admin::url( self::PAGE, $redirect ? array( 'edit' => $redirect['id'] ) : array() ) ) . '">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="id" value="' . esc_attr( (string) ( $redirect ? $redirect['id'] : 0 ) ) . '">';
		$this->render_text( 'from', __( 'From', 'pillion' ), $values['from'], __( 'The old path on the site, such as /old-page/.', 'pillion' ) );
		$this->render_kind( $values['status'] );
		$this->render_text( 'to', __( 'To', 'pillion' ), $values['to'], __( 'A path on the site, such as /new-page/. It can end with ?… or #….', 'pillion' ) );
		submit_button( $redirect ? __( 'Save', 'pillion' ) : __( 'Add the redirect', 'pillion' ) );
		echo '</form>';
	}

	private function render_text( string $field, string $label, string $value, string $help ): void {
		$id = 'pillion-redirect-' . $field;
		echo '<div class="form-field pillion-redirect-' . esc_attr( $field ) . '"><label for="' . esc_attr( $id ) . '">' . esc_html( $label ) . '</label>';
		echo '<input type="text" class="regular-text code" spellcheck="false" autocapitalize="off" id="' . esc_attr( $id ) . '" name="' . esc_attr( $field ) . '" value="' . esc_attr( $value ) . '"';
		$this->render_note_attributes( $field );
		echo '>';
		$this->render_note( $field, $help );
	}

	private function render_kind( string $value ): void {
		echo '<div class="form-field"><label for="pillion-redirect-status">' . esc_html__( 'What happens', 'pillion' ) . '</label><select id="pillion-redirect-status" name="status"';
		$this->render_note_attributes( 'status' );
		echo '>' . Admin::options( RedirectRules::kinds(), $value ) . '</select>';
		$this->render_note( 'status', __( 'Search engines update permanently moved addresses and remove those that are gone.', 'pillion' ) );
	}

	/** Attributes of a control that refer to its error and its help. The first field with an error gets the focus. */
	private function render_note_attributes( string $field ): void {
		$id          = 'pillion-redirect-' . $field;
		$has_problem = isset( $this->problems[ $field ] );
		echo ' aria-describedby="' . esc_attr( ( $has_problem ? "$id-problem " : '' ) . "$id-help" ) . '"';
		if ( $has_problem ) {
			echo ' aria-invalid="true"' . ( array_key_first( $this->problems ) === $field ? ' autofocus' : '' );
		}
	}

	/** Error and help of a control, and the end of its field. */
	private function render_note( string $field, string $help ): void {
		$id      = 'pillion-redirect-' . $field;
		$problem = $this->problems[ $field ] ?? '';
		if ( $problem ) {
			echo '<div class="notice notice-error inline" id="' . esc_attr( "$id-problem" ) . '"><p>' . esc_html( $problem ) . '</p></div>';
		}
		echo '<p class="description" id="' . esc_attr( "$id-help" ) . '">' . esc_html( $help ) . '</p></div>';
	}

	private function render_list(): void {
		$table = new RedirectsTable();
		$table->prepare_items();
		echo '<form method="get"><input type="hidden" name="page" value="' . esc_attr( self::PAGE ) . '">';
		$table->search_box( __( 'Search redirects', 'pillion' ), 'pillion-redirects' );
		$table->display();
		echo '</form>';
	}
}
