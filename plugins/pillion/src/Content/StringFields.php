<?php
/**
 * What each text of the site is: its name for the editor, its kind, and how a value of that kind is read.
 */

namespace Pillion\Content;

/**
 * @phpstan-import-type Field from Strings
 */
final class StringFields {
	/**
	 * Fields by path, in the order of the settings page. `default` is R19's, shown where the field is empty.
	 *
	 * @return array<string, Field>
	 */
	public static function all(): array {
		return array(
			'brand'                => self::text( __( 'Brand', 'pillion' ) ),
			'number'               => self::text( __( 'VAT number', 'pillion' ) ),
			'description'          => self::lines( __( 'Description', 'pillion' ), __( 'One sentence about the site, for pages that have no excerpt of their own.', 'pillion' ) ),
			'logo'                 => array(
				'kind'  => 'svg',
				'label' => __( 'Logo', 'pillion' ),
				'help'  => __( 'SVG markup. It is painted in the colour of the text around it. Without one the brand is set in type.', 'pillion' ),
			),
			'labels.join'          => self::text( __( 'Join button', 'pillion' ), 'Join The Ride' ),
			'labels.scroll'        => self::text( __( 'Scroll hint', 'pillion' ), 'Your journey starts here. Scroll down to explore' ),
			'labels.sound'         => self::text( __( 'Sound', 'pillion' ), 'sound' ),
			'labels.motion'        => self::text( __( 'Motion', 'pillion' ), 'motion' ),
			'labels.skip'          => self::text( __( 'Skip link', 'pillion' ), 'Skip to content' ),
			'labels.more'          => self::text( __( 'Open the footer', 'pillion' ), 'Show more' ),
			'labels.less'          => self::text( __( 'Close the footer', 'pillion' ), 'Show less' ),
			'labels.main'          => self::text( __( 'Name of the main menu', 'pillion' ), 'Main' ),
			'labels.legal'         => self::text( __( 'Name of the legal menu', 'pillion' ), 'Legal' ),
			'labels.social'        => self::text( __( 'Name of the social menu', 'pillion' ), 'Social' ),
			'labels.language'      => self::text( __( 'Name of the list of languages', 'pillion' ), 'Language' ),
			'labels.offer'         => self::text( __( 'Offer of this language', 'pillion' ), '{language}', __( 'Said on a page in another language to a visitor whose browser prefers this one, in its own words: “Read this page in English”. {language} is its name. No other language stands in for it.', 'pillion' ) ),
			'labels.close'         => self::text( __( 'Close that offer', 'pillion' ), 'Close' ),
			'footer.colophon'      => self::text( __( 'Colophon', 'pillion' ), 'All Rights Reserved | {brand} Inc. VAT {number}', __( '{brand} and {number} are filled in from above.', 'pillion' ) ),
			'audio.url'            => array(
				'kind'  => 'audio',
				'label' => __( 'Music', 'pillion' ),
				'help'  => __( 'An mp3 that loops without a seam. Empty: the site is silent.', 'pillion' ),
			),
			'audio.tone'           => array(
				'kind'  => 'tone',
				'label' => __( 'It sounds', 'pillion' ),
			),
			'form.form_id'         => array(
				'kind'    => 'number',
				'label'   => __( 'Form', 'pillion' ),
				'default' => '1',
				'help'    => __( 'Number of the form the site shows.', 'pillion' ),
			),
			'form.sending'         => self::text( __( 'While it is sent', 'pillion' ), 'Sending…' ),
			'form.invalid'         => self::text( __( 'When an answer is wrong', 'pillion' ), 'Please check what you entered.' ),
			'form.failed'          => self::text( __( 'When it could not be kept', 'pillion' ), 'We could not keep your sign-up just now. Please try again in a moment.' ),
			'form.required'        => self::text( __( 'When an answer is missing', 'pillion' ), 'This field is required.' ),
			'form.email'           => self::text( __( 'When it is no email address', 'pillion' ), 'Please enter an email address, such as name@example.org.' ),
			'form.confirm'         => self::text( __( 'When a second address is not the first', 'pillion' ), 'Please enter the same address twice.' ),
			'form.website'         => self::text( __( 'When it is no web address', 'pillion' ), 'Please enter an address such as https://example.org.' ),
			'form.phone'           => self::text( __( 'When it is no phone number', 'pillion' ), 'Please enter a phone number.' ),
			'form.number'          => self::text( __( 'When it is no number', 'pillion' ), 'Please enter a number.' ),
			'form.least'           => self::text( __( 'When a number is too small', 'pillion' ), 'Please enter {min} or more.', __( '{min} is filled in from the field.', 'pillion' ) ),
			'form.most'            => self::text( __( 'When a number is too large', 'pillion' ), 'Please enter {max} or less.', __( '{max} is filled in from the field.', 'pillion' ) ),
			'form.date'            => self::text( __( 'When it is no date', 'pillion' ), 'Please enter a date that exists.' ),
			'form.choice'          => self::text( __( 'When a choice was not offered', 'pillion' ), 'Please choose one of those offered.' ),
			'form.long'            => self::text( __( 'When a text is too long', 'pillion' ), 'At most {max} characters fit here.', __( '{max} is filled in from the field.', 'pillion' ) ),
			'form.busy'            => self::text( __( 'When too many come from one network', 'pillion' ), 'Many sign-ups came from your network just now. Please wait a minute and send it again.' ),
			'form.file_kinds'      => self::text( __( 'Which files are taken', 'pillion' ), 'Allowed: {kinds}.', __( '{kinds} is filled in from the field.', 'pillion' ) ),
			'form.file_size'       => self::text( __( 'How large a file may be', 'pillion' ), 'At most {max} MB.', __( '{max} is filled in from the field.', 'pillion' ) ),
			'form.file_count'      => self::text( __( 'How many files are taken', 'pillion' ), 'At most {max} files.', __( '{max} is filled in from the field.', 'pillion' ) ),
			'form.file_total'      => self::text( __( 'How large all files may be', 'pillion' ), 'All files together: at most {max} MB.', __( '{max} is filled in.', 'pillion' ) ),
			'form.file_refused'    => self::text( __( 'When a file is not taken', 'pillion' ), '“{file}” cannot be taken.', __( '{file} is filled in; the reason follows.', 'pillion' ) ),
			'form.file_empty'      => self::text( __( 'When a file is empty', 'pillion' ), '“{file}” is empty.', __( '{file} is filled in.', 'pillion' ) ),
			'form.file_again'      => self::text( __( 'When a file must be chosen again', 'pillion' ), 'Please choose your file again.' ),
			'form.file_remove'     => self::text( __( 'Button that takes a file out', 'pillion' ), 'Remove' ),
			'form.closed'           => self::text( __( 'When a form takes nothing and says nothing itself', 'pillion' ), 'This form is closed.' ),
			'form.submit'           => self::text( __( 'Button of a form that has no words of its own', 'pillion' ), 'Submit' ),
			'form.time'             => self::text( __( 'When a time is none', 'pillion' ), 'Please enter a time as it is asked for.' ),
			'form.hour'             => self::text( __( 'Hour of a time of twelve hours', 'pillion' ), 'Hour' ),
			'form.minute'           => self::text( __( 'Minute of it', 'pillion' ), 'Minute' ),
			'form.other'            => self::text( __( 'A choice of one’s own words, where the form has none for it', 'pillion' ), 'Other' ),
			'form.choices_exactly'  => self::text( __( 'When too few or too many are chosen', 'pillion' ), 'Please choose exactly {min}.', __( '{min} is filled in.', 'pillion' ) ),
			'form.choices_least'    => self::text( __( 'When too few are chosen', 'pillion' ), 'Please choose at least {min}.', __( '{min} is filled in.', 'pillion' ) ),
			'form.choices_most'     => self::text( __( 'When too many are chosen', 'pillion' ), 'Please choose at most {max}.', __( '{max} is filled in.', 'pillion' ) ),
			'form.row_add'          => self::text( __( 'Button that adds a row to a list', 'pillion' ), 'Add a row' ),
			'form.row_remove'       => self::text( __( 'Button that takes a row out, before its number', 'pillion' ), 'Remove row' ),
			'form.not_offered'      => self::text( __( 'When the answers are such that the form cannot be sent', 'pillion' ), 'With these answers the form cannot be sent.' ),
			'form.nothing'          => self::text( __( 'When nothing was filled in at all', 'pillion' ), 'Please fill in at least one field.' ),
			'form.terms'             => self::text( __( 'Title of the link under a form', 'pillion' ), 'Terms & Conditions', __( 'It leads to the link named terms; without that one there is none.', 'pillion' ) ),
			'riders.from'          => array(
				'kind'  => 'count',
				'label' => __( 'Riders before the first sign-up', 'pillion' ),
				'help'  => __( 'The number that is told begins here: with 200, the first who signs up is 201. Empty: no number is told, and the scene shows all its lights.', 'pillion' ),
			),
			'riders.light'         => self::text( __( 'What a new rider is told of her light', 'pillion' ), 'Yours is light {number} on the road.', __( '{number} is filled in. It stands under the thanks.', 'pillion' ) ),
			'fourohfour.title'     => self::text( __( 'Title', 'pillion' ), '404' ),
			'fourohfour.paragraph' => self::lines( __( 'Paragraph', 'pillion' ), '', 'Page not found' ),
		) + self::link( 'fourohfour.link', 'Back to home' ) + array(
			'gone.title'     => self::text( __( 'Title', 'pillion' ), 'Gone' ),
			'gone.paragraph' => self::lines( __( 'Paragraph', 'pillion' ), '', 'This page is no longer here, and will not come back.' ),
		) + self::link( 'gone.link', 'Back to home' ) + array(
			'error.title'     => self::text( __( 'Title', 'pillion' ), 'One moment' ),
			'error.paragraph' => self::lines( __( 'Paragraph', 'pillion' ), '', 'This page cannot be shown right now. Please try again in a moment.' ),
			'error.reference' => self::text( __( 'Reference', 'pillion' ), 'Reference: {id}', __( '{id} is what whoever runs the site finds the fault by.', 'pillion' ) ),
		) + self::link( 'error.link', 'Back to home' ) + array(
			'search.title'    => self::text( __( 'Title', 'pillion' ), 'Search' ),
			'search.submit'   => self::text( __( 'Button', 'pillion' ), 'Search' ),
			'search.one'      => self::text( __( 'One page found', 'pillion' ), 'One page has “{query}”.', __( '{query} is what was looked for.', 'pillion' ) ),
			'search.two'      => self::text( __( 'Two pages found', 'pillion' ), '', __( 'For languages that say two in a way of their own, such as Arabic. Empty: as any number.', 'pillion' ) ),
			'search.few'      => self::text( __( 'A few pages found', 'pillion' ), '', __( 'For languages that say a few in a way of their own, such as Arabic, Polish and Russian. Empty: as any number.', 'pillion' ) ),
			'search.many'     => self::text( __( 'Pages found', 'pillion' ), '{count} pages have “{query}”.', __( '{count} is how many, {query} what was looked for.', 'pillion' ) ),
			'search.none'     => self::text( __( 'Nothing found', 'pillion' ), 'No page has “{query}”. Try fewer words, or other ones.' ),
			'search.partial'  => self::text( __( 'When WordPress does not answer', 'pillion' ), 'The search is not whole just now: these are the pages we have at hand.' ),
			'search.offline'  => self::text( __( 'When the visitor is offline', 'pillion' ), 'You are offline: what you type is looked for once you are connected again.' ),
			'search.failed'   => self::text( __( 'When the site does not answer', 'pillion' ), 'The search does not answer just now. Please try again in a moment.' ),
			'search.previous' => self::text( __( 'Previous page', 'pillion' ), 'Previous' ),
			'search.next'     => self::text( __( 'Next page', 'pillion' ), 'Next' ),
		) + self::consent();
	}

