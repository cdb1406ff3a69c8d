<?php
/**
 * A post as a preview shows it: as if it were published now, with its meta.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Lib\Data;
use WP_Post;

final class Draft {
	/** Internal meta of WordPress and this plugin, which pages do not show. */
	const PRIVATE_META = '/^_(?:edit_|wp_(?!page_template)|oembed_|pillion_preview_)/';

	/** @var WP_Post The saved post. */
	public $saved;

	/** @var WP_Post The post as it would be published. */
	public $post;

	/** @var array<string, mixed[]> Values by key that can differ from the saved ones. */
	public $meta = array();

	/** @var string When the shown version was saved, in UTC, in MySQL's format. */
	public $saved_at;

	/** @var bool Whether the preview shows unsaved changes. */
	public $is_unsaved = false;

	private function __construct( WP_Post $saved ) {
		$this->saved    = $saved;
		$this->saved_at = self::modified_gmt( $saved );
	}

	/** The post, if the site shows its type; otherwise null. */
	public static function find( int $id ): ?WP_Post {
		$post = get_post( $id );
		return $post && in_array( $post->post_type, Routes::types(), true ) ? $post : null;
	}

	/**
	 * The saved post, or the user's autosave if it is newer and differs.
	 *
	 * @param int $user Owner of the autosave; 0: only the saved post.
	 */
	public static function from_saved( WP_Post $post, int $user ): self {
		$draft    = new self( $post );
		$autosave = $user ? self::newer_autosave( $post, $user ) : null;
		$fields   = array();
		if ( $autosave ) {
			$fields      = array_intersect_key( get_object_vars( $autosave ), array_flip( array( 'post_title', 'post_content', 'post_excerpt' ) ) );
			$draft->meta = self::autosaved_meta( $post, $autosave );
			$draft->compare_with_saved( $fields );
			$draft->saved_at = $draft->is_unsaved ? self::modified_gmt( $autosave ) : $draft->saved_at;
		} elseif ( $user ) {
			$draft->apply_chosen_picture( $user );
		}
		$draft->post = self::as_published( $post, $fields, $draft->saved_at );
		return $draft;
	}

	/** Uses a featured image that was chosen for a preview without other changes. */
	private function apply_chosen_picture( int $user ): void {
		$chosen = AutosavedMeta::chosen_picture( $this->saved->ID, $user, $this->saved_at );
		if ( $chosen ) {
			$this->meta = array( AutosavedMeta::THUMBNAIL => $chosen['picture'] ? array( (string) $chosen['picture'] ) : array() );
			$this->compare_with_saved( array() );
			$this->saved_at = $this->is_unsaved ? $chosen['at'] : $this->saved_at;
		}
	}

	/**
	 * The unsaved changes in the editor. Fields that are missing or null are as saved. The filters of a save apply, such as kses.
	 *
	 * @param array<string, mixed> $typed Of `content`, `title`, `excerpt`, `template`, `featured_media`, `meta`,
	 * `slug`.
	 */
	public static function from_typed( WP_Post $post, array $typed ): self {
		$draft  = new self( $post );
		$fields = array();
		foreach ( array( 'title', 'content', 'excerpt' ) as $name ) {
			if ( isset( $typed[ $name ] ) ) {
				// The filters of a save expect and return slashed texts.
				$fields[ "post_$name" ] = wp_unslash( sanitize_post_field( "post_$name", wp_slash( $typed[ $name ] ), $post->ID, 'db' ) );
			}
		}
		if ( isset( $typed['slug'] ) ) {
			$fields['post_name'] = sanitize_title( $typed['slug'] );
		}
		$draft->meta = TypedMeta::read( $post, $typed );
		$draft->compare_with_saved( $fields );
		$draft->post = self::as_published( $post, $fields, $draft->saved_at );
		return $draft;
	}

	/**
	 * Sets `is_unsaved` if a field or meta of the draft differs from the saved post.
	 *
	 * @param array<string, string> $fields
	 */
	private function compare_with_saved( array $fields ): void {
		foreach ( $fields as $name => $value ) {
			$this->is_unsaved = $this->is_unsaved || $value !== $this->saved->$name;
		}
		foreach ( $this->meta as $key => $values ) {
			$this->is_unsaved = $this->is_unsaved || self::to_comparable( $values ) !== self::to_comparable( get_metadata_raw( 'post', $this->saved->ID, $key ) );
		}
	}

	/**
	 * Values for a comparison: a missing value equals an empty one, and numbers are compared as strings.
	 *
	 * @return string[]
	 */
	private static function to_comparable( $values ): array {
		$texts = array_map(
			static fn( $value ): string => is_scalar( $value ) ? (string) $value : (string) maybe_serialize( $value ),
			is_array( $values ) ? array_values( $values ) : array()
		);
		return array( '' ) === array_unique( $texts ) || array( '0' ) === $texts ? array() : $texts;
	}

	private static function newer_autosave( WP_Post $post, int $user ): ?WP_Post {
		$query     = array(
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
		$autosaves = get_posts( $query );
		return $autosaves && self::modified_gmt( $autosaves[0] ) > self::modified_gmt( $post ) ? $autosaves[0] : null;
	}

	/**
	 * Meta of an autosave; a key without a value has an empty list. WordPress 6.4 and later stores registered meta; plugins can store more.
	 *
	 * @return array<string, mixed[]>
	 */
	private static function autosaved_meta( WP_Post $post, WP_Post $autosave ): array {
		$meta = array();
		$keys = function_exists( 'wp_post_revision_meta_keys' ) ? wp_post_revision_meta_keys( $post->post_type ) : array();
		foreach ( array_unique( array_merge( $keys, array_keys( (array) get_post_meta( $autosave->ID ) ) ) ) as $key ) {
			if ( ! preg_match( self::PRIVATE_META, $key ) ) {
				$meta[ $key ] = Data::to_array( get_metadata_raw( 'post', $autosave->ID, $key ) );
			}
		}
		return $meta;
	}

	/** @param array<string, string> $fields */
	private static function as_published( WP_Post $post, array $fields, string $saved_at ): WP_Post {
		$values                      = $fields + get_object_vars( $post );
		$values['post_status']       = 'publish';
		$values['post_password']     = '';
		$values['filter']            = 'raw';
		$values['post_modified_gmt'] = $saved_at;
		if ( '0000-00-00 00:00:00' === $post->post_date_gmt ) {
			// A draft has no GMT date until it is published.
			$values['post_date_gmt'] = get_gmt_from_date( $post->post_date );
		}
		if ( 'auto-draft' === $post->post_status && ! isset( $fields['post_title'] ) ) {
			// WordPress titles a new post “Auto Draft”.
			$values['post_title'] = '';
		}
		$values['post_name'] = self::slug( $post, $values );
		return new WP_Post( (object) $values );
	}

	/** The slug that the post would get, as WordPress shows it in the editor (`get_sample_permalink()`). */
	private static function slug( WP_Post $post, array $values ): string {
		$name = (string) $values['post_name'];
		if ( 'trash' === $post->post_status ) {
			// WordPress renames posts in the trash.
			$desired = (string) get_post_meta( $post->ID, '_wp_desired_post_slug', true );
			$name    = '' !== $desired ? $desired : (string) preg_replace( '/__trashed$/', '', $name );
		}
		if ( 'publish' === $post->post_status && $name === $post->post_name && '' !== $name ) {
			return $name;
		}
		$name = sanitize_title( '' !== $name ? $name : (string) $values['post_title'], (string) $post->ID );
		return wp_unique_post_slug( $name, $post->ID, 'publish', $post->post_type, $post->post_parent );
	}

	private static function modified_gmt( WP_Post $post ): string {
		return '0000-00-00 00:00:00' === $post->post_modified_gmt ? get_gmt_from_date( $post->post_modified ) : $post->post_modified_gmt;
	}
}
