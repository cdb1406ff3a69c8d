import { clamp } from './maths.ts';

/**
 * How much of its hour has passed in the section that leads through it: 0 until its head is at the window's, 1 from when
 * its foot is at the window's.
 * @param passage Where the section is, in CSS pixels from the window's top.
 */
export function hourAt({ top, height }: { top: number; height: number }, windowHeight: number): number {
  // One no higher than the window has no way in it: it is day before it and night after.
  return clamp(-top / Math.max(height - windowHeight, 1));
}
