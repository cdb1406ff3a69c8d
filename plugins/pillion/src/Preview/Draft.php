<?php
/**
 * What a preview shows of one post: the post as it would be if it were published now, and the meta that would go with it.
 */

namespace Pillion\Preview;

use Pillion\Content\Routes;
use WP_Post;

final class Draft {
	/** What WordPress and we note of a revision for ourselves: no part of the page. */
	const PRIVATE_META = '/^_(?:edit_|wp_(?!page_template)|oembed_|pillion_preview_)/';

	/** @var WP_Post What is saved. */
	public $saved;

	/** @var WP_Post As it would be published. */
	public $post;

	/** @var array<string, mixed[]> Values by key, where they may differ from what is saved. */
	public $meta = array();

	/** @var string When what is shown was saved, in UTC, as MySQL writes it. */
	public $saved_at;

	/** @var bool Whether something is shown that was not saved. */
	public $is_unsaved = false;

	private function __construct( WP_Post $saved ) {
		$this->saved    = $saved;
		$this->saved_at = self::modified( $saved );
	}

	/** The post, where it is one that the site shows; null: gone. */
	public static function find( int $id ): ?WP_Post {
		$post = get_post( $id );
		return $post && in_array( $post->post_type, Routes::types(), true ) ? $post : null;
	}

	/**
	 * What is saved, or the user's autosave where it is newer and says something else.
	 *
	 * @param int $user Whose autosave; 0: none, only what is saved.
	 */
	public static function saved( WP_Post $post, int $user ): self {
		$draft    = new self( $post );
		$autosave = $user ? self::autosave( $post, $user ) : null;
		$fields   = array();
		if ( $autosave ) {
			$fields      = array_intersect_key( get_object_vars( $autosave ), array_flip( array( 'post_title', 'post_content', 'post_excerpt' ) ) );
			$draft->meta = self::autosaved_meta( $post, $autosave );
			$draft->note_difference( $fields );
			$draft->saved_at = $draft->is_unsaved ? self::modified( $autosave ) : $draft->saved_at;
		} elseif ( $user ) {
			$draft->take_chosen_picture( $user );
		}
		$draft->post = self::published( $post, $fields, $draft->saved_at );
		return $draft;
	}

	/** A featured picture that was chosen for a preview while nothing else was changed. */
	private function take_chosen_picture( int $user ): void {
		$chosen = AutosavedMeta::chosen_picture( $this->saved->ID, $user, $this->saved_at );
		if ( $chosen ) {
			$this->meta = array( AutosavedMeta::THUMBNAIL => $chosen['picture'] ? array( (string) $chosen['picture'] ) : array() );
			$this->note_difference( array() );
			$this->saved_at = $this->is_unsaved ? $chosen['at'] : $this->saved_at;
		}
	}

	/**
	 * What is typed in the editor and not saved. What is not given is as saved; what this user may not write is changed as a
	 * save would change it.
	 *
	 * @param array<string, mixed> $given Of `content`, `title`, `excerpt`, `template`, `featured_media`, `meta`, `slug`.
	 */
	public static function typed( WP_Post $post, array $given ): self {
		$draft  = new self( $post );
		$fields = array();
		foreach ( array( 'title', 'content', 'excerpt' ) as $name ) {
			if ( isset( $given[ $name ] ) ) {
				// WordPress' filters of a save, kses among them, take and give texts with slashes.
				$fields[ "post_$name" ] = wp_unslash( sanitize_post_field( "post_$name", wp_slash( $given[ $name ] ), $post->ID, 'db' ) );
			}
		}
		if ( isset( $given['slug'] ) ) {
			$fields['post_name'] = sanitize_title( $given['slug'] );
		}
		$draft->meta = TypedMeta::read( $post, $given );
		$draft->note_difference( $fields );
		$draft->post = self::published( $post, $fields, $draft->saved_at );
		return $draft;
	}

	/**
	 * @param array<string, string> $fields
	 */
	private function note_difference( array $fields ): void {
		foreach ( $fields as $name => $value ) {
			$this->is_unsaved = $this->is_unsaved || $value !== $this->saved->$name;
		}
		foreach ( $this->meta as $key => $values ) {
			$this->is_unsaved = $this->is_unsaved || self::told( $values ) !== self::told( get_metadata_raw( 'post', $this->saved->ID, $key ) );
		}
	}

