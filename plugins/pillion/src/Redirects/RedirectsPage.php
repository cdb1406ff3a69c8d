<?php
/**
 * The screen where an editor says where old addresses lead.
 */

namespace Pillion\Redirects;

use Pillion\Content\Routes;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;

/**
 * @phpstan-import-type Redirect from Redirects
 */
final class RedirectsPage {
	const PAGE = 'pillion-redirects';

	const FIELDS = array( 'from', 'status', 'to' );

	/** @var array{from: string, status: string, to: string}|null What was typed and refused: shown again to be put right. */
	private $typed = null;

	/** @var array<string, string> By field. */
	private $problems = array();

	public function register(): void {
		add_action( 'admin_menu', array( $this, 'add_page' ), 9 );
		add_filter( 'removable_query_args', array( $this, 'removable' ) );
	}

	public function add_page(): void {
		$page = add_submenu_page( Admin::MENU, __( 'Redirects', 'pillion' ), __( 'Redirects', 'pillion' ), Admin::capability(), self::PAGE, array( $this, 'render' ) );
		add_action( "load-$page", array( $this, 'handle' ) );
	}

	/**
	 * What is said once is not said again when the page is reloaded.
	 *
	 * @param string[] $names
	 * @return string[]
	 */
	public function removable( array $names ): array {
		return array_merge( $names, array( 'saved', 'removed' ) );
	}

	/**
	 * @param array<string, string|int> $arguments
	 */
	public static function url( array $arguments = array() ): string {
		return add_query_arg( array( 'page' => self::PAGE ) + $arguments, admin_url( 'admin.php' ) );
	}

	public static function removal( int $id ): string {
		return wp_nonce_url( self::url( array( 'remove' => $id ) ), 'pillion-remove-' . $id );
	}

	public function handle(): void {
		if ( ! current_user_can( Admin::capability() ) ) {
			return;
		}
		$id = absint( Input::asked( 'remove' ) );
		if ( $id ) {
			check_admin_referer( 'pillion-remove-' . $id );
			$this->remove( array( $id ) );
		}
		if ( 'remove' === Input::asked( 'action' ) || 'remove' === Input::asked( 'action2' ) ) {
			check_admin_referer( 'bulk-redirects' );
			$this->remove( array_map( 'absint', Input::asked_list( 'ids' ) ) );
		}
		if ( Input::is_post() ) {
			check_admin_referer( self::PAGE );
			$this->save( absint( Input::posted( 'id' ) ) );
		}
	}

	/** Where something is wrong the form itself answers, with what was typed; else the list, so that a reload sends nothing twice. */
	private function save( int $id ): void {
		$typed = array();
		foreach ( self::FIELDS as $field ) {
			$typed[ $field ] = Input::posted( $field );
		}
		$read     = RedirectRules::read( $typed, $id );
		$problems = $read['problems'];
		if ( ! $problems && $id && ! Redirects::get( $id ) ) {
			$problems['from'] = __( 'That redirect was removed meanwhile. Add it anew.', 'pillion' );
		}
		if ( ! $problems ) {
			$saved = Redirects::save(
				array(
					'id'     => $id,
					'from'   => $read['from'],
					'status' => $read['status'],
					'to'     => $read['to'],
					// Whoever edits one makes it hers: no page takes it back.
					'page'   => 0,
				)
			);
			if ( $saved ) {
				Redirects::changed( $read['from'] );
				self::go( array( 'saved' => $saved ) );
			}
			$problems['from'] = __( 'WordPress could not keep this. Please try again.', 'pillion' );
		}
		$this->typed    = $typed;
		$this->problems = $problems;
	}

	/**
	 * @param int[] $ids
	 */
	private function remove( array $ids ): void {
		$redirects = array_values( array_filter( array_map( array( Redirects::class, 'get' ), $ids ) ) );
		foreach ( $redirects as $redirect ) {
			Redirects::remove( $redirect['id'] );
		}
		if ( $redirects ) {
			// Once for all: whoever listens reads them anew.
			Redirects::changed( $redirects[0]['from'] );
		}
		self::go( array( 'removed' => count( $redirects ) ) );
	}

