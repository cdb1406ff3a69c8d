<?php
/**
 * The content of the LOWSUN site. LOWSUN is fictional. Texts of pages are in `pages/`.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

const NAME = 'LOWSUN';

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
			'to'     => '/ferry-log/',
		),
		array(
			'from'   => '/test-rides/',
			'status' => 302,
			'to'     => '/the-road/',
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
			'title'    => 'Ride the last light',
			'excerpt'  => 'The Lowsun One is built for the hour when the light goes: thirty-six spokes, one lamp, no screen. Join two hundred riders on the Hallen Pass.',
			'template' => 'landing',
			'picture'  => 'social',
		),
		'ferry-log'                => array(
			'title'   => 'The ferry log',
			'excerpt' => 'When to board, what to carry and how to read the water: notes from the boat that every ride over the Hallen Pass begins on.',
			'theme'   => 'light',
			'picture' => 'gold',
		),
		'ferry-log/first-crossing' => array(
			'title'   => 'The first crossing',
			'excerpt' => 'A missed boat, eleven minutes of sun and a list on the back of a ticket: where the Lowsun One began.',
			'theme'   => 'light',
			'picture' => 'ember',
		),
		'terms-conditions'         => array(
			'title'   => 'Terms & Conditions',
			'excerpt' => 'LOWSUN is fictional and this site is a demonstration. What that means for you, and what belongs to whom.',
		),
		'privacy-policy'           => array(
			'title'   => 'Privacy Policy',
			'excerpt' => 'Nothing is kept when you look. What is kept when you join the ride, where, and how to have it erased.',
		),
		'cookie-policy'            => array(
			'title'   => 'Cookie Policy',
			'excerpt' => 'As it comes, this site sets no cookie at all. What your browser remembers, and what would change that.',
		),
		'the-road'                 => array(
			'title'    => 'The road',
			'excerpt'  => 'Forty-eight kilometres, six stops and one honest road sign: the north side of the Hallen Pass, from the ferry’s ramp to the last lay-by.',
			'theme'    => 'light',
			'template' => 'landing',
			'picture'  => 'ember',
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
				array( 'The ferry log', 'ferry-log' ),
				array( 'The road', 'the-road' ),
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
		'description' => 'LOWSUN is a fictional maker of one quiet motorcycle, built for the hour when the light goes.',
		'links'       => array(
			'privacy' => home_url( '/privacy-policy/' ),
			'terms'   => home_url( '/terms-conditions/' ),
			'cookies' => home_url( '/cookie-policy/' ),
		),
		'labels'      => array(
			'join'   => 'Join The Ride',
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
		'audio'       => array( 'url' => (string) wp_get_attachment_url( $media['last-light'] ) ),
		'form'        => array(
			'form_id'  => 1,
			'sending'  => 'Sending…',
		),
		'sign_up_number' => array(
			'from' => '214',
			'text' => 'Yours is light {number} on the road.',
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
			'paragraph' => 'This page has ridden off, and will not be back.',
			'link'      => array(
				'title' => 'Back to home',
				'url'   => home_url( '/' ),
			),
		),
		'error'       => array(
			'title'     => 'Wait for the light',
			'paragraph' => 'This page cannot be shown right now. Please try again in a moment.',
			'link'      => array(
				'title' => 'Back to home',
				'url'   => home_url( '/' ),
			),
		),
		'consent'     => array(
			'title'       => 'May we count this ride?',
			'description' => 'With your consent we measure visits and advertising. Without it nothing is measured, and the road is the same.',
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
		case 'the-road':
			return road( $media );
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
					'heading'  => 'Ride the <em>last light</em>',
					'picture'  => $picture( 'hero' ),
					'portrait' => $picture( 'hero-portrait' ),
				)
			),
			section(
				'statement',
				array(
					'kicker'  => 'The hour',
					'heading' => 'There is one hour when the road turns to <em>metal</em>, the hills to <em>paper</em>, and nothing behind you is faster than the dark. <mark>We build for that hour.</mark>',
					'facts'   => rows(
						array(
							'Route'    => 'Hallen Pass, north side',
							'Length'   => '48 km',
							'Leave by' => '20:41',
						)
					),
					'picture' => $picture( 'route-map' ),
					'drawing' => drawing( 'route' ),
				)
			),
			section(
				'acts',
				array( 'heading' => 'One evening, in three acts' ),
				array(
					$act( '20:41', 'Gold', 'Long shadows, warm tarmac. Everyone else is heading home.', 'gold' ),
					$act( '21:06', 'Ember', 'The sun lets go. The snow keeps it a little longer.', 'ember' ),
					$act( '21:38', 'Night', 'One lamp, one lane. This is what you came for.', 'night' ),
				)
			),
			section(
				'feature',
				array(
					'kicker'  => 'The machine',
					'heading' => 'Nothing to look at <em>but the road</em>',
					'text'    => 'Thirty-six spokes, one lamp, no screen. The Lowsun One is a short list of things done properly.',
					'figures' => rows(
						array(
							'Dry weight'         => '148 kg',
							'Range at dusk pace' => '210 km',
							'Beam'               => '2 700 K, warm',
						)
					),
					'picture' => $picture( 'wheel' ),
					'detail'  => $picture( 'lamp' ),
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
						'When do we ride?',
						'On the longest day of the year. The right boat lands at 20:35; from there it is six minutes to the foot of the pass, and the light begins at 20:41.<br><br>Start times go out by email, two weeks before.'
					),
					question(
						'Do I need a Lowsun One?',
						'No. Nobody has one: it has never been built, and lives on this site alone. Ride what you have, as long as it has one lamp that works.'
					),
					question(
						'And if it rains?',
						'We cross anyway, and drink tea on the other side. Only ice and falling stones close the road. If they do, you will hear of it by noon.'
					),
					question(
						'What does it cost?',
						'The ride, nothing. Bring the fare for the ferry, and something to eat: there is nothing on the north side after seven.'
					),
				)
			),
			section(
				'sign-up',
				array(
					'kicker'   => 'The list',
					'heading'  => 'Join <em>the ride</em>',
					'text'     => 'Two hundred riders leave Hallen on the longest day. Tell us where to send your start time.',
					'picture'  => $picture( 'night-road' ),
					'portrait' => $picture( 'night-road-portrait' ),
				)
			),
			section( 'wordmark' ),
		)
	);
}

/**
 * The sections of "The road" as blocks.
 *
 * @param array<string, int> $media Attachment ids by name.
 */
