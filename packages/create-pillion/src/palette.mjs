// A palette from one accent. Colours are made in OKLCH, in which equal lightness looks equally light.
import { lowContrasts, MIN_TEXT_CONTRAST } from '@pillion/lib/contrast.mjs';
import { nearestReadable, toHex, toOklch } from '@pillion/lib/oklch.mjs';

/** @typedef {import('@pillion/lib/contrast.mjs').Role} Role */
/** @typedef {Record<Role, string> & { accentInContrast: string, line: number }} Colours */
/** @typedef {{ dark: Colours, light: Colours, veil: string }} Palette */
/** @typedef {'light' | 'dark'} Look */
/** Lightness and chroma of each neutral colour. `tinted` is a second light theme. */
const NEUTRALS = /** @type {const} */ ({
  light: { background: [0.987, 0.004], surface: [0.953, 0.01], text: [0.22, 0.02], muted: [0.47, 0.02] },
  tinted: { background: [0.945, 0.016], surface: [0.915, 0.022], text: [0.22, 0.02], muted: [0.45, 0.025] },
  dark: { background: [0.175, 0.016], surface: [0.225, 0.02], text: [0.955, 0.008], muted: [0.74, 0.018] },
});

/** @param {string} accent @param {keyof typeof NEUTRALS} kind @returns {Colours} */
function coloursOf(accent, kind) {
  const [, chroma, hue] = toOklch(accent);
  // A grey accent has grey neutrals.
  const share = Math.min(1, chroma / 0.05);
  const shades = Object.entries(NEUTRALS[kind]).map(([role, [at, tint]]) => [role, toHex([at, tint * share, hue])]);
  const neutrals = /** @type {Record<'background' | 'surface' | 'text' | 'muted', string>} */ (
    Object.fromEntries(shades)
  );
  const isDark = kind === 'dark';
  const readable = nearestReadable(accent, [neutrals.background, neutrals.surface]);
  return {
    ...{ ...neutrals, accent: readable, onAccent: isDark ? neutrals.background : '#ffffff', accent2: readable },
    ...{ accentInContrast: nearestReadable(accent, [isDark ? '#000000' : '#ffffff'], 7), line: isDark ? 16 : 18 },
  };
}

/**
 * Both themes from one accent. With the look `light` both are light.
 * @param {string} accent `#rrggbb`
 * @param {Look} look
 * @param {Partial<Record<'dark' | 'light', Partial<Colours>>>} [given] Colours that are not derived.
 * @returns {Palette} It may have too little contrast with given colours: `lowIn` says so.
 */
export function paletteOf(accent, look, given = {}) {
  const [first, second] = look === 'light' ? /** @type {const} */ (['light', 'tinted']) : ['dark', 'light'];
  const dark = { ...coloursOf(accent, /** @type {'light'} */ (first)), ...given.dark };
  const light = { ...coloursOf(accent, /** @type {'light'} */ (second)), ...given.light };
  return { dark, light, veil: dark.background };
}

/**
 * @param {Palette} palette
 * @returns {string[]} A sentence for each colour that cannot be read, with the nearest one that can.
 */
export const lowIn = (palette) =>
  /** @type {const} */ (['dark', 'light']).flatMap((theme) =>
    lowContrasts(palette[theme]).map(({ role, grounds, ratio }) => {
      const colours = palette[theme];
      const behind = grounds.map((ground) => colours[ground]);
      return `${role} ${colours[role]} has a contrast of ${Math.floor(ratio * 10) / 10} on ${behind.join(' and ')}; text needs ${MIN_TEXT_CONTRAST} (WCAG 1.4.3). The nearest colour that passes is ${nearestReadable(colours[role], behind)}.`;
    }),
  );
