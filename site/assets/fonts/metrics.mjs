// The metrics that make a fallback as wide and as tall as its typeface.

/**
 * How often each letter comes among 1000 letters of English prose (Norvig's count of Google's books, 2012).
 * @see https://norvig.com/mayzner.html
 */
// biome-ignore format: a table
const LETTERS = {
  e: 124.9, t: 92.8, a: 80.4, o: 76.4, i: 75.7, n: 72.3, s: 65.1, r: 62.8, h: 50.5, l: 40.7, d: 38.2, c: 33.4, u: 27.3,
  m: 25.1, f: 24.0, p: 21.4, g: 18.7, w: 16.8, y: 16.6, b: 14.8, v: 10.5, k: 5.4, x: 2.3, j: 1.6, q: 1.2, z: 0.9,
};
/** Words have 4.8 letters on average, so as many spaces come to 1000 letters; then a comma or a full stop each tenth word. */
const BETWEEN = { ' ': 208, ',': 12, '.': 10 };

/** @returns What each character weighs in running text; all together 1. */
function frequencies() {
  const counts = Object.entries({ ...LETTERS, ...BETWEEN });
  const sum = counts.reduce((all, [, count]) => all + count, 0);
  return counts.map(([character, count]) => ({ character, share: count / sum }));
}

/** @param advance Of a character, in em. @returns Of the mean character of English, in em. */
export const meanAdvance = (advance) =>
  frequencies().reduce((sum, { character, share }) => sum + share * advance(character), 0);

/**
 * @param own Of the typeface itself: `mean` advance, `ascent`, `descent` and `lineGap`, in em.
 * @param standInMean Mean advance of the fallback typeface, in em.
 * @returns Shares for `@font-face`: the stand-in is scaled to the same width, and its box then made as tall as the
 *   other's. The overrides are scaled along, so they are divided by the same share.
 */
export function overrides(own, standInMean) {
  const size = own.mean / standInMean;
  return {
    sizeAdjust: size,
    ascent: own.ascent / size,
    descent: own.descent / size,
    lineGap: own.lineGap / size,
  };
}
