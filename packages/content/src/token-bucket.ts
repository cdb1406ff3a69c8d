/** Limits the rate of an action, for all callers together. */
export interface TokenBucket {
  /** Takes one token. @returns Whether there was one. */
  take: () => boolean;
}

/**
 * @param perSecond Tokens added per second: the sustained rate.
 * @param size Maximum number of tokens: the largest burst.
 * @param now Milliseconds of a monotonic clock.
 */
export function createTokenBucket(
  perSecond: number,
  size: number,
  now: () => number = () => performance.now(),
): TokenBucket {
  let tokens = size;
  let at = now();
  return {
    take() {
      const passedMs = now() - at;
      at += passedMs;
      tokens = Math.min(size, tokens + (passedMs * perSecond) / 1000);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
