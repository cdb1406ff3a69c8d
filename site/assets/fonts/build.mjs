// The site's typefaces: cut down to what is used, and their stand-ins measured.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fontverter from 'fontverter';
import subsetFont from 'subset-font';
import { FONTS, PACKAGES, STYLES } from '../lib/places.mjs';
import { MissingTool } from '../lib/tools.mjs';
import { written } from '../lib/written.mjs';
import { ARABIC, ARABIC_TEXT, ARCHIVO, FEATURES, INSTRUMENT_SERIF, TEXT } from './faces.mjs';
import { meanAdvance, overrides } from './metrics.mjs';
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

/** With all their features: without them the letters do not join. */
async function buildArabic(say) {
  for (const { file, source, axes } of ARABIC) {
    const whole = await readFile(join(PACKAGES, source));
    const options = { targetFormat: 'woff2', variationAxes: axes, noHinting: true };
    await written(join(FONTS, file), await subsetFont(whole, ARABIC_TEXT, options), say);
  }
}

const measured = ({ ascent, descent, lineGap, advance }) => ({ ascent, descent, lineGap, mean: meanAdvance(advance) });

/** The face with the measures of each of its stand-in's cuts. */
async function withMeasures(face, woff2) {
  const file = join(LIBERATION, face.standIn.measured);
  if (!existsSync(file)) throw new MissingTool(face.standIn.measured, 'fonts-liberation');
  const { mean } = measured(openFont(await readFile(file)));
  const own = await fontverter.convert(woff2, 'sfnt');
  const cuts = face.standIn.cuts.map((cut) => {
    const axes = cut.stretch ? { wdth: cut.stretch, wght: cut.at } : {};
    return { ...cut, measures: overrides(measured(openFont(own, axes)), mean) };
  });
  return { ...face, standIn: { ...face.standIn, cuts } };
}

export async function build(say) {
  const faces = [];
  for (const face of [ARCHIVO, INSTRUMENT_SERIF]) {
    const woff2 = await subset(face);
    faces.push(await withMeasures(face, woff2));
    await written(join(FONTS, face.file), woff2, say);
  }
  await written(join(STYLES, 'fonts.css'), stylesheet(faces), say);
  await buildArabic(say);
  await buildShareFonts(say);
}
