/** Limits how often something is done, for all who ask together (a token bucket). */
export interface TokenBucket {
  /** @returns Whether it may be done once more now; if so, that is counted. */
  take: () => boolean;
}

/**
 * @param perSecond Tokens added each second: what may be done in the long run.
 * @param size Tokens the bucket holds: what may be done at once after a quiet time.
 * @param now Milliseconds of a clock that never jumps.
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
