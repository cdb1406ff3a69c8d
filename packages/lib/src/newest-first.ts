/** Runs one work at a time for each key. */
export interface NewestFirst {
  /**
   * Of the works of a key that wait, only the newest stays.
   * @returns What the work returns; `replaced`: a newer one took its place before it began.
   */
  run: <T>(key: string | number, work: () => Promise<T>) => Promise<T | 'replaced'>;
}

export function createNewestFirst(): NewestFirst {
  /** By key, while a work of it runs: what lets the waiting one begin, or tells it that it is replaced. */
  const waiting = new Map<string | number, ((mayBegin: boolean) => void) | null>();

  function leave(key: string | number): void {
    const next = waiting.get(key);
    if (next) waiting.set(key, null);
    else waiting.delete(key);
    next?.(true);
  }

  return {
    async run(key, work) {
      if (waiting.has(key)) {
        waiting.get(key)?.(false);
        const mayBegin = await new Promise<boolean>((resolve) => waiting.set(key, resolve));
        if (!mayBegin) return 'replaced';
      } else waiting.set(key, null);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
  };
}
