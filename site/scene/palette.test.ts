import { expect, test } from 'vitest';
import type { Vec3 } from './maths.ts';
import { paletteAt } from './palette.ts';

/** Relative luminance of a linear colour (WCAG). */
const luminance = ([r, g, b]: Vec3) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

const HOUR = Array.from({ length: 101 }, (_, i) => paletteAt(i / 100));

test('the sky and the light only become darker from gold to night', () => {
  for (const name of ['zenith', 'middle', 'warm', 'ambient'] as const)
    for (let i = 1; i < HOUR.length; i++)
      expect(luminance(HOUR[i]?.[name] ?? [1, 1, 1])).toBeLessThanOrEqual(
        luminance(HOUR[i - 1]?.[name] ?? [0, 0, 0]) + 1e-9,
      );
});

test('gold and ember glow red at the sun, and night keeps a little of it', () => {
  const warmth = (progress: number) => {
    const [r, , b] = paletteAt(progress).warm;
    return r / b;
  };
  expect(warmth(0)).toBeGreaterThan(5);
  expect(warmth(0.5)).toBeGreaterThan(3);
  expect(warmth(1)).toBeGreaterThan(1);
  expect(warmth(1)).toBeLessThan(2.5);
});

test('colours change by at most 0.03 per hundredth of the page', () => {
  for (let i = 1; i < HOUR.length; i++)
    for (const [name, colour] of Object.entries(HOUR[i] ?? {}) as [keyof (typeof HOUR)[0], Vec3][])
      colour.forEach((value, channel) => {
        expect(Math.abs(value - (HOUR[i - 1]?.[name][channel] ?? 9))).toBeLessThan(0.03);
      });
});

test('night is nearly grey, not blue', () => {
  for (const name of ['zenith', 'middle', 'cool', 'ambient'] as const) {
    const [r, , b] = paletteAt(1)[name];
    expect(b - r).toBeLessThan(0.04);
  }
});
