<?php
/**
 * Copies a page for its translation, as a draft with its sections, pictures, template and theme.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use WP_Post;

final class Copies {
	/** Meta that belongs to the original only. */
	const NOT_COPIED = '/^_(edit_|wp_old_|wp_trash_|pillion_preview_|pillion_lang$|pillion_translation_of$|pillion_to_translate$|pingme|encloseme|oembed_)/';

	/**
	 * Creates a draft in a language, or returns the existing translation.
	 *
	 * @return int 0 if WordPress could not save it.
	 */
	public static function make( WP_Post $post, string $lang ): int {
		$group = Translations::group_of( $post->ID );
		$there = Translations::group( $group )[ $lang ] ?? null;
		if ( $there ) {
			return $there->ID;
		}
		$above = $post->post_parent ? Translations::group( Translations::group_of( $post->post_parent ) )[ $lang ] ?? null : null;
		$copy  = array(
			'post_type'    => $post->post_type,
			'post_status'  => 'draft',
			'post_title'   => $post->post_title,
			'post_content' => $post->post_content,
			'post_excerpt' => $post->post_excerpt,
			'post_parent'  => $above ? $above->ID : 0,
			'menu_order'   => $post->menu_order,
		);
		$id    = (int) wp_insert_post( wp_slash( $copy ) );
		if ( $id ) {
			Translations::source()->join( $id, $lang, $group );
		}
		foreach ( $id ? (array) get_post_meta( $post->ID ) : array() as $key => $values ) {
			foreach ( preg_match( self::NOT_COPIED, (string) $key ) ? array() : (array) $values as $value ) {
				add_post_meta( $id, (string) $key, wp_slash( maybe_unserialize( $value ) ) );
			}
		}
		if ( $id ) {
			ToDo::note( $id );
		}
		return $id;
	}
}
