import { LRUCache } from 'lru-cache';

/** Changes whose acknowledgements are remembered. Each is waited for within seconds. */
const CHANGES_KEPT = 200;

interface Noted {
  live: Set<string>;
  answered: Set<string>;
  onAnswer: () => void;
}

/** What the other servers say of the changes that this one told. */
export function createAcknowledgements() {
  const changes = new LRUCache<string, Noted>({ max: CHANGES_KEPT });
  /** Servers that did not answer the last time. They are not waited for until they do: a second editor has waited before. */
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
    /** @param isLive Whether WordPress has answered that server. Only a server's first answer counts. */
    note(change: string, server: string, isLive: boolean): void {
      const noted = changes.get(change);
      if (!noted || noted.answered.has(server)) return;
      unanswering.delete(server);
      noted.answered.add(server);
      if (isLive) noted.live.add(server);
      noted.onAnswer();
    },
    /**
     * Waits until all of `servers` have answered, at most `ms` milliseconds.
     * @returns Those that show the change.
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
      // Nobody forgets more of them than the tables do.
      if (unanswering.size > CHANGES_KEPT) unanswering.clear();
      return noted.live;
    },
  };
}