	/**
	 * What a visitor is asked before the site measures anything.
	 *
	 * @return array<string, Field>
	 */
	private static function consent(): array {
		return array(
			'consent.title'       => self::text( __( 'Title', 'pillion' ), 'Cookies, if you agree', __( 'The dialog is shown only where the site has a tag manager.', 'pillion' ) ),
			'consent.description' => self::lines( __( 'Question', 'pillion' ), '', 'With your consent we load tools that measure visits and advertising. Without it none is loaded, and the site works the same.' ),
			'consent.accept'      => self::text( __( 'Button that accepts', 'pillion' ), 'Accept' ),
			'consent.reject'      => self::text( __( 'Button that rejects', 'pillion' ), 'Reject' ),
			'consent.settings'    => self::text( __( 'Button that shows the purposes', 'pillion' ), 'Settings' ),
			'consent.statistics'  => self::text( __( 'Purpose: statistics', 'pillion' ), 'Statistics: which pages are read' ),
			'consent.marketing'   => self::text( __( 'Purpose: marketing', 'pillion' ), 'Marketing: whether our advertising works' ),
			'consent.save'        => self::text( __( 'Button that keeps what was ticked', 'pillion' ), 'Save choice' ),
			'consent.policy'      => self::text( __( 'Title of the link to the policy', 'pillion' ), 'Cookie policy', __( 'It leads to the link named cookies, or else to privacy.', 'pillion' ) ),
			'consent.reopen'      => self::text( __( 'Button in the footer', 'pillion' ), 'Cookie settings' ),
			'consent.withdrawn'   => self::text( __( 'When consent is taken back', 'pillion' ), 'Your consent is withdrawn. Measuring has stopped, and its cookies are removed.' ),
		);
	}

