/** @typedef {Pick<import('@pillion/content/theme.ts').Theme, 'palette' | 'properties'>} Theme */
/** @typedef {Record<string, string>} Colours `#rrggbb` or `#rrggbbaa` by name of the custom property, without `--`. */

/** Resolution of SVG without a unit, in dots per inch. */
const DENSITY = 72;

/** Radius of the corners of icons that systems show as they are, of the width. */
const CORNER = 0.2;

/** A custom property, with or without a fallback. */
const USE = /var\(\s*--([\w-]+)\s*(?:,[^()]*)?\)/gi;

/** Type of each icon by its name. */
export const ICONS = new Map([
  ['favicon.svg', 'image/svg+xml'],
  ['favicon.ico', 'image/x-icon'],
  ...['apple-touch-icon.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'].map(
    (name) => /** @type {[string, string]} */ ([name, 'image/png']),
  ),
]);

/** @param {Theme} theme @param {'dark' | 'light'} name */
function coloursOf({ palette, properties }, name) {
  const roles = Object.entries({ ...palette[name], veil: palette.veil }).map(([role, value]) => [
    role.replace(/[A-Z\d]/g, (letter) => `-${letter.toLowerCase()}`),
    value,
  ]);
  const all = [...roles, ...Object.entries(properties)];
  return /** @type {Colours} */ (Object.fromEntries(all.filter(([, value]) => /^#/.test(String(value)))));
}

/** @param {string} svg */
const usedIn = (svg) => [...new Set([...svg.matchAll(USE)].map(([, name = '']) => name))];

/**
 * An icon whose colours follow the browser's light or dark interface.
 * @param {string} svg
 * @param {Theme} theme
 */
function adaptive(svg, theme) {
  const [light, dark] = /** @type {const} */ (['light', 'dark']).map((name) => {
    const colours = coloursOf(theme, name);
    return usedIn(svg)
      .map((name) => `--${name}:${colours[name]}`)
      .join(';');
  });
  if (!light) return svg;
  const inDark = dark === light ? '' : `@media(prefers-color-scheme:dark){:root{${dark}}}`;
  const end = svg.lastIndexOf('</svg>');
  return `${svg.slice(0, end)}<style>:root{${light}}${inDark}</style>${svg.slice(end)}`;
}

/** An .ico file with one PNG of 32 × 32. @param {Buffer} image */
function icoOf(image) {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(image.length, 14);
  return Buffer.concat([head, image]);
}

/**
 * Prepares a drawing for the sizes of its icons.
 * @param {typeof import('sharp').default} sharp
 * @param {string} file
 * @param {string} svg
 * @param {Theme} theme
 * @returns {Promise<(size: number, corner?: number) => import('sharp').Sharp>} A PNG of `size` pixels.
 */
async function drawing(sharp, file, svg, theme) {
  const colours = coloursOf(theme, 'dark');
  const unknown = usedIn(svg).find((name) => !Object.hasOwn(colours, name));
  if (unknown)
    throw new Error(
      `${file} uses var(--${unknown}), which is no colour of theme.tokens.json. Colours: ${Object.keys(colours).join(', ')}.`,
    );
  // librsvg knows no custom properties.
  const painted = svg.replace(USE, (_, name) => colours[name] ?? '');
  if (/var\(/i.test(painted))
    throw new Error(`${file} has a var(…) that is not one of var(--accent) or var(--accent, red).`);
  const source = Buffer.from(painted);
  const { width, height, format } = await sharp(source)
    .metadata()
    .catch((cause) => {
      throw new Error(`${file} is no valid SVG picture: ${cause.message}`, { cause });
    });
  if (format !== 'svg' || width !== height || !/<svg\b[^>]*\bviewBox=/.test(svg))
    throw new Error(`${file} is ${width} × ${height} (${format}). An icon needs a square SVG picture with a viewBox.`);
  return (size, corner = 0) => {
    const mask = `<svg width="${size}" height="${size}"><rect width="100%" height="100%" rx="${size * corner}"/></svg>`;
    return sharp(source, { density: Math.max(1, (DENSITY * size) / width) })
      .resize(size, size)
      .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
      .png({ palette: true });
  };
}

/**
 * Makes the icons that documents and the web app manifest name, in the colours of the theme.
 * @param {{ favicon: string, app: string }} files Names of the drawings, for errors.
 * @param {(file: string) => string} read Returns the text of a drawing.
 * @param {Theme} theme
 * @returns {Promise<Map<string, string | Buffer>>} Files by name.
 * @throws If a drawing is not a square SVG picture or uses an unknown colour, or the app's is transparent.
 */
export async function makeIcons({ favicon, app }, read, theme) {
  // Only sites with drawings need it.
  const { default: sharp } = await import('sharp');
  // One after the other, so that of two faulty drawings the first is always the one that is named.
  const tab = await drawing(sharp, favicon, read(favicon), theme);
  const home = await drawing(sharp, app, read(app), theme);
  if (!(await sharp(await home(512).toBuffer()).stats()).isOpaque)
    throw new Error(`${app} is transparent in places, which home screens show black. Fill its square.`);
  return new Map(
    /** @type {[string, string | Buffer][]} */ ([
      ['favicon.svg', adaptive(read(favicon), theme)],
      // Firefox shows no icon with a palette.
      ['favicon.ico', icoOf(await tab(32).png({ palette: false }).toBuffer())],
      ['apple-touch-icon.png', await home(180).toBuffer()],
      ['icon-192.png', await home(192, CORNER).toBuffer()],
      ['icon-512.png', await home(512, CORNER).toBuffer()],
      ['icon-maskable-512.png', await home(512).toBuffer()],
    ]),
  );
}
