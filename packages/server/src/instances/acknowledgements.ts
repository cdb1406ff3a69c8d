import { LRUCache } from 'lru-cache';

/** Number of changes whose acknowledgements are stored. Each is awaited for a few seconds only. */
const CHANGES_KEPT = 200;

interface Noted {
  live: Set<string>;
  answered: Set<string>;
  onAnswer: () => void;
}

/** The other servers' acknowledgements of changes that this server announced. */
export function createAcknowledgements() {
  const changes = new LRUCache<string, Noted>({ max: CHANGES_KEPT });
  /** Servers that missed the last deadline. They are not waited for until they answer again. */
  const unanswering = new Set<string>();

  function notedOf(change: string): Noted {
    const known = changes.get(change);
    if (known) return known;
    const noted: Noted = { live: new Set(), answered: new Set(), onAnswer: () => {} };
    changes.set(change, noted);
    return noted;
  }

  return {
    /** Must be called before the others are notified of a change: acknowledgments of any other change are ignored. */
    expect: (change: string) => void notedOf(change),
    /** @param isLive Whether that server has read the change from WordPress. Only its first answer counts. */
    note(change: string, server: string, isLive: boolean): void {
      const noted = changes.get(change);
      if (!noted || noted.answered.has(server)) return;
      unanswering.delete(server);
      noted.answered.add(server);
      if (isLive) noted.live.add(server);
      noted.onAnswer();
    },
    /**
     * Waits up to `ms` milliseconds until all `servers` have answered.
     * @returns The servers that show the change.
     */
    async of(change: string, servers: string[], ms: number): Promise<ReadonlySet<string>> {
      const noted = notedOf(change);
      const missing = () => servers.filter((server) => !noted.answered.has(server));
      if (missing().some((server) => !unanswering.has(server)))
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          noted.onAnswer = () => {
            if (missing().some((server) => !unanswering.has(server))) return;
            clearTimeout(timer);
            resolve();
          };
        });
      for (const server of missing()) unanswering.add(server);
      // Bounds the memory.
      if (unanswering.size > CHANGES_KEPT) unanswering.clear();
      return noted.live;
    },
  };
}

export type Acknowledgements = ReturnType<typeof createAcknowledgements>;
