import type { SignUpStore } from './store/store.ts';

/** A result is reused for this long, in milliseconds, so that many requests do not cause many writes. */
const CACHE_MS = 1_000;

/**
 * Whether the store can accept a sign-up. It tests this with a write, because a full disk can still be read.
 * @param ticks Monotonic clock, in milliseconds.
 */
export function createReadiness({ probe }: Pick<SignUpStore, 'probe'>, ticks = () => performance.now()) {
  let last: { at: number; isReady: Promise<boolean> } | null = null;
  return (): Promise<boolean> => {
    if (last && ticks() - last.at < CACHE_MS) return last.isReady;
    const isReady = probe(Date.now()).then(
      () => true,
      () => false,
    );
    last = { at: ticks(), isReady };
    return isReady;
  };
}
