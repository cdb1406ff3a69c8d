<?php
/**
 * What visitors sent in: a private post type, with WordPress' own list. Each is stored once, however often it comes.
 */

namespace Pillion;

use WP_Error;
use WP_Post;

/**
 * @phpstan-import-type Form from Forms
 * @phpstan-import-type Sent from EntryFiles
 */
final class Entries {
	const TYPE = 'pillion_entry';

	const FORM = '_pillion_form';

	const VALUES = '_pillion_values';

	/** A lock older than this, in seconds, was left by a request that died. */
	const LOCK_SECONDS = 30;

	public function register(): void {
		add_action( 'init', array( $this, 'register_type' ) );
		add_filter( 'manage_' . self::TYPE . '_posts_columns', array( $this, 'columns' ) );
		add_action( 'manage_' . self::TYPE . '_posts_custom_column', array( $this, 'render_column' ), 10, 2 );
		add_action( 'add_meta_boxes_' . self::TYPE, array( $this, 'add_box' ) );
	}

	public function register_type(): void {
		$capability = Admin::capability();
		register_post_type(
			self::TYPE,
			array(
				'labels'          => array(
					'name'          => __( 'Sign-ups', 'pillion' ),
					'singular_name' => __( 'Sign-up', 'pillion' ),
					'edit_item'     => __( 'Sign-up', 'pillion' ),
					'not_found'     => __( 'No sign-up yet.', 'pillion' ),
				),
				'public'          => false,
				'show_ui'         => Forms::is_fallback(),
				'show_in_menu'    => Admin::MENU,
				'supports'        => false,
				'map_meta_cap'    => true,
				'capability_type' => 'page',
				'capabilities'    => array(
					'create_posts' => 'do_not_allow',
					'edit_posts'   => $capability,
				),
				'rewrite'         => false,
				'query_var'       => false,
			)
		);
	}

	public static function count( int $form_id ): int {
		$query = array(
			'post_type'      => self::TYPE,
			'post_status'    => 'private',
			'meta_key'       => self::FORM,
			'meta_value'     => $form_id,
			'fields'         => 'ids',
			'posts_per_page' => 1,
		);
		return ( new \WP_Query( $query ) )->found_posts;
	}

	/**
	 * @param Form                  $form
	 * @param array<string, string> $values     By input id.
	 * @param string                $sign_up_id Empty: nothing to tell a repeat by.
	 * @param Sent[]                $files
	 * @return int|WP_Error Id of the entry, of the first one where it was sent before. 503: try again.
	 */
	public static function add( array $form, array $values, string $sign_up_id, array $files = array() ) {
		if ( '' === $sign_up_id ) {
			return self::insert( $form, $values, '', $files );
		}
		if ( ! self::lock( $sign_up_id ) ) {
			return new WP_Error( 'pillion_busy', __( 'The same sign-up is being stored at this moment.', 'pillion' ), array( 'status' => 503 ) );
		}
		try {
			$before = self::find( $sign_up_id );
			return $before ? $before : self::insert( $form, $values, $sign_up_id, $files );
		} finally {
			delete_option( self::lock_name( $sign_up_id ) );
		}
	}

	/**
	 * @param string[] $columns
	 * @return array<string, string>
	 */
	public function columns( array $columns ): array {
		return array(
			'cb'            => $columns['cb'] ?? '',
			'title'         => __( 'Sign-up', 'pillion' ),
			'pillion_form'  => __( 'Form', 'pillion' ),
			'pillion_given' => __( 'Answers', 'pillion' ),
			'date'          => __( 'Date', 'pillion' ),
		);
	}

	public function render_column( string $column, int $post_id ): void {
		$form = (int) get_post_meta( $post_id, self::FORM, true );
		if ( 'pillion_form' === $column ) {
			echo esc_html( Forms::all()[ $form ]['title'] ?? "#$form" );
		}
		if ( 'pillion_given' === $column ) {
			echo esc_html( implode( ' · ', self::values( $post_id ) ) );
		}
	}

	public function add_box(): void {
		remove_meta_box( 'submitdiv', self::TYPE, 'side' );
		remove_meta_box( 'slugdiv', self::TYPE, 'normal' );
		add_meta_box( 'pillion-answers', __( 'Answers', 'pillion' ), array( $this, 'render_box' ), self::TYPE );
	}

