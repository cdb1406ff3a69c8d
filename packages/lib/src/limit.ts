/** Limits for the work of one rank. */
export interface Rank {
  /** Maximum number of works of this rank that run at once: less urgent work cannot take every place. */
  concurrency: number;
  /** Maximum number of waiting works. Further works are refused. */
  queueSize: number;
}

/** The queue is full: another work would start too late. */
export class QueueFull extends Error {
  constructor() {
    super('the queue is full');
    this.name = 'QueueFull';
  }
}

/** The works of one rank: how many run, and the functions that start those that wait, in order of arrival. */
interface Queue extends Rank {
  running: number;
  waiting: Set<() => void>;
}

const UNBOUNDED: Rank = { concurrency: Number.POSITIVE_INFINITY, queueSize: Number.POSITIVE_INFINITY };

export type Limit = ReturnType<typeof createLimit>;

/**
 * Runs a limited number of works at once. The others wait, ordered by rank and then by arrival. p-limit and p-queue have
 * no limit per rank and no bound for the queue (decision 037).
 * @param concurrency Maximum number of works at once, over all ranks.
 * @param ranks The most urgent first. Default: one rank without limits.
 */
export function createLimit(concurrency: number, ranks: readonly Rank[] = [UNBOUNDED]) {
  const queues = ranks.map((rank): Queue => ({ ...rank, running: 0, waiting: new Set() }));
  let running = 0;

  /** Gives a free place to the next in the queue at once, so that a new call cannot take it first. */
  function startNext(): void {
    for (const queue of queues)
      for (const start of queue.waiting) {
        if (running >= concurrency || queue.running >= queue.concurrency) break;
        queue.waiting.delete(start);
        running += 1;
        queue.running += 1;
        start();
      }
  }

  /** Resolves when the work may start; rejects if the signal aborts or the queue is full. */
  function waitForTurn({ waiting, queueSize }: Queue, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (waiting.size >= queueSize) return reject(new QueueFull());
      const start = () => {
        signal?.removeEventListener('abort', leaveQueue);
        resolve();
      };
      const leaveQueue = () => {
        waiting.delete(start);
        reject(signal?.reason);
      };
      waiting.add(start);
      signal?.addEventListener('abort', leaveQueue, { once: true });
    });
  }

  return {
    /**
     * @param signal If it aborts, waiting work leaves the queue at once.
     * @param rank Index into the ranks; 0 is the most urgent.
     * @returns The work's result.
     * @throws The signal's reason, or `QueueFull` if the queue of the rank is full.
     */
    async run<T>(work: () => Promise<T>, signal?: AbortSignal, rank = 0): Promise<T> {
      const queue = queues[rank];
      if (!queue) throw new RangeError(`unknown rank ${rank}`);
      if (running < concurrency && queue.running < queue.concurrency) {
        running += 1;
        queue.running += 1;
      } else await waitForTurn(queue, signal);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        running -= 1;
        queue.running -= 1;
        startNext();
      }
    },
  };
}
