import { channelsOf, luminance } from '@pillion/lib/contrast.mjs';

/** @param {string} colour `#rrggbb` */
const channels = (colour) => channelsOf(colour).join(' ');

/** @typedef {import('@pillion/content/palette.ts').Palette['dark']} Colours */

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

/**
 * The palette as CSS variables.
 * @param {import('@pillion/content/palette.ts').Palette} palette
 */
export const paletteCss = ({ dark, light, veil }) => `:root{--veil:${channels(veil)}}
${DARK}{${tokens(dark)}}
${LIGHT}{${tokens(light)}}
@media (prefers-contrast: more){${DARK}{${inContrast(dark)}}${LIGHT}{${inContrast(light)}}}
`;

/**
 * The dark theme as CSS variables for the sections in WordPress' block editor.
 * @param {import('@pillion/content/palette.ts').Palette} palette
 */
export const editorPaletteCss = ({ dark, veil }) => `.pillion-section{--veil:${channels(veil)};${tokens(dark)}}\n`;
