import { expect, test } from 'vitest';
import { frequencies, meanAdvance, overrides } from './metrics.mjs';

test('the characters of English come to one whole, spaces foremost', () => {
  const shares = frequencies();
  expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10);
  expect(shares.sort((a, b) => b.share - a.share)[0]?.character).toBe(' ');
});

test('a typeface of one width has that width as its mean', () => {
  expect(meanAdvance(() => 0.6)).toBeCloseTo(0.6, 10);
});

test('a stand-in scaled and overridden is as wide and as tall as the typeface', () => {
  const own = { mean: 0.6, ascent: 0.9, descent: 0.2, lineGap: 0.1 };
  const { sizeAdjust, ascent, descent, lineGap } = overrides(own, 0.5);
  expect(sizeAdjust * 0.5).toBeCloseTo(own.mean, 10);
  // Browsers scale the overrides by size-adjust too.
  expect(ascent * sizeAdjust).toBeCloseTo(own.ascent, 10);
  expect(descent * sizeAdjust).toBeCloseTo(own.descent, 10);
  expect(lineGap * sizeAdjust).toBeCloseTo(own.lineGap, 10);
});
