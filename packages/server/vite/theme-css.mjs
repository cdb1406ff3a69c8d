import { channelsOf, luminance } from '@pillion/lib/contrast.mjs';

/** @param {string} colour `#rrggbb` */
const channels = (colour) => channelsOf(colour).join(' ');

/** @typedef {Palette['dark']} Colours */

/** Either theme may be light. @param {Colours} colours */
const isLight = ({ background, text }) => luminance(channelsOf(background)) > luminance(channelsOf(text));

/**
 * @param {Colours} colours
 */
const tokens = (colours) => {
  const { background, surface, text, muted, accent, onAccent, accent2, line } = colours;
  return [
    `color-scheme:${isLight(colours) ? 'light' : 'dark'}`,
    `--background:${background}`,
    `--surface:${surface}`,
    `--text:${text}`,
    `--muted:${muted}`,
    `--accent:${accent}`,
    `--on-accent:${onAccent}`,
    `--accent-2:${accent2 === accent ? 'var(--accent)' : accent2}`,
    `--line:rgb(${channels(text)} / ${line}%)`,
  ].join(';');
};

/** @param {Colours} colours */
const inContrast = (colours) => {
  const { accentInContrast } = colours;
  const [background, text] = isLight(colours) ? ['#fff', '#000'] : ['#000', '#fff'];
  const accents = accentInContrast ? `;--accent:${accentInContrast};--accent-2:var(--accent)` : '';
  return `--background:${background};--text:${text}${accents}`;
};

const DARK = ":root,[data-tone='dark']";
const LIGHT = "[data-theme='light'],[data-theme='light'] [data-tone='page']";

/** @param {Record<string, string>} properties */
const own = (properties) =>
  Object.entries(properties)
    .map(([name, value]) => `;--${name}:${value}`)
    .join('');

/**
 * @param {Palette} palette
 * @param {string} more Declarations for the whole page.
 * @param {string} [moreInContrast] Declarations for visitors who prefer more contrast.
 */
const css = ({ dark, light, veil }, more, moreInContrast = '') => `:root{--veil:${channels(veil)}${more}}
${DARK}{${tokens(dark)}}
${LIGHT}{${tokens(light)}}
@media (prefers-contrast: more){${DARK}{${inContrast(dark)}${moreInContrast}}${LIGHT}{${inContrast(light)}${moreInContrast}}}
`;

/** @typedef {import('@pillion/content/palette.ts').Palette} Palette */
/** @typedef {import('@pillion/content/theme.ts').Theme} Theme */

/** The theme as CSS variables. @param {Theme} theme */
export const themeCss = ({ palette, properties }) => css(palette, own(properties));

/** Custom properties that languages from right to left set in their own stylesheet. */
const TYPEFACES = ['sans', 'serif', 'wide', 'wider', 'widest'];

/** These follow the palette, so they need the rule of tokens.css again. */
const NOT_MUTED = ';--muted:var(--text);--line:var(--text)';

/**
 * The changes of a look, in the layer that the site's styles use for the theme.
 * @param {Theme} theme With the look.
 * @param {Theme | null} base Without it; `null`: all properties are written.
 */
export function lookCss({ palette, properties }, base) {
  const changed = Object.entries(properties).filter(([name, value]) => base?.properties[name] !== value);
  const [typefaces = [], others = []] = [true, false].map((is) =>
    changed.filter(([name]) => TYPEFACES.includes(name) === is),
  );
  const fonts = typefaces.length > 0 ? `:root:not([dir=rtl]){${own(Object.fromEntries(typefaces)).slice(1)}}\n` : '';
  return `@layer tokens{${css(palette, own(Object.fromEntries(others)), NOT_MUTED)}${fonts}}\n`;
}

/** The dark theme as CSS variables for the sections in WordPress' block editor. @param {Theme} theme */
export const editorThemeCss = ({ palette: { dark, veil }, properties }) =>
  `.pillion-section{--veil:${channels(veil)};${tokens(dark)}${own(properties)}}\n`;
