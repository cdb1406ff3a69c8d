/** Longest wait for the store, in milliseconds. Whoever is told no may have been kept: the same id finds out. */
const ANSWER_WITHIN_MS = 10_000;

interface Waiting<Item, Outcome> {
  item: Item;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  deadline: NodeJS.Timeout;
}

export interface GatherOptions<Item, Outcome> {
  /** Handles several as one. @returns An outcome for each, in their order. */
  work: (items: Item[]) => Promise<Outcome[]>;
  /** Handled as one at most, so that nobody waits long for a crowd. */
  largest: number;
  /** So many are under way at once; what comes meanwhile goes together. */
  lanes: number;
}

/** Who comes alone is served at once; those who come while others are served share what is costly. */
export function gather<Item, Outcome>({ work, largest, lanes }: GatherOptions<Item, Outcome>) {
  let waiting: Waiting<Item, Outcome>[] = [];
  let underWay = 0;
  let isScheduled = false;

  async function serve(batch: Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    for (const { deadline } of batch) clearTimeout(deadline);
  }

  function next(): void {
    isScheduled = false;
    while (underWay < lanes && waiting.length > 0) {
      const batch = waiting.splice(0, largest);
      underWay += 1;
      void serve(batch).then(() => {
        underWay -= 1;
        schedule();
      });
    }
  }

  /** After what else is ready in this turn: those whose answers came together come again together. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(next);
  }

  return (item: Item): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const one: Waiting<Item, Outcome> = {
        item,
        resolve,
        reject,
        deadline: setTimeout(() => {
          // Not begun yet, it need not be.
          waiting = waiting.filter((other) => other !== one);
          reject(new Error('the store did not answer in time'));
        }, ANSWER_WITHIN_MS),
      };
      waiting.push(one);
      schedule();
    });
}
