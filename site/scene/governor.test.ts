import { expect, test } from 'vitest';
import { createGovernor } from './governor.ts';

const LIMITS = { lowest: 0.7, highest: 1.75 };

/** Frames of one length that fill `seconds`. */
function run(governor: ReturnType<typeof createGovernor>, ms: number, seconds: number): (string | null)[] {
  return Array.from({ length: Math.round((seconds * 1000) / ms) }, () => governor.frame(ms));
}

/** `seconds` on a screen of 60 Hz, with a GPU that needs `cost` milliseconds for a frame at ratio 1. */
function draw(governor: ReturnType<typeof createGovernor>, cost: number, seconds: number): (string | null)[] {
  const results: (string | null)[] = [];
  for (let left = seconds * 1000; left > 0; ) {
    const ms = Math.ceil((cost * governor.ratio() ** 2) / 16.7) * 16.7;
    results.push(governor.frame(ms));
    left -= ms;
  }
  return results;
}

test('a fast GPU draws at the highest ratio', () => {
  const governor = createGovernor(LIMITS);
  expect(new Set(run(governor, 1000 / 60, 60))).toEqual(new Set([null]));
  expect(governor.ratio()).toBe(1.75);
});

test('a slow GPU falls step by step to the lowest ratio', () => {
  const governor = createGovernor(LIMITS);
  draw(governor, 40, 7);
  expect(governor.ratio()).toBeCloseTo(1.75 * 0.85);
  draw(governor, 40, 60);
  expect(governor.ratio()).toBe(0.7);
});

test.each([50, 48, 30])('at %d Hz the ratio ends at the highest, because a lower one is not faster', (hertz) => {
  const governor = createGovernor(LIMITS);
  run(governor, 1000 / hertz, 20);
  expect(new Set(run(governor, 1000 / hertz, 60))).toEqual(new Set([null]));
  expect(governor.ratio()).toBe(1.75);
  run(governor, 1600 / hertz, 3);
  run(governor, 1000 / hertz, 300);
  expect(governor.ratio(), 'after a short load').toBe(1.75);
  draw(governor, 40, 60);
  expect(governor.ratio(), 'a GPU that becomes slow').toBeLessThan(1);
});

test('once frames are fast the ratio rises again, slowly and up to the highest', () => {
  const governor = createGovernor(LIMITS);
  draw(governor, 40, 60);
  run(governor, 16, 6);
  expect(governor.ratio()).toBe(0.7);
  run(governor, 16, 120);
  expect(governor.ratio()).toBe(1.75);
});

test('one long frame changes nothing, because the mean counts', () => {
  const governor = createGovernor(LIMITS);
  run(governor, 16.7, 3);
  governor.frame(100);
  run(governor, 16.7, 3);
  expect(governor.ratio()).toBe(1.75);
});

test('below 18 frames a second at the lowest ratio the result is too slow', () => {
  const governor = createGovernor(LIMITS);
  expect(run(governor, 90, 60)).toContain('too-slow');
});

test('a screen with fewer pixels than the lowest ratio keeps its own ratio', () => {
  const governor = createGovernor({ lowest: 0.7, highest: 0.5 });
  run(governor, 30, 60);
  expect(governor.ratio()).toBe(0.5);
});

test('R44: a fast screen also keeps the highest ratio', () => {
  const governor = createGovernor(LIMITS);
  run(governor, 1000 / 120, 60);
  expect(governor.ratio()).toBe(1.75);
});
