<?php
/**
 * Pictures and music of the fixture site. `pictures.mjs` draws the pictures.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

return array(
	'hero'             => array( 'hero.webp', 'Grey rings on a light ground' ),
	'hero-portrait'    => array( 'hero-portrait.webp', 'Grey rings on a light ground' ),
	'morning'          => array( 'morning.webp', 'One grey ring on the left of a light ground' ),
	'noon'             => array( 'noon.webp', 'Two grey rings in the middle of a light ground' ),
	'evening'          => array( 'evening.webp', 'Three grey rings on the right of a light ground' ),
	'morning-portrait' => array( 'morning-portrait.webp', 'One grey ring on the left of a light ground' ),
	'noon-portrait'    => array( 'noon-portrait.webp', 'Two grey rings in the middle of a light ground' ),
	'evening-portrait' => array( 'evening-portrait.webp', 'Three grey rings on the right of a light ground' ),
	'object'           => array( 'object.webp', 'A large grey ring, cut off at its edge' ),
	'detail'           => array( 'detail.webp', 'A small grey ring in a corner' ),
	'map'              => array( 'map.webp', 'A plan of thin lines', false ),
	'ground'           => array( 'ground.webp', '' ),
	'ground-portrait'  => array( 'ground-portrait.webp', '' ),
	'social'           => array( 'social.webp', 'Example: read the first page' ),
	'music'            => array( 'music.mp3', '' ),
	'view-1'           => array( 'view-1.webp', 'First view: a ring at the top left' ),
	'view-2'           => array( 'view-2.webp', 'Second view: a ring at the top' ),
	'view-3'           => array( 'view-3.webp', 'Third view: a ring at the top right' ),
	'view-4'           => array( 'view-4.webp', 'Fourth view: a ring at the bottom left' ),
	'view-5'           => array( 'view-5.webp', 'Fifth view: a ring at the bottom' ),
	'view-6'           => array( 'view-6.webp', 'Sixth view: a ring at the bottom right' ),
);
