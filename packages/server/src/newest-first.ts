/** Runs one work at a time for each key. */
export interface NewestFirst {
  /**
   * Of the waiting works of a key, only the newest stays.
   * @returns The work's result; `replaced` if a newer work took its place before it started.
   */
  run: <T>(key: string | number, work: () => Promise<T>) => Promise<T | 'replaced'>;
}

export function createNewestFirst(): NewestFirst {
  const running = new Set<string | number>();
  /** The waiting work of a key: it starts (`true`) or is replaced (`false`). */
  const waiting = new Map<string | number, (mayBegin: boolean) => void>();

  /** Ends a key's turn. It stays taken if work waits, so that no new call overtakes it. */
  function passOn(key: string | number): void {
    const next = waiting.get(key);
    waiting.delete(key);
    if (next) next(true);
    else running.delete(key);
  }

  return {
    async run(key, work) {
      if (running.has(key)) {
        waiting.get(key)?.(false);
        const mayBegin = await new Promise<boolean>((resolve) => waiting.set(key, resolve));
        if (!mayBegin) return 'replaced';
      }
      running.add(key);
      try {
        return await work();
      } finally {
        passOn(key);
      }
    },
  };
}
