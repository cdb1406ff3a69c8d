/** Runs one task at a time for each key. If several wait, only the newest runs. */
export function createNewestFirst() {
  /** Keys of running tasks. */
  const running = new Set<string | number>();
  /** The waiting task of a key: it starts (`true`) or is replaced (`false`). */
  const waiting = new Map<string | number, (mayStart: boolean) => void>();

  /** Ends a key's turn. It stays taken if a task waits, so that no new call overtakes it. */
  function startNext(key: string | number): void {
    const next = waiting.get(key);
    waiting.delete(key);
    if (next) next(true);
    else running.delete(key);
  }

  return {
    /**
     * Runs a task once no other task of the key runs.
     * @returns The task's result; `replaced` if a newer task took its place before it started.
     */
    async run<T>(key: string | number, task: () => Promise<T>): Promise<T | 'replaced'> {
      if (running.has(key)) {
        waiting.get(key)?.(false);
        const mayStart = await new Promise<boolean>((resolve) => waiting.set(key, resolve));
        if (!mayStart) return 'replaced';
      }
      running.add(key);
      try {
        return await task();
      } finally {
        startNext(key);
      }
    },
  };
}
