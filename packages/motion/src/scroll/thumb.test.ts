import { describe, expect, test } from 'vitest';
import { pageTowards, scrollPerPixel, type Track, thumbAt, thumbLength } from './thumb.ts';

/** A window of 900 px over a page of `height`. */
const track = (height: number): Track => ({ length: 900, limit: Math.max(height - 900, 0), shortest: 40 });

describe('R11: the thumb', () => {
  test('takes as much of its track as the window shows of the page', () => {
    expect(thumbLength(track(1800))).toBe(450);
    expect(thumbLength(track(9000))).toBe(90);
  });

  test('is never too short to be caught, and never longer than its track', () => {
    expect(thumbLength(track(1_000_000))).toBe(40);
    expect(thumbLength({ ...track(1800), length: 30 })).toBe(30);
  });

  test('stands at the ends of its track when the page is at its own, though the browser overshoots', () => {
    for (const height of [901, 1800, 1_000_000]) {
      expect(thumbAt(0, track(height))).toBe(0);
      expect(thumbAt(-80, track(height))).toBe(0);
      expect(thumbAt(height, track(height))).toBeCloseTo(900 - thumbLength(track(height)), 6);
    }
  });

  test('dragged by a distance moves by that distance', () => {
    for (const height of [1800, 5000, 1_000_000]) {
      const at = thumbAt(100, track(height));
      expect(thumbAt(100 + 7 * scrollPerPixel(track(height)), track(height)) - at).toBeCloseTo(7, 6);
    }
  });

  test('of a page that is not longer than the window goes nowhere', () => {
    expect(thumbAt(0, track(900))).toBe(0);
    expect(scrollPerPixel(track(900))).toBe(0);
  });
});

describe('R11: a press on the track', () => {
  test('pages towards the pointer by a little less than the window', () => {
    expect(pageTowards(890, 0, track(5000))).toBe(788);
    expect(pageTowards(10, 3000, track(5000))).toBe(2212);
  });

  test('ends where the page does, and once the thumb is under the pointer', () => {
    expect(pageTowards(890, 3900, track(5000))).toBe(4100);
    expect(pageTowards(10, 500, track(5000))).toBe(0);
    expect(pageTowards(100, 0, track(5000))).toBeNull();
    expect(pageTowards(890, 4100, track(5000))).toBeNull();
  });
});
