// Writes site/theme/fonts.css.

/** Percent with at most one decimal. */
const percent = (share) => `${Number((share * 100).toFixed(1))}%`;

const fontFaceRule = (lines) => `@font-face {\n${lines.map((line) => `  ${line};\n`).join('')}}\n`;

const webFontRule = ({ family, file, descriptors }) =>
  fontFaceRule([
    `font-family: '${family}'`,
    `src: url('./fonts/${file}') format('woff2')`,
    ...descriptors,
    'font-display: swap',
  ]);

const standIn = ({ family, descriptors, standIn: { local } }, { stretch, weights, measures }) =>
  fontFaceRule([
    `font-family: '${family} Fallback'`,
    `src: ${local.map((name) => `local('${name}')`).join(', ')}`,
    ...(stretch ? [`font-weight: ${weights.join(' ')}`, `font-stretch: ${stretch}%`] : [descriptors[0]]),
    `size-adjust: ${percent(measures.sizeAdjust)}`,
    `ascent-override: ${percent(measures.ascent)}`,
    `descent-override: ${percent(measures.descent)}`,
    `line-gap-override: ${percent(measures.lineGap)}`,
  ]);

const HEADER = '/* Written by `npm run assets -- fonts`, from site/assets/fonts: change it there. */\n';
const FALLBACK_COMMENT = `/*
 * Fallbacks as wide and as tall as what replaces them, so that no line wraps again when it loads. size-adjust is the
 * ratio of mean advances over English letter frequencies, at each width and weight in use; ascent and descent are the
 * font's own, divided by it.
 */
`;

/** @param faces Each with the `measures` of its cuts. */
export const stylesheet = (faces) =>
  [
    HEADER + faces.map(webFontRule).join('\n'),
    FALLBACK_COMMENT + faces.flatMap((face) => face.standIn.cuts.map((cut) => standIn(face, cut))).join('\n'),
  ].join('\n');
