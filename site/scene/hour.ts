import { clamp } from './maths.ts';

/**
 * Progress of the hour in its section: 0 until the section's top is at the window's top, 1 once its bottom is at the
 * window's bottom.
 * @param passage Position of the section in CSS pixels from the window's top.
 */
export function hourProgress({ top, height }: { top: number; height: number }, windowHeight: number): number {
  // A section that is not higher than the window has no scroll distance: it is day before it and night after it.
  return clamp(-top / Math.max(height - windowHeight, 1));
}
