<?php
/**
 * Finds the texts of a copy that are not translated yet. The copy stores the texts of the original in its meta; a text
 * that still equals one of them needs translation. The page itself has no marks that visitors could see.
 */

namespace Pillion\Languages;

defined( 'ABSPATH' ) || exit;

use Pillion\Content\PageMeta;
use Pillion\Content\Seo;
use Pillion\Editor\SectionFields;
use Pillion\Lib\Assets;
use Pillion\Lib\Input;
use WP_Post;

final class ToDo {
	/** Meta with the copied texts. Not in REST. */
	const META = '_pillion_to_translate';

	const NONCE = 'pillion_to_do_nonce';

	/** Number of characters that the box shows of a text. */
	const MAX_LENGTH = 60;

	public function register(): void {
		add_action( 'add_meta_boxes', array( $this, 'add_box' ), 10, 2 );
		add_action( 'save_post', array( $this, 'save' ) );
		add_action( 'enqueue_block_editor_assets', array( $this, 'enqueue' ) );
	}

	/** Stores the texts of a new copy. */
	public static function store_texts( int $id ): void {
		$post = get_post( $id );
		if ( $post ) {
			update_post_meta( $id, self::META, wp_slash( self::texts_of( $post ) ) );
		}
	}

	/** @return list<string> Texts that are not translated yet. */
	public static function untranslated( WP_Post $post ): array {
		return array_values( array_intersect( self::copied_texts( $post->ID ), self::texts_of( $post ) ) );
	}

	/** The number of untranslated texts as a label; empty if all are translated. */
	public static function summary( WP_Post $post ): string {
		$count = count( self::untranslated( $post ) );
		/* translators: 1: how many are left, 2: how many were copied. */
		return $count ? sprintf( __( '%1$d of %2$d texts to translate', 'pillion' ), $count, count( self::copied_texts( $post->ID ) ) ) : '';
	}

	/** @return list<string> */
	private static function copied_texts( int $id ): array {
		$texts = get_post_meta( $id, self::META, true );
		return is_array( $texts ) ? array_values( array_filter( $texts, 'is_string' ) ) : array();
	}

	/** @return list<string> All different texts of a page: title, excerpt, SEO fields, sections and other blocks. */
	private static function texts_of( WP_Post $post ): array {
		$texts = array( $post->post_title, $post->post_excerpt, get_post_meta( $post->ID, Seo::TITLE, true ), get_post_meta( $post->ID, Seo::DESCRIPTION, true ) );
		self::collect_texts( parse_blocks( $post->post_content ), SectionFields::sections() + SectionFields::items(), $texts );
		$texts = array_map( array( self::class, 'plain_text' ), array_filter( $texts, 'is_string' ) );
		// Texts without letters, such as years and prices, need no translation.
		return array_values( array_unique( array_filter( $texts, static fn( string $text ): bool => 1 === preg_match( '/\p{L}/u', $text ) ) ) );
	}

	/**
	 * @param array[]                              $blocks
	 * @param array<string, array<string, string>> $sections See SectionFields::sections().
	 * @param mixed[]                              $texts    Added to.
	 */
	private static function collect_texts( array $blocks, array $sections, array &$texts ): void {
		foreach ( $blocks as $block ) {
			$fields = $sections[ (string) $block['blockName'] ] ?? null;
			if ( null === $fields ) {
				$texts[] = (string) $block['innerHTML'];
			}
			foreach ( (array) $fields as $member => $kind ) {
				$value = $block['attrs'][ $member ] ?? null;
				if ( in_array( $kind, array( 'text', 'inline' ), true ) ) {
					$texts[] = $value;
				} elseif ( 'rows' === $kind && is_array( $value ) ) {
					array_walk_recursive(
						$value,
						static function ( $part ) use ( &$texts ): void {
							$texts[] = $part;
						}
					);
				}
			}
			self::collect_texts( (array) $block['innerBlocks'], $sections, $texts );
		}
	}

	/** Text without markup, so that both editors give the same result. */
	private static function plain_text( string $text ): string {
		$words = html_entity_decode( wp_strip_all_tags( str_replace( '<', ' <', $text ) ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
		return trim( (string) preg_replace( '/\s+/u', ' ', $words ) );
	}

	/** @param mixed $post A comment or a link on their screens. */
	public function add_box( string $type, $post = null ): void {
		if ( $post instanceof WP_Post && self::copied_texts( $post->ID ) ) {
			add_meta_box( 'pillion-to-do', __( 'To translate', 'pillion' ), array( $this, 'render' ), $type, 'side', 'high' );
		}
	}

	public function render( WP_Post $post ): void {
		wp_nonce_field( self::NONCE, self::NONCE );
		$untranslated = self::untranslated( $post );
		echo '<p>' . esc_html( $untranslated ? self::summary( $post ) : __( 'All texts are translated.', 'pillion' ) ) . '</p><ul class="ul-disc">';
		foreach ( $untranslated as $text ) {
			echo '<li>' . esc_html( wp_html_excerpt( $text, self::MAX_LENGTH, '…' ) ) . '</li>';
		}
		echo '</ul><p><label><input type="checkbox" name="pillion_translated" value="1"> ' . esc_html__( 'The translation is complete; keep the other texts unchanged', 'pillion' ) . '</label></p>';
	}

	public function save( int $post_id ): void {
		if ( ! wp_verify_nonce( Input::posted( self::NONCE ), self::NONCE ) || ! PageMeta::current_user_can_save( $post_id ) ) {
			return;
		}
		if ( '1' === Input::posted( 'pillion_translated' ) ) {
			delete_post_meta( $post_id, self::META );
		}
	}

	/** Loads the script that outlines blocks with untranslated texts. */
	public function enqueue(): void {
		$post   = get_post();
		$copied = $post ? self::copied_texts( $post->ID ) : array();
		if ( $copied ) {
			Assets::add_to_editor( 'pillionToDo', $copied );
		}
	}
}
