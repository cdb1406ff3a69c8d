<?php
/**
 * The columns, actions and the form filter of WordPress' own list of sign-ups.
 */

namespace Pillion\Forms\Entries;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\Forms;
use Pillion\Lib\Admin;
use Pillion\Lib\Input;
use WP_Post;
use WP_Query;

final class EntriesList {
	/** Query parameter of the filter. */
	const FILTER = 'pillion_form';

	public function register(): void {
		add_filter( 'manage_' . Entries::TYPE . '_posts_columns', array( $this, 'set_columns' ) );
		add_action( 'manage_' . Entries::TYPE . '_posts_custom_column', array( $this, 'render_column' ), 10, 2 );
		add_filter( 'bulk_actions-edit-' . Entries::TYPE, array( $this, 'remove_bulk_edit' ) );
		add_filter( 'page_row_actions', array( $this, 'replace_row_actions' ), 10, 2 );
		add_filter( 'post_row_actions', array( $this, 'replace_row_actions' ), 10, 2 );
		add_filter( 'display_post_states', array( $this, 'hide_states' ), 10, 2 );
		add_filter( 'post_date_column_status', array( $this, 'set_date_status' ), 10, 2 );
		add_action( 'restrict_manage_posts', array( $this, 'render_filter' ) );
		add_action( 'pre_get_posts', array( $this, 'apply_filter' ) );
	}

	/**
	 * @param string[] $columns
	 * @return array<string, string>
	 */
	public function set_columns( array $columns ): array {
		return array(
			'cb'            => $columns['cb'] ?? '',
			'title'         => __( 'Sign-up', 'pillion' ),
			'pillion_form'  => __( 'Form', 'pillion' ),
			'pillion_given' => __( 'Answers', 'pillion' ),
			'date'          => __( 'Date', 'pillion' ),
		);
	}

	public function render_column( string $column, int $post_id ): void {
		$form = (int) get_post_meta( $post_id, Entries::FORM, true );
		if ( 'pillion_form' === $column ) {
			echo esc_html( Forms::title( Forms::all()[ $form ] ?? array(), $form ) );
		}
		if ( 'pillion_given' === $column ) {
			echo esc_html( implode( ' · ', array_column( Entries::answers( $post_id ), 1 ) ) );
		}
	}

	/**
	 * @param array<string, string> $actions
	 * @return array<string, string> Without bulk edit: answers of visitors cannot be changed.
	 */
	public function remove_bulk_edit( array $actions ): array {
		unset( $actions['edit'] );
		return $actions;
	}

	/**
	 * @param array<string, string> $actions
	 * @return array<string, string>
	 */
	public function replace_row_actions( array $actions, WP_Post $post ): array {
		if ( Entries::TYPE !== $post->post_type ) {
			return $actions;
		}
		unset( $actions['inline hide-if-no-js'], $actions['view'] );
		if ( isset( $actions['edit'] ) ) {
			$actions['edit'] = '<a href="' . esc_url( (string) get_edit_post_link( $post->ID ) ) . '">' . esc_html__( 'Read', 'pillion' ) . '</a>';
		}
		return $actions;
	}

	/**
	 * @param array<string, string> $states
	 * @return array<string, string> Without “Private”, which all sign-ups are.
	 */
	public function hide_states( array $states, WP_Post $post ): array {
		return Entries::TYPE === $post->post_type ? array() : $states;
	}

	/** Sign-ups do not change, so their date is the date of receipt. */
	public function set_date_status( string $status, WP_Post $post ): string {
		return Entries::TYPE === $post->post_type ? __( 'Received', 'pillion' ) : $status;
	}

	public function render_filter( string $type ): void {
		if ( Entries::TYPE !== $type ) {
			return;
		}
		$name  = __( 'Filter by form', 'pillion' );
		$forms = array( '' => __( 'All forms', 'pillion' ) );
		foreach ( Forms::all() as $id => $form ) {
			$forms[ $id ] = Forms::title( $form, $id );
		}
		echo '<label class="screen-reader-text" for="pillion-filter">' . esc_html( $name ) . '</label><select id="pillion-filter" name="' . esc_attr( self::FILTER ) . '">' . Admin::options( $forms, (string) self::selected_form() ) . '</select>';
	}

	public function apply_filter( WP_Query $query ): void {
		if ( is_admin() && $query->is_main_query() && Entries::TYPE === $query->get( 'post_type' ) && self::selected_form() ) {
			$query->set( 'meta_key', Entries::FORM );
			$query->set( 'meta_value', self::selected_form() );
		}
	}

	private static function selected_form(): int {
		return absint( Input::query( self::FILTER ) );
	}
}
