// Pictures in the brand's colours, and the drawings of its icons, so that a new site is complete.

import { toHex, toOklch } from '@pillion/lib/oklch.mjs';
import sharp from 'sharp';

/** @typedef {import('./palette.mjs').Colours} Colours */
/** @typedef {{ name: string, width: number, height: number, x: number, y: number, from: number, to: number }} Drawing */

/**
 * Arcs of paper, one over the other. `x`, `y`: their centre, `from`, `to`: the largest and the smallest radius, in
 * shares of the picture's width, height and longer side. The upper part stays calm, because a headline is over it.
 * @type {readonly Drawing[]}
 */
export const DRAWINGS = [
  { name: 'hero', width: 1920, height: 1200, x: 0.86, y: 1.2, from: 0.66, to: 0.16 },
  { name: 'hero-portrait', width: 1080, height: 1920, x: 0.9, y: 1.06, from: 0.52, to: 0.1 },
  { name: 'feature', width: 1200, height: 1350, x: 0.18, y: 1.02, from: 0.95, to: 0.14 },
];

const ARCS = 7;

/** Mixes two colours in the hue of the second. @param {string} from @param {string} to @param {number} share Of `to`, 0 to 1. */
function mixColours(from, to, share) {
  const [fromLightness, fromChroma] = toOklch(from);
  const [toLightness, toChroma, hue] = toOklch(to);
  const between = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * share;
  return toHex([between(fromLightness, toLightness), between(fromChroma, toChroma), hue]);
}

/** @param {Drawing} drawing @param {Colours} colours @returns SVG. */
function drawArcs({ width, height, x, y, from, to }, { background, accent }) {
  const longer = Math.max(width, height);
  const arcs = Array.from({ length: ARCS }, (_, index) => {
    const step = index / (ARCS - 1);
    const radius = (from + (to - from) * step) * longer;
    // From barely visible to the full accent.
    const [outerShare, innerShare] = [0.05 + 0.8 * step ** 1.3, 0.16 + 0.84 * step ** 0.9];
    const id = `arc-${index}`;
    return `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${x * width}" cy="${y * height}" r="${radius}"><stop offset="0.62" stop-color="${mixColours(background, accent, innerShare)}"/><stop offset="1" stop-color="${mixColours(background, accent, outerShare)}"/></radialGradient><circle cx="${x * width}" cy="${y * height}" r="${radius}" fill="url(#${id})"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path fill="${background}" d="M0 0h${width}v${height}H0z"/>${arcs.join('')}</svg>`;
}

/** The drawing of the icons: the accent with a quarter of an arc. @param {number} radius Of its corners, of 64. */
const drawIcon = (radius) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="${radius}" fill="var(--accent)"/><path d="M46 18a28 28 0 0 0-28 28h11a17 17 0 0 1 17-17z" fill="var(--on-accent)"/><circle cx="41" cy="41" r="5" fill="var(--on-accent)"/></svg>\n`;

/**
 * @param {Colours} colours
 * @param {boolean} hasHero
 * @returns {Promise<Map<string, string | Buffer>>} Files by path.
 */
export async function picturesOf(colours, hasHero) {
  const files = new Map(
    /** @type {[string, string | Buffer][]} */ ([
      ['favicon.svg', drawIcon(14)],
      ['app-icon.svg', drawIcon(0)],
    ]),
  );
  for (const drawing of DRAWINGS.filter(({ name }) => hasHero || !name.startsWith('hero'))) {
    const picture = sharp(Buffer.from(drawArcs(drawing, colours))).webp({ quality: 86 });
    files.set(`content/media/${drawing.name}.webp`, await picture.toBuffer());
  }
  return files;
}