	public function render_box( WP_Post $post ): void {
		$labels = self::labels( (int) get_post_meta( $post->ID, self::FORM, true ) );
		echo '<table class="widefat striped">';
		foreach ( self::values( $post->ID ) as $id => $value ) {
			$files = EntryFiles::links( $post->ID, (string) $id );
			$shown = '' === $files ? nl2br( esc_html( $value ) ) : $files;
			echo '<tr><th scope="row">' . esc_html( $labels[ (int) $id ] ?? "#$id" ) . '</th><td>' . wp_kses_post( $shown ) . '</td></tr>';
		}
		echo '</table>';
	}

	/**
	 * @return array<string, string> Answers by input id.
	 */
	private static function values( int $post_id ): array {
		$values = json_decode( (string) get_post_meta( $post_id, self::VALUES, true ), true );
		return array_map( 'strval', array_filter( is_array( $values ) ? $values : array(), 'is_scalar' ) );
	}

	/**
	 * @return array<int, string> Labels by field id.
	 */
	private static function labels( int $form_id ): array {
		$fields = Forms::all()[ $form_id ]['fields'] ?? array();
		return array_column( array_filter( $fields, 'is_array' ), 'label', 'id' );
	}

	/**
	 * @param Form                  $form
	 * @param array<string, string> $values
	 * @param Sent[]                $files
	 * @return int|WP_Error
	 */
	private static function insert( array $form, array $values, string $sign_up_id, array $files ) {
		$kept = $files ? EntryFiles::keep( $files, $sign_up_id ) : '';
		if ( is_wp_error( $kept ) ) {
			return $kept;
		}
		$entry = array(
			'post_type'   => self::TYPE,
			'post_status' => 'private',
			'post_title'  => wp_slash( self::title( $form, $values ) ),
			// The slug is the one indexed place a repeat can be looked up by.
			'post_name'   => $sign_up_id,
			'meta_input'  => array(
				self::FORM   => (int) $form['id'],
				self::VALUES => wp_slash( (string) wp_json_encode( $values ) ),
			) + ( '' === $kept ? array() : array( EntryFiles::META => wp_slash( $kept ) ) ),
		);
		return wp_insert_post( $entry, true );
	}

	/**
	 * @param Form                  $form
	 * @param array<string, string> $values
	 */
	private static function title( array $form, array $values ): string {
		foreach ( $form['fields'] as $field ) {
			$value = $values[ (string) ( $field['id'] ?? '' ) ] ?? '';
			if ( 'email' === ( $field['type'] ?? '' ) && '' !== $value ) {
				return $value;
			}
		}
		return (string) ( $form['title'] ?? '' );
	}

	private static function find( string $sign_up_id ): int {
		$query = array(
			'post_type'      => self::TYPE,
			'post_status'    => array( 'private', 'trash' ),
			// WordPress renames what goes to the trash.
			'post_name__in'  => array( $sign_up_id, $sign_up_id . '__trashed' ),
			'fields'         => 'ids',
			'posts_per_page' => 1,
			'no_found_rows'  => true,
		);
		return (int) ( ( new \WP_Query( $query ) )->posts[0] ?? 0 );
	}

	/** Two requests for one sign-up at the same moment: the unique name in the options table lets one through. */
	private static function lock( string $sign_up_id ): bool {
		global $wpdb;
		$name  = self::lock_name( $sign_up_id );
		$query = "INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
		if ( $wpdb->query( $wpdb->prepare( $query, $name, time() ) ) ) {
			return true;
		}
		$since = (int) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM $wpdb->options WHERE option_name = %s", $name ) );
		if ( $since > time() - self::LOCK_SECONDS ) {
			return false;
		}
		$taken = $wpdb->query( $wpdb->prepare( "UPDATE $wpdb->options SET option_value = %s WHERE option_name = %s AND option_value = %s", time(), $name, $since ) );
		return (bool) $taken;
	}

	private static function lock_name( string $sign_up_id ): string {
		return 'pillion_lock_' . $sign_up_id;
	}
}
