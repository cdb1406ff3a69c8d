<?php
/**
 * The content of the fixture site for the kit's tests: a site without a brand. Texts of pages are in `pages/`.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

const NAME = 'Example';

/**
 * Redirects from addresses of an earlier season.
 *
 * @return array<int, array{from: string, status: int, to: string}>
 */
function redirects(): array {
	return array(
		array(
			'from'   => '/journal/',
			'status' => 301,
			'to'     => '/paper-notes/',
		),
		array(
			'from'   => '/trial-copies/',
			'status' => 302,
			'to'     => '/the-tour/',
		),
		array(
			'from'   => '/first-edition/',
			'status' => 410,
			'to'     => '',
		),
	);
}

/**
 * Pages by path. `excerpt` is the page's description for search engines.
 *
 * @return array<string, array{title: string, excerpt: string, theme?: string, template?: string, picture?: string}>
 */
function pages(): array {
	return array(
		'home'                     => array(
			'title'    => 'Read the first page',
			'excerpt'  => 'The first page of an example site: nine kinds of sections, three languages and one form. Read two hundred words and join the list of readers.',
			'template' => 'landing',
			'picture'  => 'social',
		),
		'paper-notes'               => array(
			'title'   => 'The paper notes',
			'excerpt' => 'Which paper to choose, how to fold it and how to keep it: notes with every kind of block that the editor of WordPress offers.',
			'theme'   => 'light',
			'picture' => 'morning',
		),
		'paper-notes/first-chapter' => array(
			'title'   => 'The first chapter',
			'excerpt' => 'A page below another page, with a picture, a list and a quote: where the example site began.',
			'theme'   => 'light',
			'picture' => 'noon',
		),
		'terms-conditions'         => array(
			'title'   => 'Terms & Conditions',
			'excerpt' => 'This site is an example for tests. What that means for you, and what belongs to whom.',
		),
		'privacy-policy'           => array(
			'title'   => 'Privacy Policy',
			'excerpt' => 'Nothing is kept when you look. What is kept when you join the list, where, and how to have it erased.',
		),
		'cookie-policy'            => array(
			'title'   => 'Cookie Policy',
			'excerpt' => 'As it comes, this site sets no cookie at all. What your browser remembers, and what would change that.',
		),
		'the-tour'                 => array(
			'title'    => 'The tour',
			'excerpt'  => 'Forty-eight pages, six views and one honest line: a second landing page, with a gallery and a quote, from its first view to its last.',
			'theme'    => 'light',
			'template' => 'landing',
			'picture'  => 'noon',
		),
	);
}

/**
 * Menus by location. An item has a title, a page's path or a URL, and an optional class.
 *
 * @return array<string, array{name: string, items: array<int, array{0: string, 1: string, 2?: string}>}>
 */
function menus(): array {
	return array(
		'main_menu'   => array(
			'name'  => 'Main menu',
			'items' => array(
				array( 'The paper notes', 'paper-notes' ),
				array( 'The tour', 'the-tour' ),
			),
		),
		'social_menu' => array(
			'name'  => 'Social networks',
			'items' => array(
				array( 'X', 'https://x.com/', 'twitter' ),
				array( 'Twitch', 'https://www.twitch.tv/', 'twitch' ),
				array( 'LinkedIn', 'https://www.linkedin.com/', 'linkedin' ),
				array( 'Instagram', 'https://www.instagram.com/', 'instagram' ),
				array( 'Facebook', 'https://www.facebook.com/', 'facebook' ),
			),
		),
		'legals_menu' => array(
			'name'  => 'Legal pages',
			'items' => array(
				array( 'Terms & Conditions', 'terms-conditions' ),
				array( 'Privacy Policy', 'privacy-policy' ),
				array( 'Cookie Policy', 'cookie-policy' ),
			),
		),
	);
}

/**
 * @param array<string, int> $media Attachment ids by name.
 * @return array<string, mixed> The texts of the shell (R18).
 */
