// Colours in OKLCH, in which equal lightness looks equally light. The numbers are those of CSS Color 4. JavaScript,
// because commands in `node_modules` use it without a build.
import { channelsOf, contrastOf, hexOf, linear, MIN_TEXT_CONTRAST } from './contrast.mjs';

/** @typedef {[lightness: number, chroma: number, hue: number]} Oklch Lightness from 0 to 1, hue in radians. */

/** Colours with less chroma are grey. */
const MAX_GREY_CHROMA = 0.001;

/** Share of the chroma that remains after each step towards a colour that a screen can show. */
const CHROMA_STEP = 0.97;

/** Rounding errors of a channel that a screen can show. */
const TOLERANCE = 0.0005;

/** Number of lightnesses that `nearestReadable` tries between black and white. */
const LIGHTNESS_STEPS = 200;

/** @param {string} colour `#rrggbb` @returns {Oklch} */
export function toOklch(colour) {
  const [r = 0, g = 0, b = 0] = channelsOf(colour).map((value) => linear(value / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const [u, v] = [
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return [lightness, Math.hypot(u, v), Math.atan2(v, u)];
}

/** @param {Oklch} colour @returns Linear red, green and blue; outside 0 to 1 if a screen cannot show the colour. */
function toLinear([lightness, chroma, hue]) {
  const [u, v] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * u + 0.2158037573 * v) ** 3;
  const m = (lightness - 0.1055613458 * u - 0.0638541728 * v) ** 3;
  const s = (lightness - 0.0894841775 * u - 1.291485548 * v) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** @param {Oklch} colour @returns {string} As `#rrggbb`, with less chroma if a screen cannot show it. */
export function toHex([lightness, chroma, hue]) {
  const channels = toLinear([lightness, chroma, hue]);
  if (chroma > MAX_GREY_CHROMA && channels.some((value) => value < -TOLERANCE || value > 1 + TOLERANCE))
    return toHex([lightness, chroma * CHROMA_STEP, hue]);
  return hexOf(
    channels.map((value) => {
      const share = Math.min(1, Math.max(0, value));
      return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
    }),
  );
}

/**
 * @param {string} colour `#rrggbb`
 * @param {readonly string[]} grounds Colours behind it, as `#rrggbb`.
 * @param {number} [minContrast]
 * @returns The colour of the same hue with the nearest lightness that has the contrast on all grounds. Black or white
 *   if no lightness has it.
 */
export function nearestReadable(colour, grounds, minContrast = MIN_TEXT_CONTRAST) {
  const isReadable = (/** @type {string} */ text) => grounds.every((ground) => contrastOf(text, ground) >= minContrast);
  const [lightness, chroma, hue] = toOklch(colour);
  for (let step = 0; step <= LIGHTNESS_STEPS; step += 1)
    for (const change of [-step, step]) {
      const changed = lightness + change / LIGHTNESS_STEPS;
      if (changed < 0 || changed > 1) continue;
      const candidate = step === 0 ? colour : toHex([changed, chroma, hue]);
      if (isReadable(candidate)) return candidate;
    }
  return isReadable('#ffffff') ? '#ffffff' : '#000000';
}
