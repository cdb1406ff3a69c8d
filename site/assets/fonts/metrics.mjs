// Computes the metrics that make a fallback as wide and as tall as its typeface.

/**
 * Frequency of each letter in 1000 letters of English prose (Norvig's count of Google's books, 2012).
 * @see https://norvig.com/mayzner.html
 */
// biome-ignore format: a table
const LETTER_COUNTS = {
  e: 124.9, t: 92.8, a: 80.4, o: 76.4, i: 75.7, n: 72.3, s: 65.1, r: 62.8, h: 50.5, l: 40.7, d: 38.2, c: 33.4, u: 27.3,
  m: 25.1, f: 24.0, p: 21.4, g: 18.7, w: 16.8, y: 16.6, b: 14.8, v: 10.5, k: 5.4, x: 2.3, j: 1.6, q: 1.2, z: 0.9,
};
/** Per 1000 letters: a space after each word of 4.8 letters on average, a comma or full stop after every tenth word. */
const OTHER_COUNTS = { ' ': 208, ',': 12, '.': 10 };

/** @returns The share of each character in running text. The shares add up to 1. */
function characterFrequencies() {
  const counts = Object.entries({ ...LETTER_COUNTS, ...OTHER_COUNTS });
  const sum = counts.reduce((all, [, count]) => all + count, 0);
  return counts.map(([character, count]) => ({ character, share: count / sum }));
}

/** @param advance Returns the advance of a character, in em. @returns The mean advance in English text, in em. */
export const meanAdvance = (advance) =>
  characterFrequencies().reduce((sum, { character, share }) => sum + share * advance(character), 0);

/**
 * @param typeface Of the typeface itself: `mean` advance, `ascent`, `descent` and `lineGap`, in em.
 * @param standInMean Mean advance of the fallback typeface, in em.
 * @returns Shares for `@font-face`: `size-adjust` gives the fallback the same width. It scales the others too, which
 *   are therefore divided by it.
 */
export function fallbackOverrides(typeface, standInMean) {
  const size = typeface.mean / standInMean;
  return {
    sizeAdjust: size,
    ascent: typeface.ascent / size,
    descent: typeface.descent / size,
    lineGap: typeface.lineGap / size,
  };
}
