import { clamp } from './maths.ts';

/** Steps of the pixel ratio, in frames: it falls soon, and rises only after a long time of fast frames. */
const FALL_AFTER_FRAMES = 50;
const RISE_AFTER_FRAMES = 400;

/** Time of a frame at 60 Hz, in milliseconds. */
const FRAME_MS = 1000 / 60;

/** Multiples of the usual time of a frame. Above the first the ratio falls, below the second it may rise. */
const SLOW_FACTOR = 1.17;
const FAST_FACTOR = 1.03;

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
  let meanMs = FRAME_MS;
  let frames = 0;
  let easyFrames = 0;
  let meanAtHighestMs = 0;
  /** Longer than `FRAME_MS` once a lower ratio has not made the frames shorter. */
  let usualMs = FRAME_MS;

  const setRatio = (newRatio: number) => {
    ratio = clamp(newRatio, lowest, highest);
    frames = 0;
    easyFrames = 0;
    return 'ratio' as const;
  };

  return {
    ratio: () => ratio,
    frame(ms) {
      // The mean of about the last 20 frames. A single long frame usually has another cause, so it counts as at most
      // three times the mean.
      meanMs += (Math.min(ms, meanMs * 3) - meanMs) * 0.05;
      frames += 1;
      if (meanMs < FRAME_MS * FAST_FACTOR) usualMs = FRAME_MS;
      easyFrames = meanMs < usualMs * FAST_FACTOR ? easyFrames + 1 : 0;
      if (frames <= FALL_AFTER_FRAMES) return null;
      if (meanMs > usualMs * SLOW_FACTOR && ratio > lowest) {
        if (ratio === highest) meanAtHighestMs = meanMs;
        return setRatio(ratio * 0.85);
      }
      if (meanMs > TOO_SLOW_MS) return 'too-slow';
      // Fewer pixels did not help, so they are not the cause.
      if (meanMs > usualMs * SLOW_FACTOR && ratio < highest && meanMs > meanAtHighestMs * 0.95) {
        usualMs = meanMs;
        return setRatio(highest);
      }
      if (easyFrames > RISE_AFTER_FRAMES && ratio < highest) return setRatio(ratio * 1.08);
      return null;
    },
  };
}
