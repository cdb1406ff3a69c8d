// Contrast of colours (WCAG 2.2, 1.4.3). JavaScript, because commands in `node_modules` use it without a build.

/** @param {string} colour `#rrggbb` @returns Red, green and blue, each from 0 to 255. */
export const channelsOf = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** @param {readonly number[]} channels Red, green and blue, each a whole number from 0 to 255. @returns `#rrggbb` */
export const hexOf = (channels) => `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** @param {number} value A channel of sRGB, from 0 to 1. @returns Its linear light, from 0 to 1. */
export const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/**
 * @param {readonly number[]} channels Red, green and blue, each from 0 to 255.
 * @returns Relative luminance, from 0 to 1.
 */
export function luminance(channels) {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => linear(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two luminances, from 1 to 21. @param {number} one @param {number} other */
export const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** Contrast of two colours as `#rrggbb`. @param {string} one @param {string} other */
export const contrastOf = (one, other) => contrast(luminance(channelsOf(one)), luminance(channelsOf(other)));

/** Lowest contrast of text (WCAG 2.2, 1.4.3, level AA). */
export const MIN_TEXT_CONTRAST = 4.5;

/** Colours of text, each with the colours behind it. */
const BACKGROUNDS = /** @type {const} */ ({
  text: ['background', 'surface'],
  muted: ['background', 'surface'],
  accent: ['background', 'surface'],
  accent2: ['background', 'surface'],
  onAccent: ['accent'],
});

/** @typedef {keyof typeof BACKGROUNDS | 'background' | 'surface'} Role */
/** @typedef {{ role: Role, grounds: readonly Role[], ratio: number }} LowContrast `ratio`: with the worst ground. */

/**
 * @param {Record<Role, string>} colours Of one theme, as `#rrggbb`.
 * @returns {LowContrast[]} The colours of text that cannot be read on one of their grounds.
 */
export function lowContrasts(colours) {
  const roles = /** @type {(keyof typeof BACKGROUNDS)[]} */ (Object.keys(BACKGROUNDS));
  return roles.flatMap((role) => {
    const grounds = BACKGROUNDS[role];
    const ratio = Math.min(...grounds.map((ground) => contrastOf(colours[role], colours[ground])));
    return ratio < MIN_TEXT_CONTRAST ? [{ role, grounds, ratio }] : [];
  });
}
