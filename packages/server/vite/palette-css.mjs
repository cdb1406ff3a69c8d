/** @param {string} colour `#rrggbb` */
const channelsOf = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
/** @param {string} colour `#rrggbb` */
const channels = (colour) => channelsOf(colour).join(' ');

/** @param {string} colour `#rrggbb` */
function brightness(colour) {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @typedef {import('@pillion/content/palette.ts').Palette['dark']} Colours */

/** Either theme may be light. @param {Colours} colours */
const isLight = ({ background, text }) => brightness(background) > brightness(text);

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