	/**
	 * Schema of the option for core's settings endpoint. Null clears a member.
	 *
	 * @return array<string, mixed>
	 */
	public static function schema(): array {
		$properties = array();
		foreach ( self::all() as $path => $field ) {
			$place = &$properties;
			$keys  = explode( '.', $path );
			$last  = array_pop( $keys );
			foreach ( $keys as $key ) {
				$place[ $key ]['type'] = 'object';
				$place                 = &$place[ $key ]['properties'];
			}
			$place[ $last ] = array(
				'type'        => array( 'number' === $field['kind'] ? 'integer' : 'string', 'null' ),
				'description' => $field['label'],
			);
			unset( $place );
		}
		$properties['links'] = array(
			'type'                 => 'object',
			'additionalProperties' => array( 'type' => 'string' ),
		);
		return array(
			'type'       => 'object',
			'properties' => $properties,
		);
	}

	/**
	 * @param Field $field
	 * @param mixed $raw
	 * @return array{value: string|int|null, problem: string|null} A null value without a problem: the field is empty.
	 */
	public static function read( array $field, $raw ): array {
		if ( null === $raw || '' === $raw ) {
			return self::good( null );
		}
		if ( ! is_scalar( $raw ) || is_bool( $raw ) ) {
			/* translators: %s: name of a field */
			return self::bad( sprintf( __( '%s: this is not text.', 'pillion' ), $field['label'] ) );
		}
		$text  = self::clean( (string) $raw, 'lines' === $field['kind'] || 'svg' === $field['kind'] );
		$limit = Strings::LIMITS[ $field['kind'] ] ?? 20;
		if ( mb_strlen( $text ) > $limit ) {
			/* translators: 1: name of a field, 2: a number */
			return self::bad( sprintf( __( '%1$s: at most %2$d characters fit here.', 'pillion' ), $field['label'], $limit ) );
		}
		return '' === $text ? self::good( null ) : self::read_kind( $field, $text );
	}

