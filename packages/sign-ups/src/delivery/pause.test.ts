import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_PAUSE_MS, pauseAfter, readRetryAfter } from './pause.ts';

test('a pause is a whole number of milliseconds from 1 ms to 60 s', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, random) => {
        const pause = pauseAfter(attempts, random);
        expect(Number.isSafeInteger(pause)).toBe(true);
        expect(pause).toBeGreaterThanOrEqual(1);
        expect(pause).toBeLessThanOrEqual(MAX_PAUSE_MS);
      },
    ),
  );
});

test('the longest pause doubles with each attempt up to 60 s', () => {
  expect([1, 2, 3, 6, 7, 50].map((attempts) => pauseAfter(attempts, 1))).toEqual([
    ...[1_000, 2_000, 4_000, 32_000, 60_000, 60_000],
  ]);
});

test('Retry-After is read in seconds or as a date; other values mean no pause', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  for (const seconds of ['120', ' 120 ']) expect(readRetryAfter(seconds, now)).toBe(120_000);
  expect(readRetryAfter('Sat, 21 Nov 2026 12:00:30 GMT', now)).toBe(30_000);
  expect(readRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', now)).toBe(0);
  for (const nothing of [null, '', 'soon', '-5', '5 s', 'in 5'])
    expect(readRetryAfter(nothing, now) ?? 0, `${nothing}`).toBe(0);
});
