// Colours in OKLCH, in which equal lightness looks equally light (CSS Color 4). JavaScript, because commands in
// `node_modules` use it without a build.
import { channelsOf, contrastOf, linear, MIN_TEXT_CONTRAST } from './contrast.mjs';

/** @typedef {[lightness: number, chroma: number, hue: number]} Oklch */

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
  if (chroma > 0.001 && channels.some((value) => value < -0.0005 || value > 1.0005))
    return toHex([lightness, chroma * 0.97, hue]);
  const encoded = channels.map((value) => {
    const share = Math.min(1, Math.max(0, value));
    return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
  });
  return `#${encoded.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * @param {string} colour `#rrggbb`
 * @param {readonly string[]} grounds
 * @param {number} [minContrast]
 * @returns The colour of the same hue with the nearest lightness that has the contrast on all grounds. Black or white
 *   if no lightness has it.
 */
export function nearestReadable(colour, grounds, minContrast = MIN_TEXT_CONTRAST) {
  const passes = (/** @type {string} */ one) => grounds.every((ground) => contrastOf(one, ground) >= minContrast);
  const [lightness, chroma, hue] = toOklch(colour);
  for (let step = 0; step <= 200; step += 1)
    for (const side of [-step, step]) {
      const at = lightness + side / 200;
      if (at < 0 || at > 1) continue;
      const one = step === 0 ? colour : toHex([at, chroma, hue]);
      if (passes(one)) return one;
    }
  return passes('#ffffff') ? '#ffffff' : '#000000';
}
