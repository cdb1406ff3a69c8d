// The half sun above its reflection: the O of the wordmark, and the mark of the icons. In a box of 100.

const RADIUS = 50;
const MIDDLE = 50;

/** Bands of the reflection: their top and bottom, and half of their width there. */
const BANDS = [
  { top: 58, bottom: 67, wide: 48, narrow: 44.5 },
  { top: 75, bottom: 84, wide: 39, narrow: 31 },
  { top: 91, bottom: 99, wide: 19, narrow: 0 },
];

const roundNumber = (value) => String(Math.round(value * 100) / 100);
/** Numbers of a path. No space is needed before a minus. */
const pathNumbers = (...values) => values.map(roundNumber).join(' ').replaceAll(' -', '-');

function bandPath(left, { top, bottom, wide, narrow }) {
  const start = `M${pathNumbers(left + MIDDLE - wide, top)}h${roundNumber(2 * wide)}`;
  const inward = `l${pathNumbers(narrow - wide, bottom - top)}`;
  return narrow === 0 ? `${start}${inward}z` : `${start}${inward}h${roundNumber(-2 * narrow)}z`;
}

/** @param left Left edge of its box. @returns An SVG path. */
export const sunPath = (left = 0) =>
  `M${pathNumbers(left, MIDDLE)}a${pathNumbers(RADIUS, RADIUS)} 0 0 1 ${pathNumbers(2 * RADIUS, 0)}z${BANDS.map((one) => bandPath(left, one)).join('')}`;
