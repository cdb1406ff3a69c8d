import { expect, test } from 'vitest';
import { createGovernor } from './governor.ts';

const LIMITS = { lowest: 0.7, highest: 1.75 };

/** Frames of one length, as many as fill `seconds`. */
function run(governor: ReturnType<typeof createGovernor>, ms: number, seconds: number): (string | null)[] {
  return Array.from({ length: Math.round((seconds * 1000) / ms) }, () => governor.frame(ms));
}

test('a GPU that keeps up draws the finest picture', () => {
  const governor = createGovernor(LIMITS);
  expect(new Set(run(governor, 1000 / 60, 60))).toEqual(new Set([null]));
  expect(governor.ratio()).toBe(1.75);
});

test('a slow one falls step by step to the lowest and no further', () => {
  const governor = createGovernor(LIMITS);
  run(governor, 30, 3);
  expect(governor.ratio()).toBeCloseTo(1.75 * 0.85);
  run(governor, 30, 60);
  expect(governor.ratio()).toBe(0.7);
});

test('what has become easy rises again, slowly and never beyond the finest', () => {
  const governor = createGovernor(LIMITS);
  run(governor, 30, 60);
  run(governor, 16, 6);
  expect(governor.ratio()).toBe(0.7);
  run(governor, 16, 120);
  expect(governor.ratio()).toBe(1.75);
});

test('one long frame changes nothing: the mean counts', () => {
  const governor = createGovernor(LIMITS);
  run(governor, 16.7, 3);
  governor.frame(100);
  run(governor, 16.7, 3);
  expect(governor.ratio()).toBe(1.75);
});

test('below 18 frames a second at the lowest ratio the poster is better', () => {
  const governor = createGovernor(LIMITS);
  expect(run(governor, 90, 60)).toContain('too-slow');
});

test('a screen that has fewer pixels than the lowest ratio stays at its own', () => {
  const governor = createGovernor({ lowest: 0.7, highest: 0.5 });
  run(governor, 30, 60);
  expect(governor.ratio()).toBe(0.5);
});

test('R44: a fast screen keeps the finest picture too', () => {
  const governor = createGovernor(LIMITS);
  run(governor, 1000 / 120, 60);
  expect(governor.ratio()).toBe(1.75);
});
