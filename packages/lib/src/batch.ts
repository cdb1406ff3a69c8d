/** Longest wait for a batch, in milliseconds. Its work may still succeed later: whoever asks again learns that. */
const TIMEOUT_MS = 10_000;

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  timeout: NodeJS.Timeout;
}

export interface BatchOptions<Item, Outcome> {
  /** Handles several items as one. @returns An outcome for each, in their order. */
  work: (items: Item[]) => Promise<Outcome[]>;
  /** Most items in one batch, so that nobody waits long for a crowd. */
  maxItems: number;
  /** Batches that run at once. What comes meanwhile goes into the next one. */
  concurrency: number;
}

/**
 * Groups calls: one alone is served at once, those that come while others are served share one batch.
 * @returns Takes one item. Rejects with what the work throws, or after `TIMEOUT_MS`.
 */
export function batched<Item, Outcome>({ work, maxItems, concurrency }: BatchOptions<Item, Outcome>) {
  let waiting: Waiting<Item, Outcome>[] = [];
  let running = 0;
  let isScheduled = false;

  async function run(batch: Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    for (const { timeout } of batch) clearTimeout(timeout);
  }

  function start(): void {
    isScheduled = false;
    while (running < concurrency && waiting.length > 0) {
      const batch = waiting.splice(0, maxItems);
      running += 1;
      void run(batch).then(() => {
        running -= 1;
        schedule();
      });
    }
  }

  /** Starts after all that is ready in this turn of the event loop: what was served together often comes back together. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(start);
  }

  return (item: Item): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const one: Waiting<Item, Outcome> = {
        item,
        resolve,
        reject,
        timeout: setTimeout(() => {
          // One that has not begun is taken out of the queue.
          waiting = waiting.filter((other) => other !== one);
          reject(new Error('the store did not answer in time'));
        }, TIMEOUT_MS),
      };
      waiting.push(one);
      schedule();
    });
}
