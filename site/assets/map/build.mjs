// The map of the Hallen Pass: contours as a picture, the road as a drawing over it.
import { join } from 'node:path';
import sharp from 'sharp';
import { MEDIA, SEED } from '../lib/places.mjs';
import { written } from '../lib/written.mjs';
import { contoursAt } from './contours.mjs';
import { curve, lengthOf, simplified, smoothed } from './lines.mjs';
import { roadOver } from './route.mjs';
import { CELL, COLUMNS, MAP_HEIGHT, MAP_WIDTH, METRES_PER_PIXEL, ROWS, surveyed } from './terrain.mjs';

/** Metres between two lines; every fifth is drawn stronger, as on paper. */
const INTERVAL = 185;
const STRONG_EVERY = 5;
/** Above every summit, in metres. */
const HIGHEST = 4000;
/** Lines shorter than this are specks, in cells. */
const SPECK = 20;
/** The one colour of the lines: readable on the dark ground and on the light one. Only their strength differs. */
const INK = { r: 0x86, g: 0x8e, b: 0xa0 };
/** Width of the lines, in pixels. */
const THIN = 1;
const STRONG = 1.4;
/**
 * Alpha of a thin line, of 255, and of a strong one. There are no others: the thin one also softens the strong one's
 * edges. True anti-aliasing looks the same at 100 % and makes the file half as large again.
 */
const ALPHAS = [0, 112, 208];

/** @returns An SVG path of all lines at every n-th height. */
function contours(heights, isWanted) {
  const path = [];
  for (let level = INTERVAL; level < HIGHEST; level += INTERVAL)
    if (isWanted(level / INTERVAL))
      path.push(...contoursAt(heights, COLUMNS, ROWS, level).filter(isNoSpeck).map(drawn));
  return path.join('');
}

const isNoSpeck = (line) => lengthOf(line) > SPECK;
const drawn = (line) => curve(simplified(smoothed(line, 8), 0.25).map((point) => point.map((at) => at * CELL)));

/** How much of each pixel a path covers, 0..255. */
const covered = (path, width) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" width="${MAP_WIDTH}" height="${MAP_HEIGHT}">` +
        `<rect width="100%" height="100%"/><path fill="none" stroke="#fff" stroke-width="${width}" d="${path}"/></svg>`,
    ),
  )
    .extractChannel(0)
    .raw()
    .toBuffer();

/**
 * The picture has one colour everywhere, under the clear ground too, and only its alpha tells ink from none: colour then
 * costs nothing.
 */
async function picture(heights) {
  const thin = await covered(
    contours(heights, (count) => count % STRONG_EVERY !== 0),
    THIN,
  );
  const strong = await covered(
    contours(heights, (count) => count % STRONG_EVERY === 0),
    STRONG,
  );
  const pixels = Buffer.alloc(thin.length * 4);
  for (let at = 0; at < thin.length; at++) {
    const strength = Math.max(thin[at] > 127 ? 1 : 0, Math.round((strong[at] / 255) * 2));
    pixels.set([INK.r, INK.g, INK.b, ALPHAS[strength]], at * 4);
  }
  return sharp(pixels, { raw: { width: MAP_WIDTH, height: MAP_HEIGHT, channels: 4 } })
    .webp({ lossless: true, effort: 6, exact: true })
    .toBuffer();
}

const circle = ([x, y], radius, more) => `<circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${radius}"${more}/>`;

/** The road as one path, its length taken as 1 so that a stylesheet can draw it; where it begins and ends. */
function drawing(road) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" fill="none" stroke="currentColor">`,
    `<path d="${curve(road)}" pathLength="1" stroke-width="3" stroke-linecap="round"/>`,
    circle(road[0], 7, ' stroke-width="2.5"'),
    circle(road.at(-1), 7, ' fill="currentColor"'),
    circle(road.at(-1), 19, ' stroke-width="1.5" stroke-opacity=".5"'),
    '</svg>\n',
  ].join('');
}

export async function build(say) {
  const heights = surveyed();
  const road = simplified(smoothed(roadOver(heights), 14), 1);
  say(`the road is ${((lengthOf(road) * METRES_PER_PIXEL) / 1000).toFixed(1)} km long`);
  await written(join(SEED, 'route.svg'), drawing(road), say);
  await written(join(MEDIA, 'route-map.webp'), await picture(heights), say);
}