function strings( array $media ): array {
	return array(
		'brand'       => NAME,
		'number'      => '000 000 000',
		'logo'        => trim( (string) file_get_contents( __DIR__ . '/logo.svg' ) ),
		'description' => 'Example is a site without a brand, made for tests.',
		'links'       => array(
			'privacy' => home_url( '/privacy-policy/' ),
			'terms'   => home_url( '/terms-conditions/' ),
			'cookies' => home_url( '/cookie-policy/' ),
		),
		'labels'      => array(
			'join'   => 'Join The List',
			'scroll' => 'Your journey starts here. Scroll down to explore',
			'sound'  => 'sound',
			'motion' => 'motion',
			'skip'   => 'Skip to content',
			'more'   => 'Show more',
			'less'   => 'Show less',
			'main'   => 'Main',
			'legal'  => 'Legal',
			'social' => 'Social',
			'offer'  => 'Read this page in English',
			'close'  => 'Close',
		),
		'footer'      => array( 'colophon' => 'All Rights Reserved | {brand} Inc. VAT {number}' ),
		'audio'       => array( 'url' => (string) wp_get_attachment_url( $media['music'] ) ),
		'form'        => array(
			'form_id'  => 1,
			'sending'  => 'Sending…',
		),
		'fourohfour'  => array(
			'title'     => '404',
			'paragraph' => 'Page not found',
			'link'      => array(
				'title' => 'Back to home',
				'url'   => home_url( '/' ),
			),
		),
		'gone'        => array(
			'title'     => 'Gone',
			'paragraph' => 'This page has been removed, and will not be back.',
			'link'      => array(
				'title' => 'Back to home',
				'url'   => home_url( '/' ),
			),
		),
		'error'       => array(
			'title'     => 'Wait a moment',
			'paragraph' => 'This page cannot be shown right now. Please try again in a moment.',
			'link'      => array(
				'title' => 'Back to home',
				'url'   => home_url( '/' ),
			),
		),
		'consent'     => array(
			'title'       => 'May we count this visit?',
			'description' => 'With your consent we measure visits and advertising. Without it nothing is measured, and the site is the same.',
		),
	);
}

/**
 * Languages besides English, in the order of the menu. Their texts are in `languages/`.
 *
 * @return string[]
 */
function languages(): array {
	return array( 'de', 'ar' );
}

/**
 * A page's content, or null if its text is in `pages/`.
 *
 * @param array<string, int> $media Attachment ids by name.
 */
function sections( string $path, array $media ): ?string {
	switch ( $path ) {
		case 'home':
			return landing( $media );
		case 'the-tour':
			return tour( $media );
		default:
			return null;
	}
}

/**
 * The landing page's sections as blocks.
 *
 * @param array<string, int> $media Attachment ids by name.
 */
function landing( array $media ): string {
	$picture = static function ( string $name ) use ( $media ): int {
		return $media[ $name ] ?? 0;
	};
	$act     = static function ( string $time, string $title, string $text, string $name ) use ( $picture ): array {
		return section(
			'act',
			array(
				'label'    => $time,
				'title'    => $title,
				'text'     => $text,
				'picture'  => $picture( $name ),
				'portrait' => $picture( "$name-portrait" ),
			)
		);
	};
	return serialize_blocks(
		array(
			section(
				'hero',
				array(
					'heading'  => 'Read the <em>first page</em>',
					'picture'  => $picture( 'hero' ),
					'portrait' => $picture( 'hero-portrait' ),
				)
			),
			section(
				'statement',
				array(
					'kicker'  => 'The page',
					'heading' => 'There is one page that says what the site is <em>for</em>, whom it is <em>written for</em>, and where nothing more needs to be said than a sentence or two. <mark>This is that page.</mark>',
					'facts'   => rows(
						array(
							'Paper'    => 'Cotton, cold pressed',
							'Length'   => '48 km',
							'Ready by' => '20:41',
						)
					),
					'picture' => $picture( 'map' ),
					'drawing' => drawing( 'map' ),
				)
			),
			section(
				'acts',
				array( 'heading' => 'One day, in three acts' ),
				array(
					$act( '08:41', 'Morning', 'A clean desk and a full pot. Everyone else is still asleep.', 'morning' ),
					$act( '12:06', 'Noon', 'Half of it is written. The rest takes a little longer.', 'noon' ),
					$act( '20:38', 'Evening', 'One sheet, one line. This is what you came for.', 'evening' ),
				)
			),
			section(
				'feature',
				array(
					'kicker'  => 'The book',
					'heading' => 'Nothing to look at <em>but the text</em>',
					'text'    => 'Thirty-six lines, one column, no footnotes. The example is a short list of things done properly.',
					'figures' => rows(
						array(
							'Dry weight'       => '148 g',
							'Sheets in a pack' => '210',
							'Tone'             => '92 g, neutral',
						)
					),
					'picture' => $picture( 'object' ),
					'detail'  => $picture( 'detail' ),
				)
			),
			section(
				'questions',
				array(
					'kicker'  => 'Before you ask',
					'heading' => 'Four <em>short</em> answers',
				),
				array(
					question(
						'When do we start?',
						'On the first day of the month. The doors open at 20:35; from there it is six minutes to the first row, and the reading begins at 20:41.<br><br>Seats are given out by email, two weeks before.'
					),
					question(
						'Do I need a copy?',
						'No. Nobody has one: it has never been printed, and lives on this site alone. Bring the paper you have, as long as there is room for a line.'
					),
					question(
						'And if it is late?',
						'We begin anyway, and drink tea in between. Only a strike or a flood closes the hall. If it does, you will hear of it by noon.'
					),
					question(
						'What does it cost?',
						'The reading, nothing. Bring paper for the letters, and something to eat: there is nothing near the hall after seven.'
					),
				)
			),
			section(
				'sign-up',
				array(
					'kicker'   => 'The list',
					'heading'  => 'Join <em>the list</em>',
					'text'     => 'Two hundred readers come on the first day of the month. Tell us where to send your seat.',
					'picture'  => $picture( 'ground' ),
					'portrait' => $picture( 'ground-portrait' ),
				)
			),
			section( 'wordmark' ),
		)
	);
}