	/**
	 * Values for a comparison: nothing kept says the same as something empty, and the database keeps numbers as texts.
	 *
	 * @param mixed $values
	 * @return string[]
	 */
	private static function told( $values ): array {
		$told = array_map(
			static function ( $value ): string {
				return is_scalar( $value ) ? (string) $value : (string) maybe_serialize( $value );
			},
			is_array( $values ) ? array_values( $values ) : array()
		);
		return array( '' ) === array_unique( $told ) || array( '0' ) === $told ? array() : $told;
	}

	private static function autosave( WP_Post $post, int $user ): ?WP_Post {
		$query = array(
			'post_type'        => 'revision',
			'post_status'      => 'inherit',
			'post_parent'      => $post->ID,
			'author'           => $user,
			'name'             => "$post->ID-autosave-v1",
			'orderby'          => 'modified',
			'order'            => 'DESC',
			'numberposts'      => 1,
			'suppress_filters' => true,
		);
		$found = get_posts( $query );
		return $found && self::modified( $found[0] ) > self::modified( $post ) ? $found[0] : null;
	}

	/**
	 * Meta that was saved with an autosave. WordPress does so since 6.4 for what is registered for it; plugins do it
	 * themselves.
	 *
	 * @return array<string, mixed[]>
	 */
	private static function autosaved_meta( WP_Post $post, WP_Post $autosave ): array {
		$meta = array();
		$keys = function_exists( 'wp_post_revision_meta_keys' ) ? wp_post_revision_meta_keys( $post->post_type ) : array();
		foreach ( array_unique( array_merge( $keys, array_keys( (array) get_post_meta( $autosave->ID ) ) ) ) as $key ) {
			if ( ! preg_match( self::PRIVATE_META, $key ) ) {
				$values       = get_metadata_raw( 'post', $autosave->ID, $key );
				$meta[ $key ] = is_array( $values ) ? $values : array();
			}
		}
		return $meta;
	}

	/**
	 * @param array<string, string> $fields
	 */
	private static function published( WP_Post $post, array $fields, string $saved_at ): WP_Post {
		$values                      = $fields + get_object_vars( $post );
		$values['post_status']       = 'publish';
		$values['post_password']     = '';
		$values['filter']            = 'raw';
		$values['post_modified_gmt'] = $saved_at;
		if ( '0000-00-00 00:00:00' === $post->post_date_gmt ) {
			// A draft has no date until it is published.
			$values['post_date_gmt'] = get_gmt_from_date( $post->post_date );
		}
		if ( 'auto-draft' === $post->post_status && ! isset( $fields['post_title'] ) ) {
			// WordPress calls it so until it has a title.
			$values['post_title'] = '';
		}
		$values['post_name'] = self::slug( $post, $values );
		return new WP_Post( (object) $values );
	}

	/**
	 * The name that the post would get, as WordPress shows it beside the editor (`get_sample_permalink()`).
	 *
	 * @param array<string, mixed> $values
	 */
	private static function slug( WP_Post $post, array $values ): string {
		$name = (string) $values['post_name'];
		if ( 'trash' === $post->post_status ) {
			// WordPress renames what is put into the trash.
			$kept = (string) get_post_meta( $post->ID, '_wp_desired_post_slug', true );
			$name = '' !== $kept ? $kept : (string) preg_replace( '/__trashed$/', '', $name );
		}
		$is_kept = 'publish' === $post->post_status && $name === $post->post_name && '' !== $name;
		if ( $is_kept ) {
			return $name;
		}
		$name = sanitize_title( '' !== $name ? $name : (string) $values['post_title'], (string) $post->ID );
		return wp_unique_post_slug( $name, $post->ID, 'publish', $post->post_type, $post->post_parent );
	}

	private static function modified( WP_Post $post ): string {
		return '0000-00-00 00:00:00' === $post->post_modified_gmt ? get_gmt_from_date( $post->post_modified ) : $post->post_modified_gmt;
	}
}
