// Typefaces of share pictures: the site's with more letters, and the kit's fallback for other scripts.
// TrueType, since the server cannot unpack WOFF2.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fontverter from 'fontverter';
import subsetFont from 'subset-font';
import { writeOutput } from '../lib/output.mjs';
import { FALLBACK_FONTS, PACKAGES, SHARE_FONTS } from '../lib/places.mjs';

const characterRange = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join('');

/** All Latin letters, punctuation, currencies and arrows. */
const LATIN = [
  characterRange(0x20, 0x7e),
  characterRange(0xa0, 0x24f),
  characterRange(0x1e00, 0x1eff),
  characterRange(0x2010, 0x205e),
  characterRange(0x20a0, 0x20bf),
  characterRange(0x2116, 0x2122),
  characterRange(0x2190, 0x2193),
  '−×÷≈≠≤≥',
].join('');

const ARCHIVO = { wdth: { min: 112, max: 125 }, wght: { min: 420, max: 560 } };

const SITE = {
  'archivo.ttf': { source: '@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2', axes: ARCHIVO },
  'archivo-more.ttf': {
    source: '@fontsource-variable/archivo/files/archivo-latin-ext-standard-normal.woff2',
    axes: ARCHIVO,
  },
  'instrument-serif.ttf': { source: '@fontsource/instrument-serif/files/instrument-serif-latin-400-italic.woff2' },
  'instrument-serif-more.ttf': {
    source: '@fontsource/instrument-serif/files/instrument-serif-latin-ext-400-italic.woff2',
  },
};

const FALLBACK = {
  'latin.ttf': { source: '@fontsource/noto-sans/files/noto-sans-latin-500-normal.woff2' },
  'latin-more.ttf': { source: '@fontsource/noto-sans/files/noto-sans-latin-ext-500-normal.woff2' },
  'greek.ttf': {
    source: '@fontsource/noto-sans/files/noto-sans-greek-500-normal.woff2',
    letters: characterRange(0x370, 0x3ff),
  },
  'cyrillic.ttf': {
    source: '@fontsource/noto-sans/files/noto-sans-cyrillic-500-normal.woff2',
    letters: characterRange(0x400, 0x52f),
  },
  'hebrew.ttf': {
    source: '@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-500-normal.woff2',
    letters: characterRange(0x590, 0x5ff),
  },
  'arabic.ttf': {
    source: '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-500-normal.woff2',
    letters: `${characterRange(0x600, 0x6ff)}${characterRange(0x750, 0x77f)}\u200c\u200d`,
  },
  // Not subset: flags, families and skin tones consist of several characters, which a list of letters would separate.
  'emoji.ttf': { source: '@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff2', letters: null },
};

async function buildFace({ source, axes, letters = LATIN }) {
  const woff2 = await readFile(join(PACKAGES, source));
  if (letters === null) return fontverter.convert(woff2, 'truetype');
  return subsetFont(woff2, letters, { targetFormat: 'truetype', variationAxes: axes, noHinting: true });
}

export async function buildShareFonts(report) {
  for (const [folder, faces] of [
    [SHARE_FONTS, SITE],
    [FALLBACK_FONTS, FALLBACK],
  ])
    for (const [file, face] of Object.entries(faces))
      await writeOutput(join(folder, file), await buildFace(face), report);
}
