<?php
/**
 * The list of redirects, as a WordPress list table.
 */

namespace Pillion\Redirects;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;

require_once ABSPATH . 'wp-admin/includes/class-wp-list-table.php';

/** @phpstan-import-type Redirect from Redirects */
final class RedirectsTable extends \WP_List_Table {
	const PER_PAGE = 30;

	public function __construct() {
		parent::__construct( array( 'singular' => 'redirect', 'plural' => 'redirects' ) );
	}

	/** @return array<string, string> */
	public function get_columns(): array {
		return array(
			'cb'     => '<input type="checkbox">',
			'from'   => __( 'From', 'pillion' ),
			'status' => __( 'What happens', 'pillion' ),
			'to'     => __( 'To', 'pillion' ),
			'made'   => __( 'Made by', 'pillion' ),
		);
	}

	public function prepare_items(): void {
		$search                = self::search();
		$this->_column_headers = array( $this->get_columns(), array(), array(), 'from' );
		$this->items           = Redirects::find( self::PER_PAGE, ( $this->get_pagenum() - 1 ) * self::PER_PAGE, $search, 'ID DESC' );
		$this->set_pagination_args(
			array(
				'total_items' => Redirects::count( $search ),
				'per_page'    => self::PER_PAGE,
			)
		);
	}

	public function no_items(): void {
		echo esc_html( '' === self::search() ? __( 'No redirect yet.', 'pillion' ) : __( 'No redirect matches your search.', 'pillion' ) );
	}

	/** Not `sanitize_text_field`, which removes the encoded letters of a path. */
	private static function search(): string {
		return trim( Input::query( 's' ) );
	}

	/** @return array<string, string> */
	protected function get_bulk_actions(): array {
		return array( 'remove' => __( 'Remove', 'pillion' ) );
	}

	/** @param Redirect $item */
	protected function column_cb( $item ): string {
		/* translators: %s: a path */
		$label = sprintf( __( 'Select %s', 'pillion' ), RedirectRules::readable( $item['from'] ) );
		return '<input type="checkbox" name="ids[]" value="' . $item['id'] . '" aria-label="' . esc_attr( $label ) . '">';
	}

	/** @param Redirect $item */
	protected function column_from( $item ): string {
		$from = RedirectRules::readable( $item['from'] );
		$edit = Admin::url( RedirectsPage::PAGE, array( 'edit' => $item['id'] ) );
		$note = Routes::post_at( $item['from'] ) ? '<br>' . esc_html__( 'A page has this address and is shown instead.', 'pillion' ) : '';
		$html = '<strong><a class="row-title" href="' . esc_url( $edit ) . '">' . esc_html( $from ) . '</a></strong>' . $note;
		return $html . $this->row_actions(
			array(
				/* translators: %s: a path */
				'edit'   => self::action( $edit, __( 'Edit', 'pillion' ), sprintf( __( 'Edit the redirect from %s', 'pillion' ), $from ) ),
				/* translators: %s: a path */
				'delete' => self::action( RedirectsPage::removal_url( $item['id'] ), __( 'Remove', 'pillion' ), sprintf( __( 'Remove the redirect from %s', 'pillion' ), $from ) ),
			)
		);
	}

	/** @param Redirect $item */
	protected function column_status( $item ): string {
		return esc_html( RedirectRules::kinds()[ $item['status'] ] ?? (string) $item['status'] );
	}

	/** @param Redirect $item */
	protected function column_to( $item ): string {
		return 410 === $item['status'] ? '<span aria-hidden="true">—</span>' : esc_html( RedirectRules::readable( $item['to'] ) );
	}

	/** @param Redirect $item */
	protected function column_made( $item ): string {
		if ( ! $item['page'] ) {
			return esc_html__( 'An editor', 'pillion' );
		}
		return esc_html( 410 === $item['status'] ? __( 'Automatic: the page was deleted', 'pillion' ) : __( 'Automatic: the page moved', 'pillion' ) );
	}

	private static function action( string $url, string $text, string $label ): string {
		return '<a href="' . esc_url( $url ) . '" aria-label="' . esc_attr( $label ) . '">' . esc_html( $text ) . '</a>';
	}
}
