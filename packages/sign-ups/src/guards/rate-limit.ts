import { LRUCache } from 'lru-cache';

export const MINUTE_MS = 60_000;

/** So many networks, and ids of sign-ups, are remembered at once. They take some 10 MB at most. */
const NETWORKS = 50_000;
const REPEATS = 50_000;

/** Repeats a minute from one network, all its ids together. Nobody tries again so often by hand. */
export const REPEATS_PER_MINUTE = 60;

/** For so long an id that was counted is a repeat, in milliseconds. Nobody goes on trying for longer. */
export const REPEAT_MS = 10 * MINUTE_MS;

export interface Post {
  network: string;
  /** `null` where the browser made none: a repeat then looks like a new post. */
  signUpId: string | null;
}

/** Counts by key. Lets `perMinute` through at once, then one by one, evenly over the minute (GCRA). */
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
 * Lets `perMinute` posts of one network through at once, then one by one, evenly over the minute (GCRA). So no minute
 * sees more than twice as many. A post that comes again under the same id is not counted again: a visitor who tries again
 * after a failure, or corrects a mistake, loses nothing. Repeats are counted on their own, so that they have a limit too.
 * @param now Milliseconds of a clock that never jumps.
 * @returns A function that takes a post. It answers after how many milliseconds to try again, and 0 where the post passes.
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