	/**
	 * Named addresses. From the settings page come a row for each and one more, `{ name, address }`, for a new one.
	 *
	 * @param array<mixed>          $raw    Name → address.
	 * @param array<string, string> $stored Kept where the new address is wrong.
	 * @return array{values: array<string, string>, problems: array<string, string>}
	 */
	public static function read_links( array $raw, array $stored ): array {
		$values   = array();
		$problems = array();
		foreach ( $raw as $name => $address ) {
			if ( is_array( $address ) ) {
				$name    = is_scalar( $address['name'] ?? '' ) ? trim( (string) ( $address['name'] ?? '' ) ) : '';
				$address = $address['address'] ?? '';
				if ( '' === $name && '' === $address ) {
					continue;
				}
			}
			$label = (string) $name;
			if ( ! preg_match( '/^[A-Za-z][\w-]{0,40}$/', $label ) ) {
				/* translators: %s: what was typed */
				$problems['links'] = sprintf( __( 'Link “%s”: a name is letters, digits, - and _, and starts with a letter.', 'pillion' ), $label );
				continue;
			}
			$read = self::read(
				array(
					'kind'  => 'address',
					'label' => $label,
				),
				$address
			);
			if ( null !== $read['problem'] ) {
				$problems[ "links.$label" ] = $read['problem'];
				$read['value']              = $stored[ $label ] ?? null;
			}
			if ( null !== $read['value'] ) {
				$values[ $label ] = (string) $read['value'];
			}
		}
		return compact( 'values', 'problems' );
	}

