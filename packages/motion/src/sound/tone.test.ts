import { expect, test } from 'vitest';
import { paceOf, toneAt } from './tone.ts';

const SHARES = Array.from({ length: 21 }, (_, i) => i / 20);

test('by day the filter is open at full volume, at night closed and quieter, never louder', () => {
  expect(toneAt(0, 0).level).toBe(1);
  expect(toneAt(0, 0).hertz).toBeGreaterThan(10_000);
  expect(toneAt(1, 0).hertz).toBeLessThan(2_500);
  for (const passed of SHARES)
    for (const pace of SHARES) {
      const { hertz, level } = toneAt(passed, pace);
      expect(level).toBeLessThanOrEqual(1);
      expect(level).toBeGreaterThanOrEqual(0.7);
      expect(hertz).toBeGreaterThanOrEqual(900);
      expect(hertz).toBeLessThanOrEqual(18_000);
    }
});

test('the filter closes along the passage, and opens with scroll speed', () => {
  for (const [i, share] of SHARES.entries()) {
    const before = SHARES[i - 1];
    if (before === undefined) continue;
    expect(toneAt(share, 0.3).hertz).toBeLessThan(toneAt(before, 0.3).hertz);
    expect(toneAt(share, 0.3).level).toBeLessThan(toneAt(before, 0.3).level);
    expect(toneAt(0.8, share).hertz).toBeGreaterThan(toneAt(0.8, before).hertz);
    expect(toneAt(0.8, share).level).toBeGreaterThan(toneAt(0.8, before).level);
  }
  expect(toneAt(1, 1)).toEqual(toneAt(0, 1));
});

test('the pace is measured in window heights per second in both directions; a jump counts as 0', () => {
  expect(paceOf(0, 900)).toBe(0);
  expect(paceOf(12, 900)).toBeCloseTo(0.5, 9);
  expect(paceOf(-12, 900)).toBe(paceOf(12, 900));
  expect(paceOf(200, 900)).toBe(1);
  expect(paceOf(4_000, 900)).toBe(0);
});
