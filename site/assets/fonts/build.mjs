// Subsets the site's typefaces, and measures their fallbacks.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fontverter from 'fontverter';
import subsetFont from 'subset-font';
import { writeOutput } from '../lib/output.mjs';
import { FONTS, PACKAGES, STYLES } from '../lib/places.mjs';
import { MissingTool } from '../lib/tools.mjs';
import { ARABIC, ARABIC_TEXT, ARCHIVO, FEATURES, INSTRUMENT_SERIF, TEXT } from './faces.mjs';
import { fallbackOverrides, meanAdvance } from './metrics.mjs';
import { openFont } from './read.mjs';
import { buildShareFonts } from './share.mjs';
import { stylesheet } from './styles.mjs';

const LIBERATION = '/usr/share/fonts/truetype/liberation';

async function subset({ source, axes }) {
  return subsetFont(await readFile(join(PACKAGES, source)), TEXT, {
    targetFormat: 'woff2',
    variationAxes: axes,
    keepFeatures: FEATURES,
    noHinting: true,
  });
}

/** All features stay, because without them the letters do not join. */
async function buildArabic(report) {
  for (const { file, source, axes } of ARABIC) {
    const fontFile = await readFile(join(PACKAGES, source));
    const options = { targetFormat: 'woff2', variationAxes: axes, noHinting: true };
    await writeOutput(join(FONTS, file), await subsetFont(fontFile, ARABIC_TEXT, options), report);
  }
}

const readMeasures = ({ ascent, descent, lineGap, advance }) => ({
  ascent,
  descent,
  lineGap,
  mean: meanAdvance(advance),
});

/** Adds the measures of each cut of the fallback. */
async function addMeasures(face, woff2) {
  const file = join(LIBERATION, face.standIn.measured);
  if (!existsSync(file)) throw new MissingTool(face.standIn.measured, 'fonts-liberation');
  const { mean } = readMeasures(openFont(await readFile(file)));
  const sfnt = await fontverter.convert(woff2, 'sfnt');
  const cuts = face.standIn.cuts.map((cut) => {
    const axes = cut.stretch ? { wdth: cut.stretch, wght: cut.at } : {};
    return { ...cut, measures: fallbackOverrides(readMeasures(openFont(sfnt, axes)), mean) };
  });
  return { ...face, standIn: { ...face.standIn, cuts } };
}

export async function build(report) {
  const faces = [];
  for (const face of [ARCHIVO, INSTRUMENT_SERIF]) {
    const woff2 = await subset(face);
    faces.push(await addMeasures(face, woff2));
    await writeOutput(join(FONTS, face.file), woff2, report);
  }
  await writeOutput(join(STYLES, 'fonts.css'), stylesheet(faces), report);
  await buildArabic(report);
  await buildShareFonts(report);
}
