<?php
/**
 * Fills a WordPress with a site: uploads, pages, menus, texts, form 1. Run with WordPress loaded and the plugin active:
 * `wp eval-file seed.php`, or scripts/wordpress.mjs. It changes no existing entry, so it can run again.
 *
 * `PILLION_SEED` is the site's folder, by default `site/seed`: texts in `content.php`, `pages/` and `languages/`,
 * uploads in `media.php` and `media/`.
 */

namespace Pillion\Seed;

use Pillion\Access\Keys;
use Pillion\Content\PageTheme;
use Pillion\Content\Strings;
use Pillion\Forms\Forms;
use Pillion\Redirects\Redirects;

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/uploads.php';
require_once __DIR__ . '/blocks.php';
require_once seed_folder() . '/content.php';
require_once ABSPATH . 'wp-admin/includes/nav-menu.php';

/** Sets WordPress' options, with links by the pages' names. */
function set_options(): void {
	global $wp_rewrite;
	update_option( 'blogname', NAME );
	update_option( 'blogdescription', pages()['home']['title'] );
	update_option( 'default_comment_status', 'closed' );
	update_option( 'default_ping_status', 'closed' );
	$wp_rewrite->set_permalink_structure( '/%postname%/' );
	flush_rewrite_rules( false );
}

/** An image block in the editor's format. */
function picture_block( int $id, string $caption, string $align = '' ): string {
	$image = $id ? wp_get_attachment_image_src( $id, 'large' ) : false;
	if ( ! $image ) {
		return '';
	}
	$attributes = array(
		'id'              => $id,
		'sizeSlug'        => 'large',
		'linkDestination' => 'none',
	) + ( $align ? array( 'align' => $align ) : array() );
	$class      = 'wp-block-image' . ( $align ? " align$align" : '' ) . ' size-large';
	$caption    = $caption ? '<figcaption class="wp-element-caption">' . esc_html( $caption ) . '</figcaption>' : '';
	$img        = '<img src="' . esc_url( $image[0] ) . '" alt="' . esc_attr( (string) get_post_meta( $id, '_wp_attachment_image_alt', true ) ) . "\" class=\"wp-image-$id\"/>";
	return get_comment_delimited_block_content( 'image', $attributes, "\n<figure class=\"$class\">$img$caption</figure>\n" );
}

/**
 * @param int[] $ids
 */
function gallery_block( array $ids, string $caption ): string {
	$images = array();
	foreach ( array_filter( $ids ) as $id ) {
		$images[] = picture_block( $id, '' );
	}
	$figure = "\n" . '<figure class="wp-block-gallery has-nested-images columns-default is-cropped">' . implode( "\n\n", $images )
		. '<figcaption class="blocks-gallery-caption wp-element-caption">' . esc_html( $caption ) . "</figcaption></figure>\n";
	return $images ? get_comment_delimited_block_content( 'gallery', array( 'linkTo' => 'none' ), $figure ) : '';
}

/**
 * Content of a page. Replaces `{{picture:name|align|caption}}`, `{{gallery:name,name|caption}}` and `{{home}}` in texts
 * of `pages/`.
 *
 * @param array<string, int> $media Attachment ids by name.
 */
function page_content( string $path, array $media ): string {
	return sections( $path, $media )
		?? fill_placeholders( (string) file_get_contents( seed_folder() . '/pages/' . basename( $path ) . '.html' ), $media );
}

/**
 * @param array<string, int> $media Attachment ids by name.
 */
function fill_placeholders( string $text, array $media ): string {
	$text = preg_replace_callback(
		'/\{\{picture:([\w-]+)\|(\w*)\|(.*?)\}\}/',
		static function ( array $found ) use ( $media ): string {
			return picture_block( $media[ $found[1] ] ?? 0, $found[3], $found[2] );
		},
		$text
	);
	$text = preg_replace_callback(
		'/\{\{gallery:([\w,-]+)\|(.*?)\}\}/',
		static function ( array $found ) use ( $media ): string {
			return gallery_block( array_values( array_intersect_key( $media, array_flip( explode( ',', $found[1] ) ) ) ), $found[2] );
		},
		(string) $text
	);
	return trim( str_replace( '{{home}}', untrailingslashit( home_url() ), (string) $text ) );
}

