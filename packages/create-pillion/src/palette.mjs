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

/** @typedef {keyof typeof NEUTRALS} Neutrals */

/** Makes the colours of one theme. @param {string} accent @param {Neutrals} kind @returns {Colours} */
function makeColours(accent, kind) {
  const [, accentChroma, hue] = toOklch(accent);
  // Neutrals of an almost grey accent have less of its hue, those of a grey one are grey.
  const tint = Math.min(1, accentChroma / 0.05);
  const neutrals = /** @type {Record<'background' | 'surface' | 'text' | 'muted', string>} */ (
    Object.fromEntries(
      Object.entries(NEUTRALS[kind]).map(([role, [lightness, chroma]]) => [
        role,
        toHex([lightness, chroma * tint, hue]),
      ]),
    )
  );
  const isDark = kind === 'dark';
  const readable = nearestReadable(accent, [neutrals.background, neutrals.surface]);
  return {
    ...{ ...neutrals, accent: readable, onAccent: isDark ? neutrals.background : '#ffffff', accent2: readable },
    // The contrast of WCAG 1.4.6.
    ...{ accentInContrast: nearestReadable(accent, [isDark ? '#000000' : '#ffffff'], 7), line: isDark ? 16 : 18 },
  };
}

/**
 * Both themes from one accent. With the look `light` both are light.
 * @param {string} accent `#rrggbb`
 * @param {Look} look
 * @param {Partial<Record<'dark' | 'light', Partial<Colours>>>} [given] Colours that are not derived.
 * @returns {Palette} It may have too little contrast with given colours: `contrastProblems` says so.
 */
export function makePalette(accent, look, given = {}) {
  /** @type {[Neutrals, Neutrals]} */
  const [first, second] = look === 'light' ? ['light', 'tinted'] : ['dark', 'light'];
  const dark = { ...makeColours(accent, first), ...given.dark };
  const light = { ...makeColours(accent, second), ...given.light };
  return { dark, light, veil: dark.background };
}

/**
 * @param {Palette} palette
 * @returns {string[]} A sentence for each colour that cannot be read, with the nearest one that can.
 */
export const contrastProblems = (palette) =>
  /** @type {const} */ (['dark', 'light']).flatMap((theme) =>
    lowContrasts(palette[theme]).map(({ role, grounds, ratio }) => {
      const colours = palette[theme];
      const behind = grounds.map((ground) => colours[ground]);
      return `${role} ${colours[role]} has a contrast of ${Math.floor(ratio * 10) / 10} on ${behind.join(' and ')}; text needs ${MIN_TEXT_CONTRAST} (WCAG 1.4.3). The nearest colour that passes is ${nearestReadable(colours[role], behind)}.`;
    }),
  );
