<?php
/**
 * Unsaved template, featured image and meta of the editor, as the meta that a save would write.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Languages\Claims;
use Pillion\Lib\Data;
use WP_Post;

final class TypedMeta {
	/**
	 * Meta that is not registered, that this user may not write or that its schema rejects stays as saved.
	 *
	 * @param array<string, mixed> $fields See Draft::from_typed().
	 * @return array<string, mixed[]> Values by key.
	 */
	public static function read( WP_Post $post, array $fields ): array {
		$meta = array();
		if ( isset( $fields['template'] ) && self::is_template( (string) $fields['template'], $post ) ) {
			$meta[ AutosavedMeta::TEMPLATE ] = array( (string) $fields['template'] );
		}
		if ( isset( $fields['featured_media'] ) ) {
			$meta[ AutosavedMeta::THUMBNAIL ] = $fields['featured_media'] > 0 ? array( (string) (int) $fields['featured_media'] ) : array();
		}
		$typed = Data::to_array( $fields['meta'] ?? null );
		foreach ( self::registrations_of( $post->post_type ) as $key => $registration ) {
			$name = $registration['show_in_rest']['name'] ?? $key;
			if ( array_key_exists( $name, $typed ) && current_user_can( 'edit_post_meta', $post->ID, $key ) ) {
				$values = self::to_stored( $key, $typed[ $name ], $registration, $post->post_type );
				// False: a save would reject the value.
				if ( null !== $values && false !== Claims::on_write( null, $post->ID, $key, $values[0] ?? '' ) ) {
					$meta += array( $key => $values );
				}
			}
		}
		return $meta;
	}

	/** Whether a save would accept the template for this post. */
	public static function is_template( string $template, WP_Post $post ): bool {
		if ( in_array( $template, array( '', 'default', get_page_template_slug( $post ) ), true ) ) {
			return true;
		}
		return isset( wp_get_theme()->get_page_templates( $post, $post->post_type )[ $template ] );
	}

	/** @return array<string, array<string, mixed>> Meta with `show_in_rest`, by key. */
	private static function registrations_of( string $type ): array {
		$all = post_type_supports( $type, 'custom-fields' ) ? get_registered_meta_keys( 'post', $type ) + get_registered_meta_keys( 'post' ) : array();
		return array_filter( $all, static fn( array $registration ): bool => ! empty( $registration['show_in_rest'] ) );
	}

	/**
	 * @param mixed $typed Null: the editor deleted the value.
	 * @return mixed[]|null Sanitized values; null if one is invalid.
	 */
	private static function to_stored( string $key, $typed, array $registration, string $type ): ?array {
		if ( null === $typed ) {
			return array();
		}
		$schema = is_array( $registration['show_in_rest'] ) && isset( $registration['show_in_rest']['schema'] ) ? (array) $registration['show_in_rest']['schema'] : array();
		$schema = $schema + array( 'type' => $registration['type'] );
		$values = array();
		foreach ( $registration['single'] ? array( $typed ) : array_values( (array) $typed ) as $value ) {
			if ( is_wp_error( rest_validate_value_from_schema( $value, $schema, $key ) ) ) {
				return null;
			}
			$values[] = sanitize_meta( $key, rest_sanitize_value_from_schema( $value, $schema, $key ), 'post', $type );
		}
		return $values;
	}
}
