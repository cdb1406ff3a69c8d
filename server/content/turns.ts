/** Runs at most `limit` works at once; the rest wait in the order they came. */
export interface Turns {
  /** Rejects with the signal's reason where it was aborted before the work's turn came. */
  take: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
}

export function createTurns(limit: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async take(work, signal) {
      if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        // The turn is handed over, not given back: nobody who comes in between can take it too.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
