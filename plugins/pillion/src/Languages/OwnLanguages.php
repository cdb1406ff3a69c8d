<?php
/**
 * The languages of *Pillion → Languages*, with a page's language and original in post meta (decision 045).
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\Routes;
use Pillion\Lib\Data;
use Pillion\Lib\Language;
use WP_Post;

/** @phpstan-import-type Listed from Language */
final class OwnLanguages implements LanguageSource {
	public function title(): string {
		return 'Pillion';
	}

	public function screen(): string {
		return 'admin.php?page=' . LanguagesPage::PAGE;
	}

	/** @return array<string, Listed> Without malformed rows. */
	public function listed(): array {
		$listed = array();
		foreach ( Data::rows( get_option( Language::OPTION ) ) as $row ) {
			$tag = is_string( $row['tag'] ?? null ) ? $row['tag'] : '';
			if ( preg_match( Language::TAG, $tag ) && ! isset( $listed[ $tag ] ) ) {
				$listed[ $tag ] = array(
					'tag'      => $tag,
					'name'     => is_string( $row['name'] ?? null ) && '' !== $row['name'] ? $row['name'] : $tag,
					'dir'      => 'rtl' === ( $row['dir'] ?? '' ) ? 'rtl' : 'ltr',
					'fallback' => is_string( $row['fallback'] ?? null ) ? $row['fallback'] : '',
				);
			}
		}
		return $listed;
	}

	public function lang_of( int $post_id ): string {
		$tag = get_post_meta( $post_id, Translations::LANG, true );
		return is_string( $tag ) ? $tag : '';
	}

	public function group_of( int $post_id ): int {
		$original = absint( get_post_meta( $post_id, Translations::ORIGINAL, true ) );
		// Translation and original have the same post type. A deleted original still identifies its group.
		return $original && in_array( get_post_type( $original ), array( false, get_post_type( $post_id ) ), true ) ? $original : $post_id;
	}

	/** @return list<WP_Post> The original, whose id is the group's number, and its translations. */
	public function members( int $group ): array {
		$query        = array(
			'post_type'   => Routes::types(),
			'post_status' => array( 'publish', 'draft', 'pending', 'future', 'private' ),
			'numberposts' => 100,
			'orderby'     => 'ID',
			'order'       => 'ASC',
			'meta_key'    => Translations::ORIGINAL,
			'meta_value'  => (string) $group,
		);
		$original     = get_post( $group );
		$translations = array_filter( get_posts( $query ), fn( WP_Post $post ): bool => $this->group_of( $post->ID ) === $group );
		return $original && 'trash' !== $original->post_status ? array_merge( array( $original ), $translations ) : array_values( $translations );
	}

	public function without_language( string $url ): string {
		return $url;
	}

	public function menu_at( string $location, string $lang ): int {
		return (int) ( get_nav_menu_locations()[ $location . Language::suffix( $lang ) ] ?? 0 );
	}

	public function add_to_group( int $post_id, string $lang, int $group ): void {
		update_post_meta( $post_id, Translations::LANG, $lang );
		update_post_meta( $post_id, Translations::ORIGINAL, $group );
	}
}
