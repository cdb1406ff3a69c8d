import { channelsOf, luminance } from '@pillion/lib/contrast.mjs';

/** @param {string} colour `#rrggbb` */
const channels = (colour) => channelsOf(colour).join(' ');

/** @typedef {Palette['dark']} Colours */

/** Either theme may be light. @param {Colours} colours */
const isLight = ({ background, text }) => luminance(channelsOf(background)) > luminance(channelsOf(text));

/** @param {Colours} colours Of one theme. */
const colourDeclarations = (colours) => {
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

/** The colours of a theme for visitors who prefer more contrast. @param {Colours} colours */
const contrastDeclarations = (colours) => {
  const { accentInContrast } = colours;
  const [background, text] = isLight(colours) ? ['#fff', '#000'] : ['#000', '#fff'];
  const accents = accentInContrast ? `;--accent:${accentInContrast};--accent-2:var(--accent)` : '';
  return `--background:${background};--text:${text}${accents}`;
};

const DARK = ":root,[data-tone='dark']";
const LIGHT = "[data-theme='light'],[data-theme='light'] [data-tone='page']";

/** @param {Record<string, string>} properties @returns Declarations of custom properties, each after a `;`. */
const declareProperties = (properties) =>
  Object.entries(properties)
    .map(([name, value]) => `;--${name}:${value}`)
    .join('');

/**
 * @param {Palette} palette
 * @param {string} more Declarations for the whole page, each after a `;`.
 * @param {string} [moreInContrast] The same for visitors who prefer more contrast.
 */
const paletteCss = ({ dark, light, veil }, more, moreInContrast = '') => `:root{--veil:${channels(veil)}${more}}
${DARK}{${colourDeclarations(dark)}}
${LIGHT}{${colourDeclarations(light)}}
@media (prefers-contrast: more){${DARK}{${contrastDeclarations(dark)}${moreInContrast}}${LIGHT}{${contrastDeclarations(light)}${moreInContrast}}}
`;

/** @typedef {import('@pillion/content/palette.ts').Palette} Palette */
/** @typedef {import('@pillion/content/theme.ts').Theme} Theme */

/** The theme as CSS variables. @param {Theme} theme */
export const themeCss = ({ palette, properties }) => paletteCss(palette, declareProperties(properties));

/** Custom properties that languages from right to left set in their own stylesheet. */
const TYPEFACE_PROPERTIES = ['sans', 'serif', 'wide', 'wider', 'widest'];

/** These follow the palette, so they need the rule of tokens.css again. */
const READABLE_LINES = ';--muted:var(--text);--line:var(--text)';

/**
 * The changes of a look, in the layer that the site's styles use for the theme.
 * @param {Theme} theme With the look.
 * @param {Theme | null} base Without it; `null`: all properties are written.
 */
export function lookCss({ palette, properties }, base) {
  const changed = Object.entries(properties).filter(([name, value]) => base?.properties[name] !== value);
  const { typefaces = [], others = [] } = Object.groupBy(changed, ([name]) =>
    TYPEFACE_PROPERTIES.includes(name) ? 'typefaces' : 'others',
  );
  const typefaceRule =
    typefaces.length > 0 ? `:root:not([dir=rtl]){${declareProperties(Object.fromEntries(typefaces)).slice(1)}}\n` : '';
  return `@layer tokens{${paletteCss(palette, declareProperties(Object.fromEntries(others)), READABLE_LINES)}${typefaceRule}}\n`;
}

/** The dark theme as CSS variables for the sections in WordPress' block editor. @param {Theme} theme */
export const editorThemeCss = ({ palette: { dark, veil }, properties }) =>
  `.pillion-section{--veil:${channels(veil)};${colourDeclarations(dark)}${declareProperties(properties)}}\n`;
