import { describe, expect, test } from 'vitest';
import { nextPageScroll, type Track, thumbLength, thumbOffset } from './thumb.ts';

/** A window of 900 px and a page of `height` px. */
const track = (height: number): Track => ({ length: 900, limit: Math.max(height - 900, 0), shortest: 40 });

describe('R11: the thumb', () => {
  test('is never shorter than the minimum and never longer than its track', () => {
    expect(thumbLength(track(1_000_000))).toBe(40);
    expect(thumbLength({ ...track(1800), length: 30 })).toBe(30);
  });

  test('is at an end of its track when the page is at an end, even if the browser overscrolls', () => {
    for (const height of [901, 1800, 1_000_000]) {
      expect(thumbOffset(0, track(height))).toBe(0);
      expect(thumbOffset(-80, track(height))).toBe(0);
      expect(thumbOffset(height, track(height))).toBeCloseTo(900 - thumbLength(track(height)), 6);
    }
  });
});

describe('R11: a press on the track', () => {
  test('pages towards the pointer by a little less than the window height', () => {
    expect(nextPageScroll(890, 0, track(5000))).toBe(788);
    expect(nextPageScroll(10, 3000, track(5000))).toBe(2212);
  });
});
