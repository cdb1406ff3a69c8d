import { expect, test } from 'vitest';
import { lampsFor, MAX_LAMPS } from './steps.ts';

test('without sign-ups there is no lamp, each of the first adds one, and 100,000 fill the pass', () => {
  expect([0, 1, 2, 24].map(lampsFor)).toEqual([0, 1, 2, 24]);
  expect(lampsFor(200)).toBe(40);
  expect(lampsFor(100_000)).toBe(MAX_LAMPS);
  expect(lampsFor(999_999_999)).toBe(MAX_LAMPS);
  expect(lampsFor(-3)).toBe(0);
});

test('more sign-ups never have fewer lamps', () => {
  let last = 0;
  for (let riders = 0; riders < 120_000; riders += 7) {
    const lamps = lampsFor(riders);
    expect(lamps).toBeGreaterThanOrEqual(last);
    last = lamps;
  }
});
