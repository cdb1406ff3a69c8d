<?php
/**
 * Stores sign-ups in a private post type with WordPress' own list. A repeated delivery is stored once.
 */

namespace Pillion\Forms\Entries;

defined( 'ABSPATH' ) || exit;

use Pillion\Forms\Attribution;
use Pillion\Forms\FieldTypes;
use Pillion\Forms\Forms;
use Pillion\Forms\Notification;
use Pillion\Lib\Admin;
use Pillion\Lib\Data;
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

	/** Labels of the fields at the time of the sign-up, because forms change. */
	const LABELS = '_pillion_labels';

	/** The campaigns that led to the sign-up, as JSON. */
	const CAMPAIGNS = '_pillion_attribution';

	/** Each email address in the answers, in lower case, for requests about personal data. */
	const EMAIL = '_pillion_email';

	/** All rights that WordPress checks for posts of a type. One capability grants them all. */
	const RIGHTS = array( 'edit_posts', 'edit_others_posts', 'edit_private_posts', 'edit_published_posts', 'publish_posts', 'read_private_posts', 'delete_posts', 'delete_others_posts', 'delete_private_posts', 'delete_published_posts' );

	public function register(): void {
		add_action( 'init', array( $this, 'register_type' ) );
		add_action( 'add_meta_boxes_' . self::TYPE, array( $this, 'add_box' ) );
		// WordPress restores posts as drafts.
		add_filter( 'wp_untrash_post_status', static fn( $status, $id ) => self::TYPE === get_post_type( $id ) ? 'private' : $status, 10, 2 );
	}

	public function register_type(): void {
		$capability = Admin::capability();
		register_post_type(
			self::TYPE,
			array(
				'labels'          => array(
					'name'               => __( 'Sign-ups', 'pillion' ),
					'singular_name'      => __( 'Sign-up', 'pillion' ),
					'edit_item'          => __( 'Sign-up', 'pillion' ),
					'not_found'          => __( 'No sign-up found.', 'pillion' ),
					'search_items'       => __( 'Search sign-ups', 'pillion' ),
					'not_found_in_trash' => __( 'No sign-up in the trash.', 'pillion' ),
				),
				'public'          => false,
				'show_ui'         => true,
				'show_in_menu'    => Admin::MENU,
				'supports'        => false,
				'map_meta_cap'    => true,
				'capability_type' => 'page',
				'capabilities'    => array( 'create_posts' => 'do_not_allow' ) + array_fill_keys( self::RIGHTS, $capability ),
				'rewrite'         => false,
				'query_var'       => false,
			)
		);
	}

	/** Sign-ups of a form, without those in the trash. */
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
	 * Stores a sign-up once, even if the site sends it again.
	 *
	 * @param Form                  $form
	 * @param array<string, string> $values     By input id.
	 * @param string                $sign_up_id Empty: repeats are not detected.
	 * @param Sent[]                $files
	 * @param array<string, mixed>  $campaigns  Of Attribution.
	 * @return int|WP_Error Id of the entry; of the first entry if this is a repeat. 503: try again.
	 */
	public static function add( array $form, array $values, string $sign_up_id, array $files = array(), array $campaigns = array() ) {
		if ( '' === $sign_up_id ) {
			return self::insert( $form, $values, null, $files, $campaigns );
		}
		$row = IdempotencyKeys::claim( $sign_up_id, (int) $form['id'] );
		if ( ! $row ) {
			return IdempotencyKeys::busy_error();
		}
		try {
			$before = $row['entry_id'] ? $row['entry_id'] : self::find_unmarked( $sign_up_id );
			$id     = $before ? $before : self::insert( $form, $values, $row, $files, $campaigns );
			if ( ! is_wp_error( $id ) ) {
				// For an entry of `find_unmarked`; `insert` has marked a new one.
				IdempotencyKeys::mark_stored( $row, $id );
				IdempotencyKeys::mark_done( $row );
			}
			return $id;
		} finally {
			IdempotencyKeys::release( $row );
		}
	}

	public function add_box(): void {
		remove_meta_box( 'submitdiv', self::TYPE, 'side' );
		remove_meta_box( 'slugdiv', self::TYPE, 'normal' );
		add_meta_box( 'pillion-answers', __( 'Answers', 'pillion' ), array( $this, 'render_box' ), self::TYPE );
	}

	public function render_box( WP_Post $post ): void {
		$failed = (string) get_post_meta( $post->ID, Notification::FAILED, true );
		if ( '' !== $failed ) {
			/* translators: %s: what the mail server said */
			Admin::notice( 'warning inline', sprintf( __( 'The notification email could not be sent: %s', 'pillion' ), $failed ) );
		}
		echo '<table class="widefat striped">';
		foreach ( self::answers( $post->ID ) as $id => list( $label, $value ) ) {
			$files = EntryFiles::links( $post->ID, (string) $id );
			$html  = '' === $files ? nl2br( esc_html( $value ) ) : $files;
			echo '<tr><th scope="row">' . esc_html( $label ) . '</th><td>' . wp_kses_post( $html ) . '</td></tr>';
		}
		Attribution::render( self::campaigns( $post->ID ) );
		echo '</table>';
	}

	/** @return array<int|string, array{0: string, 1: string}> Labels and values by input id, in the order of the form. */
	public static function answers( int $post_id ): array {
		$form    = Forms::all()[ (int) get_post_meta( $post_id, self::FORM, true ) ] ?? array( 'fields' => array() );
		$labels  = self::stored_map( $post_id, self::LABELS ) + self::labels_of( $form['fields'] );
		$answers = array();
		foreach ( self::stored_map( $post_id, self::VALUES ) as $input_id => $value ) {
			$field_id             = (int) $input_id;
			$label                = $labels[ $input_id ] ?? $labels[ $field_id ] ?? "#$input_id";
			$consent              = $labels[ "$field_id.yes" ] ?? '';
			$answers[ $input_id ] = array( $label, '1' === $value && '' !== $consent ? $consent : $value );
		}
		return $answers;
	}

	/** @return array<int, array{0: string, 1: string}> Labels and values. */
	public static function campaigns( int $post_id ): array {
		return Attribution::to_rows( get_post_meta( $post_id, self::CAMPAIGNS, true ) );
	}

	/** @return array<string, string> Answers, or labels, by input id. */
	private static function stored_map( int $post_id, string $key ): array {
		$values = json_decode( (string) get_post_meta( $post_id, $key, true ), true );
		return array_map( 'strval', array_filter( Data::to_array( $values ), 'is_scalar' ) );
	}

	/**
	 * @param array<int, array<string, mixed>> $fields
	 * @return array<string, string> Labels of the fields and of their parts, by id; for a consent also the text that replaces its
	 * value, as `3.yes`.
	 */
	private static function labels_of( array $fields ): array {
		$labels = array();
		foreach ( $fields as $field ) {
			$labels[ (string) $field['id'] ] = FieldTypes::label( $field );
			if ( 'consent' === $field['type'] ) {
				// The stored value is 1, which means little to a reader.
				$labels[ $field['id'] . '.yes' ] = __( 'Yes', 'pillion' );
			}
			foreach ( FieldTypes::parts( (string) $field['type'] ) as $number => $part ) {
				$labels[ $field['id'] . '.' . $number ] = FieldTypes::label( $field ) . ': ' . $part;
			}
		}
		return $labels;
	}

	/**
	 * Stores the post, its meta and its row of IdempotencyKeys in one transaction.
	 *
	 * @param Form                  $form
	 * @param array<string, string> $values
	 * @param array|null            $row    Of IdempotencyKeys; null if repeats are not detected.
	 * @param Sent[]                $files
	 * @phpstan-param \Pillion\Forms\Entries\IdempotencyKeys::Row|null $row
	 * @return int|WP_Error Id of the entry. 503: try again.
	 */
	private static function insert( array $form, array $values, ?array $row, array $files, array $campaigns ) {
		$sign_up_id   = $row ? $row['sign_up_id'] : '';
		$stored_files = $files ? EntryFiles::store( $files, $sign_up_id ) : '';
		if ( is_wp_error( $stored_files ) ) {
			return $stored_files;
		}
		IdempotencyKeys::begin_transaction();
		$meta      = array( EntryFiles::META => $stored_files, self::CAMPAIGNS => $campaigns ? (string) wp_json_encode( $campaigns ) : '' );
		$id        = self::insert_post( $form, $values, $sign_up_id, array_filter( $meta ) );
		$has_claim = ! $row || ( $id && IdempotencyKeys::mark_stored( $row, $id ) );
		if ( $id && $has_claim && IdempotencyKeys::commit() ) {
			return $id;
		}
		IdempotencyKeys::roll_back();
		EntryFiles::delete_stored( $stored_files );
		return $has_claim ? new WP_Error( 'pillion_not_stored', __( 'The sign-up could not be stored.', 'pillion' ), array( 'status' => 503 ) ) : IdempotencyKeys::busy_error();
	}

	/**
	 * @param Form                  $form
	 * @param array<string, string> $values
	 * @param array<string, string> $more   More meta.
	 * @return int Id of the entry; 0 if a part of it was not written.
	 */
	private static function insert_post( array $form, array $values, string $sign_up_id, array $more ): int {
		$meta       = array(
			self::FORM            => (string) $form['id'],
			self::VALUES          => (string) wp_json_encode( $values ),
			self::LABELS          => (string) wp_json_encode( self::labels_of( $form['fields'] ) ),
			Notification::PENDING => '1',
		) + $more;
		$id         = wp_insert_post(
			array(
				'post_type'    => self::TYPE,
				'post_status'  => 'private',
				'post_title'   => wp_slash( self::entry_title( $form, $values ) ),
				// The slug is the only indexed column that suits an id.
				'post_name'    => $sign_up_id,
				// WordPress searches the content of a post.
				'post_content' => wp_slash( implode( "\n", $values ) ),
			)
		);
		$emails     = array_unique( array_filter( array_map( 'strtolower', $values ), 'is_email' ) );
		$is_written = $id > 0;
		foreach ( $meta as $key => $value ) {
			$is_written = $is_written && add_post_meta( $id, $key, wp_slash( $value ), true );
		}
		foreach ( $emails as $email ) {
			$is_written = $is_written && add_post_meta( $id, self::EMAIL, wp_slash( $email ) );
		}
		if ( $is_written ) {
			return $id;
		}
		// The transaction is rolled back, so a persistent object cache must not keep the post.
		clean_post_cache( $id );
		wp_cache_delete( $id, 'post_meta' );
		return 0;
	}

	/**
	 * @param Form                  $form
	 * @param array<string, string> $values
	 * @return string The visitor's email address; without one the form's title.
	 */
	private static function entry_title( array $form, array $values ): string {
		foreach ( $form['fields'] as $field ) {
			$value = $values[ (string) $field['id'] ] ?? '';
			if ( 'email' === $field['type'] && '' !== $value ) {
				return $value;
			}
		}
		return (string) ( $form['title'] ?? '' );
	}

	/** @return int The entry of a request that died before it marked the row as stored; 0 if there is no complete one. */
	private static function find_unmarked( string $sign_up_id ): int {
		$query = array(
			'post_type'      => self::TYPE,
			'post_status'    => array( 'private', 'trash' ),
			// WordPress renames posts in the trash.
			'post_name__in'  => array( $sign_up_id, $sign_up_id . '__trashed' ),
			'fields'         => 'ids',
			'posts_per_page' => 1,
			'no_found_rows'  => true,
		);
		$id = (int) ( ( new \WP_Query( $query ) )->posts[0] ?? 0 );
		if ( $id && ! metadata_exists( 'post', $id, self::VALUES ) ) {
			// A request died while it wrote, on a database without transactions.
			wp_delete_post( $id, true );
			return 0;
		}
		return $id;
	}
}
