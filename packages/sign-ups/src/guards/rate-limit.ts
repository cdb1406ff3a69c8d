import { LRUCache } from 'lru-cache';

export const MINUTE_MS = 60_000;

/** Maximum remembered networks and sign-up ids. They take about 10 MB. */
const NETWORKS = 50_000;
const REPEATS = 50_000;

/** Maximum repeats a minute from one network, all its ids together. */
export const REPEATS_PER_MINUTE = 60;

/** For this long after an id was counted, further posts with it are repeats, in milliseconds. */
export const REPEAT_MS = 10 * MINUTE_MS;

export interface Post {
  network: string;
  /** `null` if the browser generated none. A repeat then counts as a new post. */
  signUpId: string | null;
}

/** Counts by key. It allows `perMinute` at once, then one at a time, evenly over the minute (GCRA). */
export function createAccounts(perMinute: number, now: () => number) {
  const spacing = MINUTE_MS / perMinute;
  const slack = MINUTE_MS - spacing;
  /** When each network has its full allowance again. */
  const clearAt = new LRUCache<string, number>({ max: NETWORKS });
  const clearOf = (network: string) => Math.max(clearAt.get(network) ?? 0, now());
  return {
    waitOf: (network: string) => Math.max(0, clearOf(network) - now() - slack),
    charge: (network: string) => void clearAt.set(network, clearOf(network) + spacing),
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
  const posts = createAccounts(perMinute, now);
  const repeats = createAccounts(REPEATS_PER_MINUTE, now);
  const counted = new LRUCache<string, number>({ max: REPEATS });

  const isRepeat = (key: string) => now() - (counted.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS;

  return ({ network, signUpId }: Post): number => {
    const key = signUpId && `${network} ${signUpId}`;
    const account = key && isRepeat(key) ? repeats : posts;
    const wait = account.waitOf(network);
    if (wait > 0) return wait;
    account.charge(network);
    if (key && account === posts) counted.set(key, now());
    return 0;
  };
}
