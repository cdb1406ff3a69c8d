/** @param {string} colour `#rrggbb` */
const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join(' ');

/**
 * @param {import('@pillion/content/palette.ts').Palette['dark']} colours
 */
const tokens = ({ background, surface, text, muted, accent, onAccent, accent2, line }) =>
  [
    `--background:${background}`,
    `--surface:${surface}`,
    `--text:${text}`,
    `--muted:${muted}`,
    `--accent:${accent}`,
    `--on-accent:${onAccent}`,
    `--accent-2:${accent2 === accent ? 'var(--accent)' : accent2}`,
    `--line:rgb(${channels(text)} / ${line}%)`,
  ].join(';');

/** @param {import('@pillion/content/palette.ts').Palette['dark']} colours */
const inContrast = ({ accentInContrast }) =>
  accentInContrast ? `--accent:${accentInContrast};--accent-2:var(--accent)` : '';

const DARK = ":root,[data-tone='dark']";
const LIGHT = "[data-theme='light'],[data-theme='light'] [data-tone='page']";

/**
 * The palette as CSS variables.
 * @param {import('@pillion/content/palette.ts').Palette} palette
 */
export const paletteCss = ({ dark, light, veil }) => `:root{--veil:${channels(veil)}}
${DARK}{color-scheme:dark;${tokens(dark)}}
${LIGHT}{color-scheme:light;${tokens(light)}}
@media (prefers-contrast: more){${DARK}{${inContrast(dark)}}${LIGHT}{${inContrast(light)}}}
`;

/**
 * The dark theme as CSS variables for the sections in WordPress' block editor.
 * @param {import('@pillion/content/palette.ts').Palette} palette
 */
export const editorPaletteCss = ({ dark, veil }) => `.pillion-section{--veil:${channels(veil)};${tokens(dark)}}\n`;
