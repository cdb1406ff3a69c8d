import { lampsFor } from './steps.ts';

/** The picture's size in its units, and the number of legs of the pass, as in the scene. */
const WIDTH = 480;
const HEIGHT = 120;
const LEG_COUNT = 5;

/** The golden ratio keeps any number of lamps apart, and a new one moves no other (as in the scene). */
const GOLDEN = 0.618034;

/** @param share 0..1 of the climb. Higher legs are shorter and further right. */
function lampPosition(share: number): [x: number, y: number] {
  const across = (1 - Math.cos(Math.PI * LEG_COUNT * share)) / 2;
  const [left, right] = [12 + 190 * share, WIDTH - 16 - 50 * share];
  return [left + (right - left) * across, HEIGHT - 14 - (HEIGHT - 30) * share ** 0.8];
}

const roundToTenth = (value: number) => Math.round(value * 10) / 10;

const circle = ([x, y]: readonly [number, number], r: number, attributes: string) =>
  `<circle cx="${roundToTenth(x)}" cy="${roundToTenth(y)}" r="${roundToTenth(r)}" ${attributes}/>`;

/** The road below the lamps, with enough straight pieces to look bent. */
const ROAD_SVG = `<polyline points="${Array.from({ length: 91 }, (_, i) =>
  lampPosition(i / 90)
    .map(roundToTenth)
    .join(','),
).join(' ')}" fill="none" stroke="currentColor" stroke-opacity=".2"/>`;

/**
 * Draws the lamps for this number of sign-ups; the visitor's is the brightest. Colours are attributes, because the
 * policy allows no styles.
 */
export function drawLamps(number: number): string {
  const others = Array.from({ length: lampsFor(number) - 1 }, (_, i) => {
    const share = (0.37 + i * GOLDEN) % 1;
    return circle(lampPosition(share), 2.6 - 1.5 * share, 'fill="currentColor" fill-opacity=".62"');
  });
  const ownPosition = lampPosition(0.5);
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" aria-hidden="true">${ROAD_SVG}${others.join('')}${circle(ownPosition, 16, 'fill="#ff8a5c" fill-opacity=".16"')}${circle(ownPosition, 9, 'fill="#ff8a5c" fill-opacity=".3"')}${circle(ownPosition, 4.2, 'fill="#ff8a5c"')}</svg>`;
}
