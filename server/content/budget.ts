/**
 * How long one page may wait for WordPress in all, however many calls it needs. Handed down through every call, so
 * that what the first has used up the next does not get again.
 */
export interface Budget {
  /** Milliseconds left, 0 when used up. */
  left: () => number;
}

/** @param ms Milliseconds from now. @param now Milliseconds of a clock that never steps back. */
export function createBudget(ms: number, now: () => number = () => performance.now()): Budget {
  const end = now() + ms;
  return { left: () => Math.max(0, end - now()) };
}
