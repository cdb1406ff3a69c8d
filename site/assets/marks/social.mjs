// The picture that links show where they are shared: the hero's still, the wordmark and the headline on it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fontverter from 'fontverter';
import sharp from 'sharp';
import { ARCHIVO, INSTRUMENT_SERIF } from '../fonts/faces.mjs';
import { openFont } from '../fonts/read.mjs';
import { FONTS } from '../lib/places.mjs';
import { WORDMARK, wordmark } from './wordmark.mjs';

const WIDTH = 1200;
const HEIGHT = 630;
const INK = '#f1e9de';
const SUN = '#ffc58f';
const WORDMARK_WIDTH = 210;
const MARGIN = 64;
const SIZE = 74;
/** The turned word is set larger, so that both look equally tall. */
const TURNED = 1.24;
const BASELINE = 196;

async function font({ file }, axes) {
  return openFont(await fontverter.convert(await readFile(join(FONTS, file)), 'sfnt'), axes);
}

/** "Ride the last light" as outlines, in the site's own type: nothing depends on what fonts this machine has. */
async function headline() {
  const plain = (await font(ARCHIVO, { wdth: 125, wght: 420 })).outline('Ride the', SIZE, -0.035);
  const turned = (await font(INSTRUMENT_SERIF, {})).outline('last light', SIZE * TURNED, -0.015);
  const gap = SIZE * 0.26;
  return (
    `<path transform="translate(${MARGIN} ${BASELINE})" fill="${INK}" d="${plain.path}"/>` +
    `<path transform="translate(${MARGIN + plain.width + gap} ${BASELINE})" fill="${SUN}" d="${turned.path}"/>`
  );
}

/** @param still The hero's picture. */
export async function social(still) {
  const height = (WORDMARK_WIDTH * WORDMARK.height) / WORDMARK.width;
  const mark = wordmark(INK).replace(
    '<svg ',
    `<svg x="${MARGIN}" y="${MARGIN}" width="${WORDMARK_WIDTH}" height="${height}" `,
  );
  const words =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs>` +
    '<linearGradient id="shade" x2="0" y2="1"><stop stop-color="#070a12" stop-opacity=".62"/>' +
    '<stop offset=".42" stop-color="#070a12" stop-opacity="0"/></linearGradient></defs>' +
    `<rect width="100%" height="100%" fill="url(#shade)"/>${mark}${await headline()}</svg>`;
  return sharp(still)
    .resize(WIDTH, HEIGHT, { fit: 'cover', position: 'bottom' })
    .composite([{ input: Buffer.from(words) }])
    .webp({ quality: 78, effort: 6, smartSubsample: true })
    .toBuffer();
}
