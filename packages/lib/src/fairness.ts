import { AsyncLocalStorage } from 'node:async_hooks';

/** Whom what is done now is done for: the network that asked. */
const asking = new AsyncLocalStorage<{ network: string; since: number }>();

/** What the site does of itself, in the same lines as everybody's. */
export const SITE = 'the site';

/**
 * Everything that `work` does, and causes, counts as done for `network`.
 * @param since When it was asked for, in milliseconds of `performance.now()`.
 */
export const doneFor = <T>(network: string, work: () => T, since = performance.now()): T =>
  asking.run({ network, since }, work);

/** @returns The network that what runs now is done for. */
export const askingNow = (): string => asking.getStore()?.network ?? SITE;

/** @returns When what runs now was asked for, in milliseconds of `performance.now()`: waiting in a line counts. */
export const askedAt = (): number => asking.getStore()?.since ?? performance.now();

/** Waiting works of each network, one of each in turn: who has a thousand waits for his own. */
export interface RoundRobin<T> {
  /** @returns Takes it out of the line again. */
  push: (network: string, item: T) => () => void;
  /**
   * @param isAllowed Told how many a network has waiting; those it says no to keep their place in the round.
   * @returns The first of the network whose turn it is; `undefined` where nothing waits.
   */
  shift: (isAllowed?: (network: string, count: number) => boolean) => T | undefined;
  /** Networks that have something waiting. */
  networks: () => number;
}

export function createRoundRobin<T>(): RoundRobin<T> {
  /** The network whose turn is next comes first. */
  const queues = new Map<string, Set<T>>();
  return {
    push(network, item) {
      const queue = queues.get(network) ?? new Set<T>();
      queues.set(network, queue.add(item));
      return () => {
        if (queue.delete(item) && queue.size === 0 && queues.get(network) === queue) queues.delete(network);
      };
    },
    shift(isAllowed = () => true) {
      for (const [network, queue] of queues) {
        if (!isAllowed(network, queue.size)) continue;
        queues.delete(network);
        for (const item of queue) {
          queue.delete(item);
          if (queue.size > 0) queues.set(network, queue);
          return item;
        }
      }
      return undefined;
    },
    networks: () => queues.size,
  };
}

export interface LoopTurns {
  /**
   * @param onWaiting Given what takes the waiting work out of the line: the promise then never settles.
   * @returns Resolves when a work of the network may begin; at once where nobody waits.
   */
  take: (network?: string, onWaiting?: (leave: () => void) => void) => Promise<void>;
  /** Runs what goes on in another thread. Meanwhile floods of other networks begin little. */
  aside: <T>(work: () => Promise<T>, network?: string) => Promise<T>;
}

/** Requests that wait of one network, as no browser has them: it opens six connections. More are a flood. */
const MOST_OF_A_BROWSER = 8;

/**
 * A flood is held back so long at a stretch, in milliseconds, and then goes on as long: threads that always work for
 * somebody must not stop it for good. Many visitors behind one address may look like a flood.
 */
const HOLD_MS = 10;

/**
 * Lets one work begin in each turn of the event loop, of each network in turn. What has come in the meantime is read
 * between two of them, so that a newcomer waits for one work of a flood and not for all that came before her.
 * @param nextTurn Calls back in the next turn of the event loop.
 * @param now Milliseconds that never jump.
 */
export function createLoopTurns(
  nextTurn: (begin: () => void) => void = setImmediate,
  now: () => number = () => performance.now(),
): LoopTurns {
  const waiting = createRoundRobin<() => void>();
  /** Works in other threads, by network. */
  const asides = new Map<string, number>();
  let isTaken = false;
  /** Only floods wait, and they wait for another thread. */
  let isHeld = false;

  let holdsFrom = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  /** Half of the time. */
  function isHolding(): boolean {
    if (now() - holdsFrom >= 2 * HOLD_MS) holdsFrom = now();
    return now() - holdsFrom < HOLD_MS;
  }

  const mayBegin = (network: string, count: number) =>
    count <= MOST_OF_A_BROWSER || asides.size === 0 || (asides.size === 1 && asides.has(network)) || !isHolding();

  function pass(): void {
    const begin = waiting.shift(mayBegin);
    isHeld = begin === undefined && waiting.networks() > 0;
    isTaken = begin !== undefined || isHeld;
    if (isHeld && timer === undefined) timer = setTimeout(endHold, HOLD_MS);
    if (!begin) return;
    nextTurn(pass);
    begin();
  }

  function endHold(): void {
    timer = undefined;
    goOn();
  }

  function goOn(): void {
    if (!isHeld) return;
    isHeld = false;
    nextTurn(pass);
  }

  return {
    take(network = askingNow(), onWaiting = () => {}) {
      if (isTaken)
        return new Promise((resolve) => {
          onWaiting(waiting.push(network, resolve));
          goOn();
        });
      isTaken = true;
      nextTurn(pass);
      return Promise.resolve();
    },
    async aside(work, network = askingNow()) {
      asides.set(network, (asides.get(network) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (asides.get(network) ?? 1) - 1;
        if (left > 0) asides.set(network, left);
        else asides.delete(network);
        goOn();
      }
    },
  };
}

interface Asker {
  network?: string;
  /** Aborted when nobody wants the work any more. One that waits leaves the line then, and its promise never settles. */
  gone?: AbortSignal | undefined;
}

/**
 * Runs so many works at once, of each network in turn.
 * @param atOnce Works at once; the rest wait.
 * @param ofOne Of one network, so that a place is free when another's comes.
 */
export function createFairLine(atOnce: number, ofOne: number) {
  const waiting = createRoundRobin<() => void>();
  const running = new Map<string, number>();
  let places = atOnce;

  const runningOf = (network: string) => running.get(network) ?? 0;
  const mayBegin = (network: string) => places > 0 && runningOf(network) < ofOne;

  /** The place is taken here, for whoever waited: nobody who comes in between can take it too. */
  function take(network: string): void {
    places -= 1;
    running.set(network, runningOf(network) + 1);
  }

  function leave(network: string): void {
    places += 1;
    const left = runningOf(network) - 1;
    if (left > 0) running.set(network, left);
    else running.delete(network);
    waiting.shift(mayBegin)?.();
  }

  /** @returns Resolves in its turn; never where whoever asked has gone before it. */
  function turn(network: string, gone: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      if (gone?.aborted) return;
      const leave = waiting.push(network, () => {
        gone?.removeEventListener('abort', leave);
        take(network);
        resolve();
      });
      gone?.addEventListener('abort', leave, { once: true });
    });
  }

  return async <T>(work: () => Promise<T>, { network = askingNow(), gone }: Asker = {}): Promise<T> => {
    if (mayBegin(network)) take(network);
    else await turn(network, gone);
    try {
      return await work();
    } finally {
      leave(network);
    }
  };
}

/** The event loop of this process, which all share. */
export const loopTurns = createLoopTurns();
