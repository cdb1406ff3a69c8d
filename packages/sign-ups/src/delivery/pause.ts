/** Shortest and longest backoff, in milliseconds. It doubles with every attempt. */
const MIN_PAUSE_MS = 1_000;
export const MAX_PAUSE_MS = 60_000;

/**
 * Pause before the next attempt: random up to the exponential backoff ("full jitter"), so that rows that failed
 * together are not retried together.
 * @param attempts Number of attempts, from 1.
 * @param random 0..1.
 * @returns Whole milliseconds, 1 to `MAX_PAUSE_MS`: times in the store have no fractions.
 */
export const pauseAfter = (attempts: number, random: number): number =>
  Math.max(1, Math.ceil(random * Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (attempts - 1))));

/** Reads seconds or a date (RFC 9110, 10.2.3). @returns Milliseconds from `now`; `null` if there is no valid value. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
