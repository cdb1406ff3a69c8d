// LOWSUN's wordmark: five drawn letters, and the sun instead of the O. It uses no typeface.
import { sunPath } from './sun.mjs';

export const WORDMARK = { width: 660, height: 100 };
/** Stroke width. The stroke's middle is half of it inside the letters' height. */
const PEN = 15;
/** Sharper corners are cut off. */
const MITRE = 12;
const SUN_LEFT = 106;

/** Stroke of each letter. Diagonal strokes end outside the box, which cuts them horizontally. */
const LETTERS = [
  // L
  'M7.5 0V92.5H88',
  // W
  'M226-10 258 104 291-2 324 104 356-10',
  // S
  'M458 29C456 13 446 7.5 422 7.5S386 13 386 28C386 62 460 38 460 71C460 87 446 92.5 422 92.5S384 87 383 69',
  // U
  'M489.5 0V58A35 34.5 0 0 0 559.5 58V0',
  // N
  'M589.5 110V2L652.5 98V-10',
];

/** @param ink Its colour. Default: the colour of the surrounding text. */
export function drawWordmark(ink = 'currentColor') {
  const { width, height } = WORDMARK;
  const letters = LETTERS.map((path) => `<path d="${path}"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">` +
    `<g fill="none" stroke="${ink}" stroke-width="${PEN}" stroke-miterlimit="${MITRE}">${letters}</g>` +
    `<path fill="${ink}" d="${sunPath(SUN_LEFT)}"/></svg>`
  );
}
