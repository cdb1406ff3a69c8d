import { lampsFor } from './steps.ts';

/** The picture's size in its own units; the pass climbs it in this many legs, as in the scene. */
const WIDTH = 480;
const HEIGHT = 120;
const LEGS = 5;

/** The golden section: the places of any number of lamps are apart, and one more moves none of them (as in the scene). */
const GOLDEN = 0.618034;

/** @param share 0..1 of the way up. @returns Where the lamp stands: the higher, the shorter the legs and the further right. */
function place(share: number): [x: number, y: number] {
  const across = (1 - Math.cos(Math.PI * LEGS * share)) / 2;
  const [left, right] = [12 + 190 * share, WIDTH - 16 - 50 * share];
  return [left + (right - left) * across, HEIGHT - 14 - (HEIGHT - 30) * share ** 0.8];
}

const round = (value: number) => Math.round(value * 10) / 10;

const dot = ([x, y]: readonly [number, number], r: number, more: string) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" ${more}/>`;

/** The road below them: enough straight pieces that it looks bent. */
const ROAD = `<polyline points="${Array.from({ length: 91 }, (_, i) =>
  place(i / 90)
    .map(round)
    .join(','),
).join(' ')}" fill="none" stroke="currentColor" stroke-opacity=".2"/>`;

/**
 * The string of lamps for this many sign-ups, the visitor's own the brightest. Colours are attributes: the policy allows no
 * styles.
 */
export function pictureOf(number: number): string {
  const others = Array.from({ length: lampsFor(number) - 1 }, (_, i) => {
    const share = (0.37 + i * GOLDEN) % 1;
    return dot(place(share), 2.6 - 1.5 * share, 'fill="currentColor" fill-opacity=".62"');
  });
  const own = place(0.5);
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" aria-hidden="true">${ROAD}${others.join('')}${dot(own, 16, 'fill="#ff8a5c" fill-opacity=".16"')}${dot(own, 9, 'fill="#ff8a5c" fill-opacity=".3"')}${dot(own, 4.2, 'fill="#ff8a5c"')}</svg>`;
}