	/**
	 * @param array<string, int> $arguments
	 */
	private static function go( array $arguments ): void {
		wp_safe_redirect( self::url( $arguments ) );
		exit;
	}

	public function render(): void {
		$id     = absint( Input::asked( 'edit' ) );
		$edited = $id ? Redirects::get( $id ) : null;
		echo '<div class="wrap nosubsub"><h1>' . esc_html( $edited ? __( 'Edit redirect', 'pillion' ) : __( 'Redirects', 'pillion' ) ) . '</h1>';
		$this->render_notices( $id, $edited );
		if ( $edited ) {
			$this->render_form( $edited );
			echo '<p><a href="' . esc_url( self::url() ) . '">' . esc_html__( 'Back to all redirects', 'pillion' ) . '</a></p>';
		} else {
			echo '<p>' . esc_html__( 'Where visitors are led who ask for an address that no page has any more. A page that moves or is deleted leaves its own; a page that stands at a path always comes first.', 'pillion' ) . '</p>';
			echo '<div id="col-container" class="wp-clearfix"><div id="col-left"><div class="col-wrap"><div class="form-wrap"><h2>' . esc_html__( 'Add a redirect', 'pillion' ) . '</h2>';
			$this->render_form( null );
			echo '</div></div></div><div id="col-right"><div class="col-wrap">';
			$this->render_list();
			echo '</div></div></div>';
		}
		echo '</div>';
	}

	/**
	 * @param Redirect|null $edited
	 */
	private function render_notices( int $id, ?array $edited ): void {
		if ( $this->problems ) {
			self::notice( 'error', __( 'This was not kept yet: see below what is wrong.', 'pillion' ) );
		} elseif ( $id && ! $edited ) {
			self::notice( 'warning', __( 'That redirect is no longer there.', 'pillion' ) );
		}
		$removed = absint( Input::asked( 'removed' ) );
		if ( $removed ) {
			/* translators: %d: a number */
			self::notice( 'success', sprintf( _n( '%d redirect removed.', '%d redirects removed.', $removed, 'pillion' ), $removed ) );
		}
		$saved = Redirects::get( absint( Input::asked( 'saved' ) ) );
		if ( $saved && ! $this->problems ) {
			self::notice( 'success', self::sentence( $saved ) );
			foreach ( self::doubts( $saved ) as $doubt ) {
				self::notice( 'warning', $doubt );
			}
		}
	}

	/**
	 * @param Redirect $redirect
	 */
	private static function sentence( array $redirect ): string {
		$from = RedirectRules::readable( $redirect['from'] );
		return 410 === $redirect['status']
			/* translators: %s: a path */
			? sprintf( __( 'Saved: the site says that %s is gone.', 'pillion' ), $from )
			/* translators: 1: a path, 2: another */
			: sprintf( __( 'Saved: %1$s leads to %2$s.', 'pillion' ), $from, RedirectRules::readable( $redirect['to'] ) );
	}

	/**
	 * What may be meant and may be a slip.
	 *
	 * @param Redirect $redirect
	 * @return string[]
	 */
	private static function doubts( array $redirect ): array {
		$doubts = array();
		$there  = Routes::post_at( $redirect['from'] );
		if ( $there ) {
			/* translators: 1: title of a page, 2: a path */
			$doubts[] = sprintf( __( 'The page “%1$s” stands at %2$s and is shown instead. The redirect works once that page is no longer published.', 'pillion' ), get_the_title( $there ), RedirectRules::readable( $redirect['from'] ) );
		}
		$target = (string) preg_replace( '/[?#].*$/s', '', $redirect['to'] );
		if ( 410 !== $redirect['status'] && ! preg_match( '~^/(media|search)(/|$)~', $target ) && ! Routes::post_at( $target ) && ! Redirects::at( (string) RedirectRules::path( $target ) ) ) {
			/* translators: %s: a path */
			$doubts[] = sprintf( __( 'No page stands at %s now: visitors who are led there find nothing.', 'pillion' ), RedirectRules::readable( $target ) );
		}
		return $doubts;
	}

