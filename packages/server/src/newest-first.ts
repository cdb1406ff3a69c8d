/** Runs one work at a time for each key. */
export interface NewestFirst {
  /**
   * Of the waiting works of a key, only the newest stays.
   * @returns The work's result; `replaced` if a newer work took its place before it started.
   */
  run: <T>(key: string | number, work: () => Promise<T>) => Promise<T | 'replaced'>;
}

export function createNewestFirst(): NewestFirst {
  /**
   * By key, while its work runs: starts the waiting work (`true`) or replaces it (`false`); `null` if no work waits.
   */
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
