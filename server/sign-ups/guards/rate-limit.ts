import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;

/** Networks, and ids of sign-ups, that are remembered at once: some 10 MB, however many come. */
const NETWORKS = 50_000;
const REPEATS = 50_000;

/** An id that was counted is a repeat for so long, in milliseconds: longer than anybody tries again in one go. */
const REPEAT_MS = 10 * MINUTE_MS;

export interface Post {
  network: string;
  /** `null` where the browser made none: nothing to know a repeat by. */
  signUpId: string | null;
}

/**
 * Lets `perMinute` posts of one network through at once, and then one by one as fast as these would fill a minute
 * (GCRA), so that no minute ever sees more than twice as many. A post that was counted is not counted again when it
 * comes again under its id: a visitor who tries again after a failure, or mends a mistake, uses up nothing.
 * @param now Milliseconds that never jump.
 * @returns Takes a post; says after how many milliseconds it may come again, 0 where it is let through.
 */
export function createRateLimit(perMinute: number, now: () => number = () => performance.now()) {
  const spacing = MINUTE_MS / perMinute;
  const slack = MINUTE_MS - spacing;
  /** When each network will have used up nothing any more. */
  const clearAt = new LRUCache<string, number>({ max: NETWORKS });
  const counted = new LRUCache<string, number>({ max: REPEATS });

  const isRepeat = (key: string) => now() - (counted.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS;

  return ({ network, signUpId }: Post): number => {
    const key = signUpId && `${network} ${signUpId}`;
    if (key && isRepeat(key)) return 0;
    const clear = Math.max(clearAt.get(network) ?? 0, now());
    const wait = clear - now() - slack;
    if (wait > 0) return wait;
    clearAt.set(network, clear + spacing);
    if (key) counted.set(key, now());
    return 0;
  };
}