	private static function notice( string $kind, string $text ): void {
		echo '<div class="notice notice-' . esc_attr( $kind ) . '" role="' . ( 'error' === $kind ? 'alert' : 'status' ) . '"><p>' . esc_html( $text ) . '</p></div>';
	}

	/**
	 * @param Redirect|null $redirect Null: a new one.
	 */
	private function render_form( ?array $redirect ): void {
		$values = $this->typed ?? array(
			'from'   => $redirect ? RedirectRules::readable( $redirect['from'] ) : '',
			'status' => (string) ( $redirect ? $redirect['status'] : 301 ),
			'to'     => $redirect ? RedirectRules::readable( $redirect['to'] ) : '',
		);
		// Without a style the field is always there, and what stands in it counts for nothing with 410.
		echo '<style>.pillion-redirect:has(option[value="410"]:checked) .pillion-redirect-to{display:none}</style>';
		echo '<form method="post" class="pillion-redirect" action="' . esc_url( self::url( $redirect ? array( 'edit' => $redirect['id'] ) : array() ) ) . '">';
		wp_nonce_field( self::PAGE );
		echo '<input type="hidden" name="id" value="' . esc_attr( (string) ( $redirect ? $redirect['id'] : 0 ) ) . '">';
		$this->render_text( 'from', __( 'From', 'pillion' ), $values['from'], __( 'The old path on the site, such as /old-page/.', 'pillion' ) );
		$this->render_kind( $values['status'] );
		$this->render_text( 'to', __( 'To', 'pillion' ), $values['to'], __( 'A path on the site, such as /new-page/, with ?… or #… behind it if need be.', 'pillion' ) );
		submit_button( $redirect ? __( 'Save', 'pillion' ) : __( 'Add the redirect', 'pillion' ) );
		echo '</form>';
	}

	private function render_text( string $field, string $label, string $value, string $help ): void {
		$id = 'pillion-redirect-' . $field;
		echo '<div class="form-field pillion-redirect-' . esc_attr( $field ) . '"><label for="' . esc_attr( $id ) . '">' . esc_html( $label ) . '</label>';
		echo '<input type="text" class="regular-text code" spellcheck="false" autocapitalize="off" id="' . esc_attr( $id ) . '" name="' . esc_attr( $field ) . '" value="' . esc_attr( $value ) . '"';
		$this->render_note( $field, $help );
	}

	private function render_kind( string $value ): void {
		echo '<div class="form-field"><label for="pillion-redirect-status">' . esc_html__( 'What happens', 'pillion' ) . '</label><select id="pillion-redirect-status" name="status"';
		$options = '';
		foreach ( RedirectRules::kinds() as $status => $name ) {
			$options .= '<option value="' . esc_attr( (string) $status ) . '"' . selected( (int) $value, $status, false ) . '>' . esc_html( $name ) . '</option>';
		}
		$this->render_note( 'status', __( 'Search engines keep what is moved for good, and drop what is gone.', 'pillion' ), $options . '</select>' );
	}

	/** Ends a control's tag and its field, with what is wrong before what helps. @param string $rest Escaped already. */
	private function render_note( string $field, string $help, string $rest = '' ): void {
		$id      = 'pillion-redirect-' . $field;
		$problem = $this->problems[ $field ] ?? '';
		$first   = $problem && array_key_first( $this->problems ) === $field;
		echo ' aria-describedby="' . esc_attr( ( $problem ? "$id-problem " : '' ) . "$id-help" ) . '"' . ( $problem ? ' aria-invalid="true"' : '' ) . ( $first ? ' autofocus' : '' ) . '>';
		// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- options escaped above.
		echo $rest;
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
