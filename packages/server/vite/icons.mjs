/** @typedef {Pick<import('@pillion/content/theme.ts').Theme, 'palette' | 'properties'>} Theme */
/** @typedef {Record<string, string>} Colours `#rrggbb` or `#rrggbbaa` by name of the custom property, without `--`. */

/** Dots per inch at which sharp draws one unit of an SVG as one pixel. */
const SVG_DENSITY = 72;

/** Radius of the corners, as a share of the width, of icons that systems show as they are. */
const CORNER_RADIUS = 0.2;

/** A use of a custom property, with or without a fallback. */
const VAR_CALL = /var\(\s*--([\w-]+)\s*(?:,[^()]*)?\)/gi;

/** Type of each icon by its name. */
export const ICONS = new Map([
  ['favicon.svg', 'image/svg+xml'],
  ['favicon.ico', 'image/x-icon'],
  ...['apple-touch-icon.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'].map(
    (name) => /** @type {[string, string]} */ ([name, 'image/png']),
  ),
]);

/** @param {Theme} theme @param {'dark' | 'light'} name @returns The colours of a theme and of the site's own properties. */
function coloursOf({ palette, properties }, name) {
  // The custom property of `accent2` is `accent-2`.
  const roles = Object.entries({ ...palette[name], veil: palette.veil }).map(([role, value]) => [
    role.replace(/[A-Z\d]/g, (letter) => `-${letter.toLowerCase()}`),
    value,
  ]);
  const all = [...roles, ...Object.entries(properties)];
  return /** @type {Colours} */ (Object.fromEntries(all.filter(([, value]) => /^#/.test(String(value)))));
}

/** @param {string} svg @returns Names of the custom properties in it. */
const propertiesIn = (svg) => [...new Set([...svg.matchAll(VAR_CALL)].map(([, name = '']) => name))];

/**
 * Adds a style sheet to a drawing, so that its colours follow the browser's light or dark interface.
 * @param {string} svg
 * @param {Theme} theme
 */
function followColourScheme(svg, theme) {
  const [light, dark] = /** @type {const} */ (['light', 'dark']).map((scheme) => {
    const colours = coloursOf(theme, scheme);
    return propertiesIn(svg)
      .map((name) => `--${name}:${colours[name]}`)
      .join(';');
  });
  if (!light) return svg;
  const inDark = dark === light ? '' : `@media(prefers-color-scheme:dark){:root{${dark}}}`;
  const end = svg.lastIndexOf('</svg>');
  return `${svg.slice(0, end)}<style>:root{${light}}${inDark}</style>${svg.slice(end)}`;
}

/** Makes an .ico file with one picture. @param {Buffer} png 32 × 32 pixels, 32 bits each. */
function packIco(png) {
  // ICONDIR: reserved, type 1 (icon), one picture. Then its ICONDIRENTRY: width, height, no colour table, one plane, 32
  // bits, and two numbers of four bytes: its length, and its offset, which is the length of both structures.
  const header = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  header.writeUInt32LE(png.length, 14);
  return Buffer.concat([header, png]);
}

/**
 * Prepares a drawing for the sizes of its icons, in the colours of the dark theme, which is that of pages by default.
 * @param {typeof import('sharp').default} sharp
 * @param {string} file Its name, for errors.
 * @param {string} svg
 * @param {Theme} theme
 * @returns {Promise<(size: number, cornerRadius?: number) => import('sharp').Sharp>} Draws a PNG of `size` pixels. The
 *   radius is a share of its width.
 */
async function prepareDrawing(sharp, file, svg, theme) {
  const colours = coloursOf(theme, 'dark');
  const unknown = propertiesIn(svg).find((name) => !Object.hasOwn(colours, name));
  if (unknown)
    throw new Error(
      `${file} uses var(--${unknown}), which is no colour of theme.tokens.json. Colours: ${Object.keys(colours).join(', ')}.`,
    );
  // librsvg knows no custom properties.
  const painted = svg.replace(VAR_CALL, (_, name) => colours[name] ?? '');
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
  return (size, cornerRadius = 0) => {
    const mask = `<svg width="${size}" height="${size}"><rect width="100%" height="100%" rx="${size * cornerRadius}"/></svg>`;
    return sharp(source, { density: Math.max(1, (SVG_DENSITY * size) / width) })
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
  const drawTabIcon = await prepareDrawing(sharp, favicon, read(favicon), theme);
  const drawAppIcon = await prepareDrawing(sharp, app, read(app), theme);
  if (!(await sharp(await drawAppIcon(512).toBuffer()).stats()).isOpaque)
    throw new Error(`${app} is transparent in places, which home screens show black. Fill its square.`);
  return new Map(
    /** @type {[string, string | Buffer][]} */ ([
      ['favicon.svg', followColourScheme(read(favicon), theme)],
      // Firefox shows no icon with a palette.
      ['favicon.ico', packIco(await drawTabIcon(32).png({ palette: false }).toBuffer())],
      ['apple-touch-icon.png', await drawAppIcon(180).toBuffer()],
      ['icon-192.png', await drawAppIcon(192, CORNER_RADIUS).toBuffer()],
      ['icon-512.png', await drawAppIcon(512, CORNER_RADIUS).toBuffer()],
      ['icon-maskable-512.png', await drawAppIcon(512).toBuffer()],
    ]),
  );
}