function road( array $media ): string {
	$stop = static function ( int $number, string $title, string $text ) use ( $media ): array {
		return section(
			'gallery-picture',
			array(
				'picture' => $media[ "stop-$number" ] ?? 0,
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
					'kicker'  => 'The pass',
					'heading' => 'Forty-eight kilometres, one lane each way, and no place to <em>turn around</em>. <mark>Nobody has asked for one yet.</mark>',
					'facts'   => rows(
						array(
							'From'          => 'North landing',
							'Highest point' => '1 104 m',
							'Open'          => 'May to October',
						)
					),
					'drawing' => drawing( 'route' ),
				)
			),
			section(
				'gallery',
				array(
					'kicker'  => 'The stops',
					'heading' => 'Six places to <em>let it go dark</em>',
				),
				array(
					$stop( 1, 'North landing', 'km 0. Steel ramp, cold tarmac. Roll off last, and you have the road to yourself.' ),
					$stop( 2, 'Foot of the pass', 'km 4. Long shadows from here on. Take the screen off, if you have one.' ),
					$stop( 3, 'Second tunnel', 'km 15. Out of the rock into red. The wind comes from the left, once, hard.' ),
					$stop( 4, 'Snow gate', 'km 27. Everybody who left before you, one lamp each, all the way up.' ),
					$stop( 5, 'Hallen saddle', 'km 33. Evening behind you, night ahead. Stop the engine and listen.' ),
					$stop( 6, 'The last lay-by', 'km 44. Stand aside, put the lamp out, and watch the others come down.' ),
				)
			),
			section(
				'quote',
				array(
					'kicker'  => 'In writing',
					'quote'   => 'No lights for the next <em>seventeen</em> kilometres',
					'source'  => 'Road sign, Hallen Pass, km 31',
					'picture' => $media['night'] ?? 0,
				)
			),
			section(
				'sign-up',
				array(
					'kicker'   => 'The list',
					'heading'  => 'Take <em>a start time</em>',
					'text'     => 'Two hundred riders leave Hallen on the longest day. Tell us where to send your start time.',
					'picture'  => $media['night-road'] ?? 0,
					'portrait' => $media['night-road-portrait'] ?? 0,
				)
			),
			section( 'wordmark' ),
		)
	);
}

/**
 * The brand's texts of form 1.
 *
 * @return array{title: string, button: string, consent: string, thanks: string}
 */
function form_texts(): array {
	return array(
		'title'   => 'Join the ride',
		'button'  => 'Join The Ride',
		'consent' => 'Send me the route, and nothing else. <a href="/privacy-policy/">Privacy</a>',
		'thanks'  => '<strong>You are on the list.</strong> Until the longest day, keep the lamp clean.',
	);
}
