import { LRUCache } from 'lru-cache';

/** Number of changes whose acknowledgements are stored. Each is awaited for a few seconds only. */
const MAX_CHANGES = 200;
/** Maximum number of unresponsive servers in memory: ids of servers that ended are never removed one by one. */
const MAX_UNRESPONSIVE = 200;

interface Acknowledgement {
  /** Ids of the servers that show the change. */
  live: Set<string>;
  /** Ids of the servers that have answered. */
  answered: Set<string>;
  /** Called after each first answer of a server. */
  onAnswer: () => void;
}

/** The other servers' acknowledgements of changes that this server announced. */
export function createAcknowledgements() {
  const changes = new LRUCache<string, Acknowledgement>({ max: MAX_CHANGES });
  /** Servers that missed the last deadline. They are not waited for until they answer again. */
  const unresponsive = new Set<string>();

  function recordFor(change: string): Acknowledgement {
    const existing = changes.get(change);
    if (existing) return existing;
    const record: Acknowledgement = { live: new Set(), answered: new Set(), onAnswer: () => {} };
    changes.set(change, record);
    return record;
  }

  return {
    /** Must be called before the others are notified of a change: acknowledgments of any other change are ignored. */
    expect: (change: string) => void recordFor(change),
    /** @param isLive Whether that server has read the change from WordPress. Only its first answer counts. */
    record(change: string, server: string, isLive: boolean): void {
      const record = changes.get(change);
      if (!record || record.answered.has(server)) return;
      unresponsive.delete(server);
      record.answered.add(server);
      if (isLive) record.live.add(server);
      record.onAnswer();
    },
    /**
     * Waits up to `ms` milliseconds until all `servers` have answered.
     * @returns The servers that show the change.
     */
    async waitFor(change: string, servers: string[], ms: number): Promise<ReadonlySet<string>> {
      const record = recordFor(change);
      const missing = () => servers.filter((server) => !record.answered.has(server));
      const mustWait = () => missing().some((server) => !unresponsive.has(server));
      if (mustWait())
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          record.onAnswer = () => {
            if (mustWait()) return;
            clearTimeout(timer);
            resolve();
          };
        });
      for (const server of missing()) unresponsive.add(server);
      if (unresponsive.size > MAX_UNRESPONSIVE) unresponsive.clear();
      return record.live;
    },
  };
}

export type Acknowledgements = ReturnType<typeof createAcknowledgements>;
