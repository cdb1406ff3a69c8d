import { clamp } from './maths.ts';

/** Steps of the pixel ratio, in frames: it falls soon, and rises only after a long time of fast frames. */
const FALL_AFTER = 50;
const RISE_AFTER = 400;

/** A frame at 60 Hz takes 16.7 ms. Above the first value the ratio falls, below the second it may rise. */
const SLOW_MS = 19.5;
const FAST_MS = 17.2;

/** The limit at the lowest ratio, about 18 frames a second: slower GPUs cannot draw the scene. */
const TOO_SLOW_MS = 55;

interface Governor {
  /** Canvas pixels per CSS pixel. */
  ratio(): number;
  /** Counts a frame. @param ms Time since the last one. @returns The resulting change, or `null`. */
  frame(ms: number): 'ratio' | 'too-slow' | null;
}

/**
 * Finds the highest pixel ratio that the GPU can draw at the screen's frame rate, one step at a time. A screen below
 * 60 Hz and a browser that saves energy have long frames at any ratio, and get the highest.
 * @param limits.lowest Minimum. Below it the picture is blurred.
 * @param limits.highest Start value and maximum.
 */
export function createGovernor({ lowest, highest }: { lowest: number; highest: number }): Governor {
  let ratio = highest;
  let mean = 1000 / 60;
  let frames = 0;
  let easyFrames = 0;
  let meanAtHighest = 0;
  /** Higher than `SLOW_MS` once a lower ratio has not made the frames shorter. */
  let slowMs = SLOW_MS;

  const change = (wanted: number) => {
    ratio = clamp(wanted, lowest, highest);
    frames = 0;
    easyFrames = 0;
    return 'ratio' as const;
  };

  return {
    ratio: () => ratio,
    frame(ms) {
      // A single long frame usually has another cause, so it counts as three times the mean.
      mean += (Math.min(ms, mean * 3) - mean) * 0.05;
      frames += 1;
      easyFrames = mean < FAST_MS ? easyFrames + 1 : 0;
      if (easyFrames) slowMs = SLOW_MS;
      if (frames <= FALL_AFTER) return null;
      if (mean > slowMs && ratio > lowest) {
        if (ratio === highest) meanAtHighest = mean;
        return change(ratio * 0.85);
      }
      if (mean > TOO_SLOW_MS) return 'too-slow';
      // Fewer pixels did not help, so they are not the cause.
      if (mean > slowMs && ratio < highest && mean > meanAtHighest * 0.95) {
        slowMs = mean * 1.1;
        return change(highest);
      }
      if (easyFrames > RISE_AFTER && ratio < highest) return change(ratio * 1.08);
      return null;
    },
  };
}