/**
 * @param array<string, string>     $page
 * @param array<string, int>        $media
 * @param string                    $text Content of the page.
 * @param array<string, string|int> $meta Post meta.
 */
function add_page( string $path, array $page, array $media, string $text, array $meta = array() ): int {
	$known = get_page_by_path( $path );
	if ( $known ) {
		return $known->ID;
	}
	$above = dirname( $path );
	$id    = wp_insert_post(
		wp_slash(
			array(
				'post_type'    => 'page',
				'post_status'  => 'publish',
				'post_name'    => basename( $path ),
				'post_parent'  => '.' === $above ? 0 : get_page_by_path( $above )->ID,
				'post_title'   => $page['title'],
				'post_excerpt' => $page['excerpt'],
				'post_content' => $text,
				'meta_input'   => $meta + ( isset( $page['theme'] ) ? array( PageTheme::META => $page['theme'] ) : array() ),
			)
		)
	);
	if ( isset( $page['template'] ) ) {
		update_post_meta( $id, '_wp_page_template', $page['template'] );
	}
	if ( ! empty( $media[ $page['picture'] ?? '' ] ) ) {
		set_post_thumbnail( $id, $media[ $page['picture'] ] );
	}
	return $id;
}

/**
 * @param array<int, array{0: string, 1: string, 2?: string}> $items
 */
function add_menu( string $name, array $items ): int {
	$known = wp_get_nav_menu_object( $name );
	if ( $known ) {
		return (int) $known->term_id;
	}
	$menu = wp_create_nav_menu( $name );
	foreach ( $items as $item ) {
		$page = get_page_by_path( $item[1] );
		$what = $page
			? array(
				'menu-item-type'      => 'post_type',
				'menu-item-object'    => 'page',
				'menu-item-object-id' => $page->ID,
			)
			: array(
				'menu-item-type'    => 'custom',
				'menu-item-url'     => $item[1],
				'menu-item-classes' => $item[2] ?? '',
				'menu-item-target'  => '_blank',
			);
		wp_update_nav_menu_item(
			$menu,
			0,
			wp_slash(
				$what + array(
					'menu-item-title'  => $item[0],
					'menu-item-status' => 'publish',
				)
			)
		);
	}
	return (int) $menu;
}

function seed(): void {
	set_options();
	$media = upload_all();
	foreach ( pages() as $path => $page ) {
		$ids[ $path ] = add_page( $path, $page, $media, page_content( $path, $media ) );
	}
	update_option( 'show_on_front', 'page' );
	update_option( 'page_on_front', $ids['home'] );
	update_option( 'wp_page_for_privacy_policy', $ids['privacy-policy'] );
	$locations = array();
	foreach ( menus() as $location => $menu ) {
		$locations[ $location ] = add_menu( $menu['name'], $menu['items'] );
	}
	set_theme_mod( 'nav_menu_locations', $locations + get_nav_menu_locations() );
	if ( ! get_option( Strings::OPTION ) ) {
		update_option( Strings::OPTION, strings( $media ) );
	}
	if ( ! Forms::all() ) {
		update_option( Forms::OPTION, array( 1 => form() ), false );
	}
	foreach ( redirects() as $redirect ) {
		if ( ! Redirects::find_at( $redirect['from'] ) ) {
			Redirects::save( $redirect + array( 'id' => 0, 'page' => 0 ) );
		}
	}
	if ( 'local' === wp_get_environment_type() ) {
		// This key is public, so it is never added to a site that others can reach.
		Keys::add( '00000000-0000-4000-8000-000000000001', 'ck_pillion_development', 'cs_pillion_development', 'Local development', 1 );
	}
}

seed();
