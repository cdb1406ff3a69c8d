import { clamp } from './maths.ts';

/** Steps of the pixel ratio, in frames: a fall is decided soon, a rise only when it has long been easy. */
const FALL_AFTER = 50;
const RISE_AFTER = 400;

/** A 60 Hz screen's frame is 16.7 ms: above the first the ratio falls, below the second it may rise. */
const SLOW_MS = 19.5;
const FAST_MS = 17.2;

/** At the lowest ratio and still slower than this, about 18 frames a second: the GPU is too weak for a scene. */
const TOO_SLOW_MS = 55;

interface Governor {
  /** Canvas pixels per CSS pixel. */
  ratio(): number;
  /** Counts a frame. @param ms Time since the last. @returns What that changes, if anything. */
  frame(ms: number): 'ratio' | 'too-slow' | null;
}

/**
 * Finds the finest pixel ratio that the GPU can draw at the screen's own pace, one step at a time.
 * @param limits.lowest What it may fall to; below it the picture is soft.
 * @param limits.highest What it begins with and may rise to.
 */
export function createGovernor({ lowest, highest }: { lowest: number; highest: number }): Governor {
  let ratio = highest;
  let mean = 1000 / 60;
  let frames = 0;
  let easyFrames = 0;

  const change = (wanted: number) => {
    ratio = clamp(wanted, Math.min(lowest, highest), highest);
    frames = 0;
    easyFrames = 0;
    return 'ratio' as const;
  };

  return {
    ratio: () => ratio,
    frame(ms) {
      // One long frame is somebody else's: it counts for three.
      mean += (Math.min(ms, mean * 3) - mean) * 0.05;
      frames += 1;
      easyFrames = mean < FAST_MS ? easyFrames + 1 : 0;
      if (frames <= FALL_AFTER) return null;
      if (mean > SLOW_MS && ratio > lowest) return change(ratio * 0.85);
      if (mean > TOO_SLOW_MS) return 'too-slow';
      if (easyFrames > RISE_AFTER && ratio < highest) return change(ratio * 1.08);
      return null;
    },
  };
}
