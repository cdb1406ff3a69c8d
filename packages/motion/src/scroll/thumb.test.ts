import { describe, expect, test } from 'vitest';
import { pageTowards, scrollPerPixel, type Track, thumbAt, thumbLength } from './thumb.ts';

/** A window of 900 px and a page of `height` px. */
const track = (height: number): Track => ({ length: 900, limit: Math.max(height - 900, 0), shortest: 40 });

describe('R11: the thumb', () => {
  test('covers the same share of its track as the window covers of the page', () => {
    expect(thumbLength(track(1800))).toBe(450);
    expect(thumbLength(track(9000))).toBe(90);
  });

  test('is never shorter than the minimum and never longer than its track', () => {
    expect(thumbLength(track(1_000_000))).toBe(40);
    expect(thumbLength({ ...track(1800), length: 30 })).toBe(30);
  });

  test('is at an end of its track when the page is at an end, even if the browser overscrolls', () => {
    for (const height of [901, 1800, 1_000_000]) {
      expect(thumbAt(0, track(height))).toBe(0);
      expect(thumbAt(-80, track(height))).toBe(0);
      expect(thumbAt(height, track(height))).toBeCloseTo(900 - thumbLength(track(height)), 6);
    }
  });

  test('moves by the distance of a drag', () => {
    for (const height of [1800, 5000, 1_000_000]) {
      const at = thumbAt(100, track(height));
      expect(thumbAt(100 + 7 * scrollPerPixel(track(height)), track(height)) - at).toBeCloseTo(7, 6);
    }
  });

  test('does not move if the page fits the window', () => {
    expect(thumbAt(0, track(900))).toBe(0);
    expect(scrollPerPixel(track(900))).toBe(0);
  });
});

describe('R11: a press on the track', () => {
  test('pages towards the pointer by a little less than the window height', () => {
    expect(pageTowards(890, 0, track(5000))).toBe(788);
    expect(pageTowards(10, 3000, track(5000))).toBe(2212);
  });

  test('stops at the end of the page, or when the thumb is under the pointer', () => {
    expect(pageTowards(890, 3900, track(5000))).toBe(4100);
    expect(pageTowards(10, 500, track(5000))).toBe(0);
    expect(pageTowards(100, 0, track(5000))).toBeNull();
    expect(pageTowards(890, 4100, track(5000))).toBeNull();
  });
});
