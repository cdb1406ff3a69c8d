<?php
/**
 * Adds the other languages to the site. Run after `seed.php`, in the same way. It changes no existing entry, so it can
 * run again. The texts are in the seed's `languages/`.
 */

namespace Pillion\Seed;

use Pillion\Content\Strings;
use Pillion\Forms\Forms;
use Pillion\Languages\Translations;
use Pillion\Lib\Language;

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/seed.php';

/**
 * Translates all texts in a value. Names, numbers and addresses without letters stay as they are.
 *
 * @param mixed                 $value
 * @param array<string, string> $words Translations by English text.
 * @param string[]              $keys  Members with a text.
 * @return mixed
 * @throws \RuntimeException If a translation is missing.
 */
function translate( $value, array $words, array $keys, bool $is_text = false ) {
	if ( is_array( $value ) ) {
		foreach ( $value as $key => $member ) {
			$value[ $key ] = translate( $member, $words, $keys, in_array( $key, $keys, true ) );
		}
		return $value;
	}
	if ( ! $is_text || ! is_string( $value ) || ! preg_match( '/[A-Za-z]/', $value ) ) {
		return $value;
	}
	if ( ! isset( $words[ $value ] ) ) {
		throw new \RuntimeException( "Not translated: $value" );
	}
	return $words[ $value ];
}

/** Attributes of a section that hold texts; others hold numbers, addresses or drawings. */
const SECTION_TEXTS = array( 'heading', 'kicker', 'text', 'title', 'label', 'value', 'question', 'answer', 'quote', 'source' );

/** Members of a form that hold texts. */
const FORM_TEXTS = array( 'title', 'label', 'checkboxLabel', 'message' );

/**
 * Adds attachments with translated descriptions, which use the same files and sizes.
 *
 * @param array<string, int>    $media Attachment ids by name.
 * @param array<string, string> $alts  Descriptions by name.
 * @return array<string, int>
 */
function add_translated_pictures( string $lang, array $media, array $alts ): array {
	$ids = $media;
	foreach ( $alts as $name => $alt ) {
		$original = get_post( $media[ $name ] ?? 0 );
		if ( ! $original || '' === $alt ) {
			continue;
		}
		$slug  = "media-$name-$lang";
		$known = get_page_by_path( $slug, OBJECT, 'attachment' );
		if ( $known ) {
			$ids[ $name ] = $known->ID;
			continue;
		}
		$ids[ $name ] = wp_insert_attachment(
			array(
				'post_title'     => $original->post_title . " ($lang)",
				'post_name'      => $slug,
				'post_status'    => 'inherit',
				'post_mime_type' => $original->post_mime_type,
			),
			(string) get_attached_file( $original->ID )
		);
		wp_update_attachment_metadata( $ids[ $name ], wp_get_attachment_metadata( $original->ID ) );
		update_post_meta( $ids[ $name ], '_wp_attachment_image_alt', $alt );
	}
	return $ids;
}

/**
 * Returns the content of a page in another language.
 *
 * @param array<string, int>    $media Attachment ids by name.
 * @param array<string, string> $words
 */
function translate_page( string $lang, string $path, array $media, array $words ): string {
	$file = seed_folder() . "/languages/$lang/" . basename( $path ) . '.html';
	if ( is_file( $file ) ) {
		return fill_placeholders( (string) file_get_contents( $file ), $media );
	}
	return serialize_blocks( translate( parse_blocks( page_content( $path, $media ) ), $words, SECTION_TEXTS ) );
}

/**
 * @param array<string, mixed> $language The data of a language in `languages/`.
 * @param array<string, int>   $media  Attachment ids by name.
 */
function add_translated_pages( string $lang, array $language, array $media ): void {
	$made = array();
	foreach ( pages() as $path => $page ) {
		$own           = $language['pages'][ $path ];
		$above         = $made[ dirname( $path ) ] ?? null;
		$made[ $path ] = ( $above ? "$above/" : '' ) . $own['slug'];
		if ( get_page_by_path( $made[ $path ] ) ) {
			continue;
		}
		add_page(
			$made[ $path ],
			$own + $page,
			$media,
			translate_page( $lang, $path, $media, $language['words'] ),
			array(
				Translations::LANG     => $lang,
				Translations::ORIGINAL => get_page_by_path( $path )->ID,
			)
		);
	}
}

/**
 * @param array<string, string> $words
 * @param int                   $id    Number of the new form.
 * @return array<string, mixed>
 */
function translate_form( array $words, int $id ): array {
	$form                   = translate( form(), $words, FORM_TEXTS );
	$form['id']             = $id;
	$form['button']['text'] = $words[ $form['button']['text'] ];
	foreach ( $form['fields'] as $at => $field ) {
		$form['fields'][ $at ]['formId'] = $id;
	}
	return $form;
}

/** Adds the seed's languages, with their pages, texts and forms. */
function add_languages(): void {
	$media = upload_all();
	$rows  = array(
		array(
			'tag'      => 'en',
			'name'     => 'English',
			'dir'      => 'ltr',
			'fallback' => '',
		),
	);
	$all   = array();
	foreach ( languages() as $lang ) {
		$all[ $lang ] = require seed_folder() . "/languages/$lang.php";
		$rows[]       = array(
			'tag'      => $lang,
			'name'     => $all[ $lang ]['name'],
			'dir'      => $all[ $lang ]['dir'],
			'fallback' => '',
		);
	}
	if ( ! get_option( Language::OPTION ) ) {
		update_option( Language::OPTION, $rows );
	}
	foreach ( $all as $lang => $language ) {
		add_translated_pages( $lang, $language, add_translated_pictures( $lang, $media, $language['media'] ) );
		$option = Strings::option( $lang );
		if ( get_option( $option ) ) {
			continue;
		}
		$language['strings']['form']['form_id'] = Forms::save( translate_form( $language['words'], Forms::next_id() ) );
		update_option( $option, $language['strings'] );
	}
}

add_languages();
