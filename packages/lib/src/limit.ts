/** How much work of one rank may run and wait. */
export interface Rank {
  /** Of all that run at once, this many at most: less urgent work cannot take every place. */
  concurrency: number;
  /** How many may wait; one more is refused. */
  queueSize: number;
}

/** Runs a bounded number of works at once. The others wait: the most urgent rank goes first, then who came first. */
export interface Limit {
  /**
   * @param signal Aborted while the work waits, it leaves the queue at once.
   * @param rank How urgent the work is: an index into the ranks, 0 before all others.
   * @returns What the work returns.
   * @throws The signal's reason, or `QueueFull` where too many of its rank wait already.
   */
  run: <T>(work: () => Promise<T>, signal?: AbortSignal, rank?: number) => Promise<T>;
}

/** Too many wait already: one more would be served too late. */
export class QueueFull extends Error {
  constructor() {
    super('too many wait already');
    this.name = 'QueueFull';
  }
}

const UNBOUNDED: Rank = { concurrency: Number.POSITIVE_INFINITY, queueSize: Number.POSITIVE_INFINITY };

/**
 * p-limit and p-queue have no limit per rank and no bound for the queue (decision 037).
 * @param concurrency How many works run at once, of all ranks together.
 * @param ranks The most urgent first. Without them all works are alike and any number may wait.
 */
export function createLimit(concurrency: number, ranks: readonly Rank[] = [UNBOUNDED]): Limit {
  const lines = ranks.map((rank) => ({ ...rank, running: 0, queue: new Set<() => void>() }));
  let running = 0;

  const lineOf = (rank: number) => {
    const line = lines[rank];
    if (!line) throw new RangeError(`there is no rank ${rank}`);
    return line;
  };

  /** A free place goes straight to the next in the queue: whoever comes in between cannot take it too. */
  function startWaiting(): void {
    for (const line of lines)
      for (const start of line.queue) {
        if (running >= concurrency || line.running >= line.concurrency) break;
        line.queue.delete(start);
        running += 1;
        line.running += 1;
        start();
      }
  }

  /** Settles when the work may start; rejects where it was given up or the queue is full. */
  function wait(rank: number, signal?: AbortSignal): Promise<void> {
    const { queue, queueSize } = lineOf(rank);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (queue.size >= queueSize) return reject(new QueueFull());
      const start = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        queue.delete(start);
        reject(signal?.reason);
      };
      queue.add(start);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    async run(work, signal, rank = 0) {
      const line = lineOf(rank);
      if (running < concurrency && line.running < line.concurrency) {
        running += 1;
        line.running += 1;
      } else await wait(rank, signal);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        running -= 1;
        line.running -= 1;
        startWaiting();
      }
    },
  };
}
