import { LRUCache } from 'lru-cache';

export const MINUTE_MS = 60_000;

/** Maximum remembered networks and sign-up ids of one limit. They take about 10 MB. */
const MAX_NETWORKS = 50_000;
const MAX_REPEATS = 50_000;

/** Maximum repeats a minute from one network, all its ids together. */
export const REPEATS_PER_MINUTE = 60;

/** For this long after an id was counted, further posts with it are repeats, in milliseconds. */
export const REPEAT_MS = 10 * MINUTE_MS;

export interface Post {
  network: string;
  /** `null` if the browser generated none. A repeat then counts as a new post. */
  signUpId: string | null;
}

/**
 * Counts the uses of each network: `perWindow` at once, then as many as become free, evenly over the window (GCRA).
 * @param now Monotonic clock, in milliseconds.
 */
export function createAllowances(perWindow: number, now: () => number, windowMs = MINUTE_MS) {
  const costMs = windowMs / perWindow;
  /** When each network has its full allowance again. */
  const fullAt = new LRUCache<string, number>({ max: MAX_NETWORKS });
  const fullAtFor = (network: string) => Math.max(fullAt.get(network) ?? 0, now());
  return {
    /** @returns Milliseconds until this many uses are free. */
    waitOf: (network: string, uses = 1) => Math.max(0, fullAtFor(network) - now() - (windowMs - uses * costMs)),
    /** @param uses Negative: a refund. */
    charge: (network: string, uses = 1) => void fullAt.set(network, fullAtFor(network) + uses * costMs),
  };
}

/**
 * Allows `perMinute` posts of one network at once, then one at a time, evenly over the minute (GCRA). So any minute has
 * at most twice as many. A repeat under the same id does not count as a post, since visitors may retry after a failure
 * or correct a mistake. Repeats have their own limit.
 * @param now Monotonic clock, in milliseconds.
 * @returns A function that takes a post and returns the milliseconds until the next try. 0: the post is accepted.
 */
export function createRateLimit(perMinute: number, now: () => number = () => performance.now()) {
  const posts = createAllowances(perMinute, now);
  const repeats = createAllowances(REPEATS_PER_MINUTE, now);
  const countedAt = new LRUCache<string, number>({ max: MAX_REPEATS });

  const isRepeat = (key: string) => now() - (countedAt.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS;

  return ({ network, signUpId }: Post): number => {
    const key = signUpId && `${network} ${signUpId}`;
    const allowances = key && isRepeat(key) ? repeats : posts;
    const wait = allowances.waitOf(network);
    if (wait > 0) return wait;
    allowances.charge(network);
    if (key && allowances === posts) countedAt.set(key, now());
    return 0;
  };
}