	/**
	 * @param Field $field
	 * @return array{value: string|int|null, problem: string|null}
	 */
	private static function read_kind( array $field, string $text ): array {
		switch ( $field['kind'] ) {
			case 'number':
				return ctype_digit( $text ) && (int) $text > 0
					? self::good( (int) $text )
					/* translators: %s: name of a field */
					: self::bad( sprintf( __( '%s: a whole number from 1 is needed.', 'pillion' ), $field['label'] ) );
			case 'count':
				return ctype_digit( $text ) && strlen( $text ) <= 9
					? self::good( (string) (int) $text )
					/* translators: %s: name of a field */
					: self::bad( sprintf( __( '%s: a whole number from 0 is needed, of nine digits at most.', 'pillion' ), $field['label'] ) );
			case 'target':
				return self::good( '_blank' === $text ? '_blank' : null );
			case 'tone':
				return self::good( 'plain' === $text ? 'plain' : null );
			case 'svg':
				return self::is_svg( $text )
					? self::good( $text )
					/* translators: %s: name of a field */
					: self::bad( sprintf( __( '%s: this is not well-formed SVG markup without scripts.', 'pillion' ), $field['label'] ) );
			case 'address':
			case 'audio':
				return self::is_address( $text )
					? self::good( $text )
					/* translators: 1: name of a field, 2: what was typed */
					: self::bad( sprintf( __( '%1$s: “%2$s” is no address. It may begin with /, #, https://, http://, mailto: or tel:.', 'pillion' ), $field['label'], $text ) );
			default:
				return self::good( $text );
		}
	}

	/** Text as it was typed, but for bytes that are no UTF-8, control characters, and space around it. */
	private static function clean( string $text, bool $keep_lines ): string {
		$text = str_replace( array( "\r\n", "\r" ), "\n", wp_check_invalid_utf8( $text, true ) );
		$text = (string) preg_replace( '/[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]/', '', $text );
		return trim( $keep_lines ? $text : str_replace( "\n", ' ', $text ) );
	}

	/** A path of the site, a place on the page, or one of the schemes a visitor can follow; nothing that runs. */
	private static function is_address( string $text ): bool {
		if ( preg_match( '/[\s<>"\\\\]/', $text ) || 0 === strpos( $text, '//' ) ) {
			return false;
		}
		return (bool) preg_match( '~^(/|#|https?://[^/]+|mailto:.+@.+|tel:\+?[\d().-]+)~i', $text );
	}

	private static function is_svg( string $text ): bool {
		if ( ! preg_match( '/^(<\?xml[^>]*>\s*)?<svg[\s>]/i', $text ) || preg_match( '/<script|<foreignObject|<!ENTITY|<!DOCTYPE|\son\w+\s*=|javascript:/i', $text ) ) {
			return false;
		}
		if ( ! function_exists( 'simplexml_load_string' ) ) {
			return true;
		}
		$before = libxml_use_internal_errors( true );
		$tree   = simplexml_load_string( $text, 'SimpleXMLElement', LIBXML_NONET );
		libxml_clear_errors();
		libxml_use_internal_errors( $before );
		return false !== $tree;
	}

	/**
	 * @return Field
	 */
	private static function text( string $label, string $default_text = '', string $help = '' ): array {
		return array(
			'kind'    => 'text',
			'label'   => $label,
			'default' => $default_text,
			'help'    => $help,
		);
	}

	/**
	 * @return Field
	 */
	private static function lines( string $label, string $help = '', string $default_text = '' ): array {
		return array( 'kind' => 'lines' ) + self::text( $label, $default_text, $help );
	}

	/**
	 * @return array<string, Field>
	 */
	private static function link( string $path, string $title ): array {
		return array(
			"$path.title"  => self::text( __( 'Title of the link', 'pillion' ), $title ),
			"$path.url"    => array(
				'kind'    => 'address',
				'label'   => __( 'Address of the link', 'pillion' ),
				'default' => '/',
			),
			"$path.target" => array(
				'kind'  => 'target',
				'label' => __( 'Opens', 'pillion' ),
			),
		);
	}

	/**
	 * @param string|int|null $value
	 * @return array{value: string|int|null, problem: null}
	 */
	private static function good( $value ): array {
		return array(
			'value'   => $value,
			'problem' => null,
		);
	}

	/**
	 * @return array{value: null, problem: string}
	 */
	private static function bad( string $problem ): array {
		return array(
			'value'   => null,
			'problem' => $problem,
		);
	}
}
