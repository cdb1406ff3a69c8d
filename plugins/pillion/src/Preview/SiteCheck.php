<?php
/**
 * What would be wrong on the site if a page were published as it is typed, in the editor's words. The site judges, since it
 * knows what it draws.
 */

namespace Pillion\Preview;

use Pillion\Site\Connection;
use WP_REST_Request;
use WP_REST_Response;

final class SiteCheck {
	const PATH = '/api/preview/check';

	/** How long the site may think, in seconds. */
	const SECONDS = 10;

	public static function check( WP_REST_Request $request ): WP_REST_Response {
		$draft = Preview::show_typed( $request );
		if ( is_wp_error( $draft ) ) {
			return Preview::answer( array( 'message' => $draft->get_error_message() ), 502 );
		}
		$said = Connection::ask( self::PATH, array( 'draft' => $draft->get_data() ), self::SECONDS );
		if ( ! is_array( $said ) ) {
			return Preview::answer( array( 'message' => $said ), 502 );
		}
		$problems = array();
		foreach ( isset( $said['problems'] ) && is_array( $said['problems'] ) ? $said['problems'] : array() as $problem ) {
			if ( is_array( $problem ) && is_string( $problem['kind'] ?? null ) ) {
				$problems[] = array(
					'block' => is_int( $problem['block'] ?? null ) ? $problem['block'] : null,
					'kind'  => $problem['kind'],
					'text'  => self::sentence( $problem['kind'], isset( $problem['values'] ) && is_array( $problem['values'] ) ? $problem['values'] : array() ),
				);
			}
		}
		return Preview::answer( array( 'problems' => $problems ) );
	}

	/**
	 * @param array<string, mixed> $values What the site says with it: numbers and short texts.
	 */
	public static function sentence( string $kind, array $values ): string {
		$texts = self::texts();
		$text  = $texts[ $kind ] ?? $texts['other'];
		$put   = array();
		foreach ( $values + array( 'kind' => $kind ) as $name => $value ) {
			$put[ '{' . $name . '}' ] = is_scalar( $value ) ? (string) $value : '';
		}
		return strtr( $text, $put );
	}

	/**
	 * @return array<string, string> Sentences by kind; names in braces stand for what the site says with it.
	 */
	public static function texts(): array {
		return array(
			'picture-undescribed' => __( 'A picture has no description. People who cannot see it learn nothing of it: add an alternative text.', 'pillion' ),
			'headline-missing'    => __( 'The page has no headline.', 'pillion' ),
			'two-heroes'          => __( 'The page has a second hero. One page has one beginning: use another section here.', 'pillion' ),
			'form-missing'        => __( 'This sign-up shows no form: choose one that is there.', 'pillion' ),
			'link-dead'           => __( 'The link to {url} leads to no page of the site.', 'pillion' ),
			'contrast-low'        => __( 'The words over the picture {file} are hard to read: their contrast is {ratio}, and {asked} is the least. Choose a picture that differs more from the words where they stand.', 'pillion' ),
			'title-long'          => __( 'The title has {length} characters. Search results show about {most}.', 'pillion' ),
			'description-long'    => __( 'The description has {length} characters. Search results show about {most}.', 'pillion' ),
			'picture-small'       => __( 'A picture is {width} pixels wide, and is drawn up to {needed}: it will look blurred.', 'pillion' ),
			'section-left-out'    => __( 'The site leaves this section out: its field “{field}” is empty or cannot be read.', 'pillion' ),
			'item-left-out'       => __( 'The site leaves an item of this section out: something in it is missing or cannot be read.', 'pillion' ),
			'other'               => __( 'The site found something here that may be wrong ({kind}).', 'pillion' ),
		);
	}
}
