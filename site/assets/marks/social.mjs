// The picture for shared links: the hero's still with the wordmark and the headline.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fontverter from 'fontverter';
import sharp from 'sharp';
import { ARCHIVO, INSTRUMENT_SERIF } from '../fonts/faces.mjs';
import { openFont } from '../fonts/read.mjs';
import { FONTS } from '../lib/places.mjs';
import { drawWordmark, WORDMARK } from './wordmark.mjs';

const WIDTH = 1200;
const HEIGHT = 630;
const INK = '#f1e9de';
const SUN = '#ffc58f';
const WORDMARK_WIDTH = 210;
const MARGIN = 64;
const FONT_SIZE = 74;
/** The italic words are larger, so that both look equally tall. */
const ITALIC_SCALE = 1.24;
const BASELINE = 196;

async function loadFont({ file }, axes) {
  return openFont(await fontverter.convert(await readFile(join(FONTS, file)), 'sfnt'), axes);
}

/** "Ride the last light" as outlines in the site's typefaces, so that no installed font is needed. */
async function drawHeadline() {
  const plain = (await loadFont(ARCHIVO, { wdth: 125, wght: 420 })).outline('Ride the', FONT_SIZE, -0.035);
  const italic = (await loadFont(INSTRUMENT_SERIF, {})).outline('last light', FONT_SIZE * ITALIC_SCALE, -0.015);
  const gap = FONT_SIZE * 0.26;
  return (
    `<path transform="translate(${MARGIN} ${BASELINE})" fill="${INK}" d="${plain.path}"/>` +
    `<path transform="translate(${MARGIN + plain.width + gap} ${BASELINE})" fill="${SUN}" d="${italic.path}"/>`
  );
}

/** @param still The hero's picture. */
export async function drawSocialPicture(still) {
  const height = (WORDMARK_WIDTH * WORDMARK.height) / WORDMARK.width;
  const mark = drawWordmark(INK).replace(
    '<svg ',
    `<svg x="${MARGIN}" y="${MARGIN}" width="${WORDMARK_WIDTH}" height="${height}" `,
  );
  const words =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs>` +
    '<linearGradient id="shade" x2="0" y2="1"><stop stop-color="#070a12" stop-opacity=".62"/>' +
    '<stop offset=".42" stop-color="#070a12" stop-opacity="0"/></linearGradient></defs>' +
    `<rect width="100%" height="100%" fill="url(#shade)"/>${mark}${await drawHeadline()}</svg>`;
  return sharp(still)
    .resize(WIDTH, HEIGHT, { fit: 'cover', position: 'bottom' })
    .composite([{ input: Buffer.from(words) }])
    .webp({ quality: 78, effort: 6, smartSubsample: true })
    .toBuffer();
}
