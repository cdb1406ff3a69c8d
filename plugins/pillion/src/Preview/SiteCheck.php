<?php
/**
 * Warnings about a page before it is published. The site checks the draft, and this class turns the results into texts
 * for editors.
 */

namespace Pillion\Preview;

defined( 'ABSPATH' ) || exit;

use Pillion\Lib\Data;
use Pillion\Site\Connection;
use WP_REST_Request;
use WP_REST_Response;

final class SiteCheck {
	const PATH = '/api/preview/check';

	/** Timeout of the request to the site, in seconds. */
	const TIMEOUT_SECONDS = 10;

	public static function check_draft( WP_REST_Request $request ): WP_REST_Response {
		$preview = Preview::get_typed_preview( $request );
		if ( is_wp_error( $preview ) ) {
			return Preview::response( array( 'message' => $preview->get_error_message() ), 502 );
		}
		$response = Connection::request( self::PATH, array( 'draft' => $preview->get_data() ), self::TIMEOUT_SECONDS );
		if ( ! is_array( $response ) ) {
			return Preview::response( array( 'message' => $response ), 502 );
		}
		$problems = array();
		foreach ( Data::rows( $response['problems'] ?? null ) as $problem ) {
			if ( is_string( $problem['kind'] ?? null ) ) {
				$problems[] = array(
					'block' => is_int( $problem['block'] ?? null ) ? $problem['block'] : null,
					'kind'  => $problem['kind'],
					'text'  => self::problem_text( $problem['kind'], Data::to_array( $problem['values'] ?? null ) ),
				);
			}
		}
		return Preview::response( array( 'problems' => $problems ) );
	}

	/** @param array<string, mixed> $values Numbers and short texts from the site. */
	private static function problem_text( string $kind, array $values ): string {
		$texts        = self::texts_by_kind();
		$text         = $texts[ $kind ] ?? $texts['other'];
		$replacements = array();
		foreach ( $values + array( 'kind' => $kind ) as $name => $value ) {
			$replacements[ '{' . $name . '}' ] = is_scalar( $value ) ? (string) $value : '';
		}
		return strtr( $text, $replacements );
	}

	/** @return array<string, string> Texts by kind. Names in braces are replaced with the site's values. */
	private static function texts_by_kind(): array {
		return array(
			'picture-undescribed' => __( 'A picture has no description. Add an alternative text for people who cannot see it.', 'pillion' ),
			'headline-missing'    => __( 'The page has no headline. Add one.', 'pillion' ),
			'two-heroes'          => __( 'The page has a second hero. Use another section here.', 'pillion' ),
			'form-missing'        => __( 'This sign-up shows no form. Choose an existing form.', 'pillion' ),
			'link-dead'           => __( 'The link to {url} does not lead to a page of the site. Correct or remove it.', 'pillion' ),
			'contrast-low'        => __( 'The text over the picture {file} is hard to read: its contrast is {ratio}, and at least {asked} is needed. Choose a picture with more contrast behind the text.', 'pillion' ),
			'title-long'          => __( 'The title has {length} characters, but search results show about {most}. Shorten it.', 'pillion' ),
			'description-long'    => __( 'The description has {length} characters, but search results show about {most}. Shorten it.', 'pillion' ),
			'picture-small'       => __( 'A picture is {width} pixels wide but is shown at up to {needed} pixels, so it will look blurred. Choose a larger one.', 'pillion' ),
			'film-without-picture' => __( 'The film has no picture. Choose one: it is shown before the film, and to visitors who want less motion or less data.', 'pillion' ),
			'film-large'          => __( 'The film has {size} MB. Choose one of at most {most} MB, because each visitor loads it. The site serves no file of more than {limit} MB.', 'pillion' ),
			'film-type'           => __( 'The site cannot play the film {url}, because it is neither MP4 nor WebM. Choose a file of one of these types.', 'pillion' ),
			'film-elsewhere'      => __( 'The site cannot play the film {url}, because this address is not among the uploads of this WordPress. Upload the film to the media library. If a plugin moves files to another host, ask an administrator to exclude films from it.', 'pillion' ),
			'section-left-out'    => __( 'The site does not show this section because its field “{field}” is empty or invalid.', 'pillion' ),
			'item-left-out'       => __( 'The site does not show one item of this section because a part of it is missing or invalid.', 'pillion' ),
			'other'               => __( 'The site reports a possible problem here ({kind}).', 'pillion' ),
		);
	}
}
