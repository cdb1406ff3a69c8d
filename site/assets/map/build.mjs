// The map of the Hallen Pass: contours as a picture, the road as a drawing over it.
import { join } from 'node:path';
import sharp from 'sharp';
import { writeOutput } from '../lib/output.mjs';
import { MEDIA, SEED } from '../lib/places.mjs';
import { findContours } from './contours.mjs';
import { curvePath, lineLength, simplifyLine, smoothLine } from './lines.mjs';
import { findRoad } from './route.mjs';
import { CELL, COLUMNS, createHeights, MAP_HEIGHT, MAP_WIDTH, METRES_PER_PIXEL, ROWS } from './terrain.mjs';

/** Metres between two lines. Every fifth line is stronger, as on printed maps. */
const INTERVAL_M = 185;
const STRONG_EVERY = 5;
/** Higher than all summits. */
const MAX_HEIGHT_M = 4000;
/** Shorter lines are left out. */
const MIN_LENGTH_CELLS = 20;
/** Colour of all lines, readable on the dark and the light ground. */
const INK = { r: 0x86, g: 0x8e, b: 0xa0 };
/** Width of the lines, in pixels. */
const THIN = 1;
const STRONG = 1.4;
/**
 * Alpha of the ground, a thin and a strong line, of 255. Strong lines have edges of the thin alpha. True anti-aliasing
 * looks the same at 100 % and makes the file half as large again.
 */
const ALPHAS = [0, 112, 208];

/** @returns An SVG path of all lines at every n-th height. */
function contourPath(heights, isWanted) {
  const path = [];
  for (let level = INTERVAL_M; level < MAX_HEIGHT_M; level += INTERVAL_M)
    if (isWanted(level / INTERVAL_M))
      path.push(...findContours(heights, COLUMNS, ROWS, level).filter(isLongEnough).map(linePath));
  return path.join('');
}

const isLongEnough = (line) => lineLength(line) > MIN_LENGTH_CELLS;
const linePath = (line) =>
  curvePath(simplifyLine(smoothLine(line, 8), 0.25).map((point) => point.map((at) => at * CELL)));

/** How much of each pixel a path covers, 0..255. */
const pixelCoverage = (path, width) =>
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
 * All pixels have the same colour, also the transparent ones, so that the file only has to store alpha.
 */
async function drawMap(heights) {
  const thin = await pixelCoverage(
    contourPath(heights, (count) => count % STRONG_EVERY !== 0),
    THIN,
  );
  const strong = await pixelCoverage(
    contourPath(heights, (count) => count % STRONG_EVERY === 0),
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

const circle = ([x, y], radius, attributes) =>
  `<circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${radius}"${attributes}/>`;

/** The road as one path with length 1, so that a stylesheet can draw it, and marks at its start and end. */
function drawRoad(road) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" fill="none" stroke="currentColor">`,
    `<path d="${curvePath(road)}" pathLength="1" stroke-width="3" stroke-linecap="round"/>`,
    circle(road[0], 7, ' stroke-width="2.5"'),
    circle(road.at(-1), 7, ' fill="currentColor"'),
    circle(road.at(-1), 19, ' stroke-width="1.5" stroke-opacity=".5"'),
    '</svg>\n',
  ].join('');
}

export async function build(report) {
  const heights = createHeights();
  const road = simplifyLine(smoothLine(findRoad(heights), 14), 1);
  report(`the road is ${((lineLength(road) * METRES_PER_PIXEL) / 1000).toFixed(1)} km long`);
  await writeOutput(join(SEED, 'route.svg'), drawRoad(road), report);
  await writeOutput(join(MEDIA, 'route-map.webp'), await drawMap(heights), report);
}
