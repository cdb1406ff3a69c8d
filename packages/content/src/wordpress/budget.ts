/** Who a call is for: a page that a visitor waits for, nobody now, or a number that a visitor named and may have made up. */
export type Urgency = 'page' | 'background' | 'visitor';

/**
 * How long one page may wait for WordPress, for all its calls together. It is handed to every call, so that the next one
 * gets only what the last one has left.
 */
export interface Budget {
  /** Milliseconds left, 0 when used up. */
  left: () => number;
  urgency: Urgency;
  /** Longest wait for a single call, in milliseconds. Default: all that is left. */
  callMs?: number;
}

/** @param ms Milliseconds from now. @param now Milliseconds of a clock that never steps back. */
export function createBudget(
  ms: number,
  now: () => number = () => performance.now(),
  urgency: Urgency = 'page',
): Budget {
  const end = now() + ms;
  return { left: () => Math.max(0, end - now()), urgency };
}
