// The half sun over its own reflection: the O of the wordmark, and the mark by itself. In a box of 100.

const RADIUS = 50;
const MIDDLE = 50;

/** What the water leaves of the lower half: each band from one height to another, and half its width at both. */
const BANDS = [
  { top: 58, bottom: 67, wide: 48, narrow: 44.5 },
  { top: 75, bottom: 84, wide: 39, narrow: 31 },
  { top: 91, bottom: 99, wide: 19, narrow: 0 },
];

const number = (value) => String(Math.round(value * 100) / 100);
/** Numbers of a path, a minus in place of the space where there is one. */
const numbers = (...values) => values.map(number).join(' ').replaceAll(' -', '-');

function band(left, { top, bottom, wide, narrow }) {
  const start = `M${numbers(left + MIDDLE - wide, top)}h${number(2 * wide)}`;
  const inward = `l${numbers(narrow - wide, bottom - top)}`;
  return narrow === 0 ? `${start}${inward}z` : `${start}${inward}h${number(-2 * narrow)}z`;
}

/** @param left Where its box begins. @returns An SVG path. */
export const sun = (left = 0) =>
  `M${numbers(left, MIDDLE)}a${numbers(RADIUS, RADIUS)} 0 0 1 ${numbers(2 * RADIUS, 0)}z${BANDS.map((one) => band(left, one)).join('')}`;