/**
 * The sections of "The tour" as blocks.
 *
 * @param array<string, int> $media Attachment ids by name.
 */
function tour( array $media ): string {
	$view = static function ( int $number, string $title, string $text ) use ( $media ): array {
		return section(
			'gallery-picture',
			array(
				'picture' => $media[ "view-$number" ] ?? 0,
				'title'   => $title,
				'text'    => $text,
			)
		);
	};
	return serialize_blocks(
		array(
			section(
				'statement',
				array(
					'kicker'  => 'The hall',
					'heading' => 'Forty-eight pages, one column on each, and no place to <em>turn back</em>. <mark>Nobody has asked for one yet.</mark>',
					'facts'   => rows(
						array(
							'From'         => 'Front cover',
							'Largest size' => '1 104 mm',
							'Open'         => 'May to October',
						)
					),
					'drawing' => drawing( 'map' ),
				)
			),
			section(
				'gallery',
				array(
					'kicker'  => 'The views',
					'heading' => 'Six places to <em>stop and read</em>',
				),
				array(
					$view( 1, 'Front cover', 'Page 0. Thick board, cold cloth. Come last, and you have the paper to yourself.' ),
					$view( 2, 'First line', 'Page 4. Longer lines from here on. Take the ruler off, if you have one.' ),
					$view( 3, 'Second chapter', 'Page 15. Out of one letter into the next. The note is on the left, once, short.' ),
					$view( 4, 'Inner margin', 'Page 27. Everybody who read before you, one mark each, all the way down.' ),
					$view( 5, 'Middle sheet', 'Page 33. One half behind you, one half ahead. Put the pen down and listen.' ),
					$view( 6, 'The last sheet', 'Page 44. Turn it over, put the pen away, and see the others come in.' ),
				)
			),
			section(
				'quote',
				array(
					'kicker'  => 'In writing',
					'quote'   => 'No notes for the next <em>seventeen</em> pages',
					'source'  => 'Printed note, page 31',
					'picture' => $media['evening'] ?? 0,
				)
			),
			section(
				'sign-up',
				array(
					'kicker'   => 'The list',
					'heading'  => 'Take <em>a seat</em>',
					'text'     => 'Two hundred readers come on the first day of the month. Tell us where to send your seat.',
					'picture'  => $media['ground'] ?? 0,
					'portrait' => $media['ground-portrait'] ?? 0,
				)
			),
			section( 'wordmark' ),
		)
	);
}

/**
 * The texts of form 1.
 *
 * @return array{title: string, button: string, consent: string, thanks: string}
 */
function form_texts(): array {
	return array(
		'title'   => 'Join the list',
		'button'  => 'Join The List',
		'consent' => 'Send me the letter, and nothing else. <a href="/privacy-policy/">Privacy</a>',
		'thanks'  => '<strong>You are on the list.</strong> Until the first day, keep the paper dry.',
	);
}
