/**
 * Purpose of a call: a page that a visitor waits for, a background read, or content that a visitor named by a number,
 * which may be invented.
 */
export type Urgency = 'page' | 'background' | 'visitor';

/** Time that one page may wait for WordPress, shared by all its calls. */
export interface Budget {
  /** Milliseconds left, at least 0. */
  remainingMs: () => number;
  urgency: Urgency;
  /** Longest wait for a single call, in milliseconds. Default: all the time left. */
  callMs?: number;
}

/** @param ms Milliseconds from now. */
export function createBudget(ms: number, urgency: Urgency = 'page'): Budget {
  const endsAt = performance.now() + ms;
  return { remainingMs: () => Math.max(0, endsAt - performance.now()), urgency };
}
