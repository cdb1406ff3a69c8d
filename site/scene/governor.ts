import { clamp } from './maths.ts';

/** Steps of the pixel ratio, in frames: it falls soon, and rises only after a long time of fast frames. */
const FALL_AFTER = 50;
const RISE_AFTER = 400;

/** Time of a frame at 60 Hz, in milliseconds. */
const FRAME_MS = 1000 / 60;

/** Multiples of the usual time of a frame. Above the first the ratio falls, below the second it may rise. */
const SLOW = 1.17;
const FAST = 1.03;

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
  let mean = FRAME_MS;
  let frames = 0;
  let easyFrames = 0;
  let meanAtHighest = 0;
  /** Longer than `FRAME_MS` once a lower ratio has not made the frames shorter. */
  let usual = FRAME_MS;

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
      if (mean < FRAME_MS * FAST) usual = FRAME_MS;
      easyFrames = mean < usual * FAST ? easyFrames + 1 : 0;
      if (frames <= FALL_AFTER) return null;
      if (mean > usual * SLOW && ratio > lowest) {
        if (ratio === highest) meanAtHighest = mean;
        return change(ratio * 0.85);
      }
      if (mean > TOO_SLOW_MS) return 'too-slow';
      // Fewer pixels did not help, so they are not the cause.
      if (mean > usual * SLOW && ratio < highest && mean > meanAtHighest * 0.95) {
        usual = mean;
        return change(highest);
      }
      if (easyFrames > RISE_AFTER && ratio < highest) return change(ratio * 1.08);
      return null;
    },
  };
}
