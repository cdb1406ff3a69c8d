<?php
/**
 * Pictures and music of the LOWSUN site. WordPress creates smaller sizes of each picture except the map: scaling turns
 * its three colours into 256, which makes the file four times as large.
 */

namespace Pillion\Seed;

defined( 'ABSPATH' ) || exit;

return array(
	'hero'                => array( 'hero.webp', 'A lone rider on a mountain road, the sun low behind the ridge' ),
	'hero-portrait'       => array( 'hero-portrait.webp', 'A lone rider on a mountain road, the sun low behind the ridge' ),
	'gold'                => array( 'gold.webp', 'A rider on the valley road, a full sun low over the ridge' ),
	'ember'               => array( 'ember.webp', 'A rider on the valley road under a red sky, half a sun on the ridge, a string of other lamps far ahead' ),
	'night'               => array( 'night.webp', 'A rider in the dark under a thin moon, a string of lamps winding up the pass ahead' ),
	'gold-portrait'       => array( 'gold-portrait.webp', 'A rider on the valley road, a full sun low over the ridge' ),
	'ember-portrait'      => array( 'ember-portrait.webp', 'A rider on the valley road under a red sky, half a sun on the ridge, a string of other lamps far ahead' ),
	'night-portrait'      => array( 'night-portrait.webp', 'A rider in the dark under a thin moon, a string of lamps winding up the pass ahead' ),
	'wheel'               => array( 'wheel.webp', 'Spoked front wheel and drilled brake disc, lit warm from the side' ),
	'lamp'                => array( 'lamp.webp', 'Round headlamp from the front, its rim a bright ring, one of two lenses lit' ),
	'route-map'           => array( 'route-map.webp', 'Contour map of the Hallen Pass', false ),
	'night-road'          => array( 'night-road.webp', '' ),
	'night-road-portrait' => array( 'night-road-portrait.webp', '' ),
	'social'              => array( 'social.webp', 'LOWSUN: ride the last light' ),
	'last-light'          => array( 'last-light.mp3', '' ),
	'stop-1'              => array( 'stop-1.webp', 'A rider on the straight road from the landing, the sun behind a telegraph pole' ),
	'stop-2'              => array( 'stop-2.webp', 'The empty road bends towards a low sun, a mountain above it lit from the side' ),
	'stop-3'              => array( 'stop-3.webp', 'A rider on the open road under a deep red sky, snow still lit on the left' ),
	'stop-4'              => array( 'stop-4.webp', 'The empty road at dusk, a moon, and a string of red and white lamps climbing the pass' ),
	'stop-5'              => array( 'stop-5.webp', 'A rider in the last red light, the lamps of others on the road far ahead' ),
	'stop-6'              => array( 'stop-6.webp', 'An empty bend at night, one lamp’s light on it, the lamps of others strung along the valley' ),
);
