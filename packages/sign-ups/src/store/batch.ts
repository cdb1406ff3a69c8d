/** Maximum wait for a batch, in milliseconds. Its work may still succeed after the timeout: a later call finds out. */
const TIMEOUT_MS = 10_000;

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  timeout: NodeJS.Timeout;
}

export interface BatchOptions<Item, Outcome> {
  /** Handles several items together. @returns One outcome per item, in the same order. */
  work: (items: Item[]) => Promise<Outcome[]>;
  /** Maximum number of items in a batch, so that no call waits long. */
  maxItems: number;
  /** Maximum number of batches that run at once. Later items go into the next batch. */
  concurrency: number;
}

/**
 * Groups calls into batches: a single call runs at once, calls that arrive while a batch runs share the next one.
 * @returns A function that takes one item. It rejects with the error of `work`, or after `TIMEOUT_MS`.
 */
export function batched<Item, Outcome>({ work, maxItems, concurrency }: BatchOptions<Item, Outcome>) {
  let waiting: Waiting<Item, Outcome>[] = [];
  let running = 0;
  let isScheduled = false;

  async function runBatch(batch: Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    for (const { timeout } of batch) clearTimeout(timeout);
  }

  function startBatches(): void {
    isScheduled = false;
    while (running < concurrency && waiting.length > 0) {
      const batch = waiting.splice(0, maxItems);
      running += 1;
      void runBatch(batch).then(() => {
        running -= 1;
        scheduleStart();
      });
    }
  }

  /** Starts batches at the end of this event loop turn: calls that were answered together often come back together. */
  function scheduleStart(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startBatches);
  }

  return (item: Item): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const call: Waiting<Item, Outcome> = {
        item,
        resolve,
        reject,
        timeout: setTimeout(() => {
          // An item that has not started leaves the queue.
          waiting = waiting.filter((other) => other !== call);
          reject(new Error('the store did not answer in time'));
        }, TIMEOUT_MS),
      };
      waiting.push(call);
      scheduleStart();
    });
}

/** Maximum rows that one statement erases: it must end before its timeout, and sign-ups of visitors wait for it. */
export const ERASE_BATCH_SIZE = 2_000;

/**
 * Repeats a change of up to `ERASE_BATCH_SIZE` rows until one changes fewer, or the store closes.
 * @returns A function that returns the sum.
 */
export const inBatches =
  <Given extends unknown[]>(change: (...given: Given) => Promise<number>, isClosing: () => boolean) =>
  async (...given: Given): Promise<number> => {
    for (let sum = 0; ; ) {
      const changed = await change(...given);
      sum += changed;
      if (changed < ERASE_BATCH_SIZE || isClosing()) return sum;
    }
  };
