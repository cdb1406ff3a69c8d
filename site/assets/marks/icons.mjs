// The mark at the sizes that browsers and home screens ask for.
import sharp from 'sharp';
import { sun } from './sun.mjs';

const EMBER = '#ff8a5c';
const EMBER_ON_LIGHT = '#a8391b';
const NIGHT = '#070a12';

/** The scalable one follows the browser's own light or dark dress. */
export const favicon = () =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><style>path{fill:${EMBER_ON_LIGHT}}` +
  `@media(prefers-color-scheme:dark){path{fill:${EMBER}}}</style><path d="${sun()}"/></svg>\n`;

/**
 * @param size In pixels. @param share How much of the width the sun takes.
 * @param ground Its colour, or null for a clear one. @param corner Radius as a share of the size.
 */
export function icon(size, { share, ground = NIGHT, corner = 0 }) {
  const scale = (size * share) / 100;
  const inset = (size - 100 * scale) / 2;
  const plate = ground ? `<rect width="${size}" height="${size}" rx="${size * corner}" fill="${ground}"/>` : '';
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${plate}` +
    `<path fill="${EMBER}" transform="translate(${inset} ${inset}) scale(${scale})" d="${sun()}"/></svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true, compressionLevel: 9, effort: 10 }).toBuffer();
}

/** An ICO file that holds one PNG of 32 pixels: a header of six bytes and an entry of sixteen before it. */
export async function ico() {
  const png = await sharp(await icon(32, { share: 1, ground: null }))
    .png({ palette: false })
    .toBuffer();
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(32, 6);
  header.writeUInt8(32, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
