/**
 * Limits the rate of an action, for all callers together.
 * @param perSecond Tokens added per second: the sustained rate.
 * @param size Maximum number of tokens: the largest burst.
 * @param now Milliseconds of a monotonic clock.
 */
export function createTokenBucket(perSecond: number, size: number, now: () => number = () => performance.now()) {
  let tokens = size;
  let refilledAt = now();
  return {
    /** Takes one token. @returns Whether there was one. */
    tryConsume(): boolean {
      const elapsedMs = now() - refilledAt;
      refilledAt += elapsedMs;
      tokens = Math.min(size, tokens + (elapsedMs * perSecond) / 1000);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
