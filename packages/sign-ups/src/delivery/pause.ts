/** The pause grows from here with every attempt, and no further than to there, in milliseconds. */
const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 60_000;

/**
 * Pause before the next attempt: anything up to the exponential backoff ("full jitter"), so that those who failed together
 * do not come back together.
 * @param attempts Attempts so far, 1 and more.
 * @param random 0..1.
 * @returns Whole milliseconds, 1 to `LONGEST_PAUSE_MS`: times in the store have no fractions.
 */
export const pauseAfter = (attempts: number, random: number): number =>
  Math.max(1, Math.ceil(random * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1))));
