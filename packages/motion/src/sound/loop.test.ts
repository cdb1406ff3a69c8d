import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLoop } from './loop.ts';

const RATE = 8_000;

/** Periodic music with a period of `round` seconds, `seconds` long, after `delay` seconds of silence. */
function periodic(round: number, seconds: number, delay = 0): Float32Array {
  const samples = new Float32Array(Math.round((seconds + delay) * RATE));
  const offset = Math.round(delay * RATE);
  for (let at = offset; at < samples.length; at++) {
    const turn = ((at - offset) / (round * RATE)) * 2 * Math.PI;
    samples[at] = Math.sin(211 * turn) + 0.5 * Math.sin(347 * turn + 1) + 0.3 * Math.sin(89 * turn + 2);
  }
  return samples;
}

/** Music that never repeats: its pitch rises to the end. */
const rising = (seconds: number) =>
  Float32Array.from({ length: seconds * RATE }, (_, at) => Math.sin(0.1 * at + (0.3 * at * at) / (seconds * RATE)));

test('a track that continues for 0.5 s past both ends of its loop is looped within them', () => {
  const { start, end } = findLoop(periodic(6, 7), RATE);
  expect(start).toBeCloseTo(0.25, 3);
  expect(end - start).toBeCloseTo(6, 3);
});

test('the loop length is exact to the sample, with any amount of decoder silence at either end', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.09, noNaN: true }), (delay) => {
      const { start, end } = findLoop(periodic(3, 4, delay), RATE);
      expect(Math.abs(end - start - 3)).toBeLessThan(1.5 / RATE);
    }),
    { numRuns: 20 },
  );
});

test('a track that was not made to loop, a short one and a silent one are repeated from start to end', () => {
  expect(findLoop(rising(5), RATE)).toEqual({ start: 0, end: 5 });
  expect(findLoop(periodic(1, 1.5), RATE)).toEqual({ start: 0, end: 1.5 });
  expect(findLoop(new Float32Array(4 * RATE), RATE)).toEqual({ start: 0, end: 4 });
});
