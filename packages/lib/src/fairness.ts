import { AsyncLocalStorage } from 'node:async_hooks';

/** The network that the current work is done for. */
const currentRequest = new AsyncLocalStorage<{ network: string; since: number }>();

/** Name of the site's own work. It waits in the same queues as the work of networks. */
export const SITE_NETWORK = 'the site';

/**
 * Runs `work`, and attributes it and everything that it causes to `network`.
 * @param since Time of the request, in milliseconds of `performance.now()`.
 */
export const runFor = <T>(network: string, work: () => T, since = performance.now()): T =>
  currentRequest.run({ network, since }, work);

/** @returns The network that the current work is done for. */
export const currentNetwork = (): string => currentRequest.getStore()?.network ?? SITE_NETWORK;

/** @returns Time of the current work's request, in milliseconds of `performance.now()`, from before it was queued. */
export const requestedAt = (): number => currentRequest.getStore()?.since ?? performance.now();

/** A queue for each network, served in turn: a network with a thousand items delays only itself. */
export interface RoundRobin<T> {
  /** @returns A function that removes the item from the queue. */
  push: (network: string, item: T) => () => void;
  /**
   * @param isAllowed Gets a network and the number of its items. Networks that it rejects keep their turn.
   * @returns The first item of the network whose turn it is; `undefined` if no item is allowed.
   */
  shift: (isAllowed?: (network: string, count: number) => boolean) => T | undefined;
  /** Number of networks with waiting items. */
  networks: () => number;
}

export function createRoundRobin<T>(): RoundRobin<T> {
  /** In the order of the networks' turns. No queue is empty. */
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
        const item = queue.values().next().value as T;
        queue.delete(item);
        // The network's next turn comes after that of all others.
        queues.delete(network);
        if (queue.size > 0) queues.set(network, queue);
        return item;
      }
      return undefined;
    },
    networks: () => queues.size,
  };
}

export type LoopTurns = ReturnType<typeof createLoopTurns>;

/** More waiting requests of one network than this count as a flood. A browser opens six connections. */
const MAX_BROWSER_REQUESTS = 8;

/**
 * A flood is paused for this time and then runs for the same time, in milliseconds. Without the limit, threads that are
 * always busy would stop it completely, and many visitors behind one address may look like a flood.
 */
const PAUSE_MS = 10;

/**
 * Starts one work per turn of the event loop, for each network in turn. The process reads new requests between two
 * works, so that a new visitor waits for one work of a flood, not for all of it.
 * @param nextTurn Calls back in the next turn of the event loop.
 * @param now Milliseconds of a monotonic clock.
 */
export function createLoopTurns(
  nextTurn: (start: () => void) => void = setImmediate,
  now: () => number = () => performance.now(),
) {
  const waiting = createRoundRobin<() => void>();
  /** Number of works in other threads, by network. */
  const threadWorks = new Map<string, number>();
  /** New work must wait, because work has started in this turn, or because floods are paused. */
  let isTaken = false;
  /** Only works of floods wait, and they are paused for work in another thread. */
  let isPaused = false;

  /** Start of the current pause and the time of the same length after it, see `PAUSE_MS`. */
  let cycleStart = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  /** Whether floods are paused now: `PAUSE_MS` of every `2 * PAUSE_MS`. */
  function isInPause(): boolean {
    if (now() - cycleStart >= 2 * PAUSE_MS) cycleStart = now();
    return now() - cycleStart < PAUSE_MS;
  }

  /** Only a flood may have to wait: in a pause, and while work of another network runs in another thread. */
  const mayStart = (network: string, waitingCount: number) =>
    waitingCount <= MAX_BROWSER_REQUESTS ||
    threadWorks.size === 0 ||
    (threadWorks.size === 1 && threadWorks.has(network)) ||
    !isInPause();

  function startNext(): void {
    const start = waiting.shift(mayStart);
    isPaused = start === undefined && waiting.networks() > 0;
    isTaken = start !== undefined || isPaused;
    if (isPaused && timer === undefined) timer = setTimeout(endPause, PAUSE_MS);
    if (!start) return;
    nextTurn(startNext);
    start();
  }

  function endPause(): void {
    timer = undefined;
    resume();
  }

  /** Checks again after new work arrived, work in another thread ended, or the pause is over. */
  function resume(): void {
    if (!isPaused) return;
    isPaused = false;
    nextTurn(startNext);
  }

  return {
    /**
     * @param onWaiting Gets a function that removes the waiting work; the promise then never settles.
     * @returns Resolves when work of the network may start; at once if nothing waits.
     */
    take(network = currentNetwork(), onWaiting: (leave: () => void) => void = () => {}): Promise<void> {
      if (isTaken)
        return new Promise<void>((resolve) => {
          onWaiting(waiting.push(network, resolve));
          resume();
        });
      isTaken = true;
      nextTurn(startNext);
      return Promise.resolve();
    },
    /** Runs work that uses another thread. Meanwhile, floods of other networks run half of the time. */
    async slowFloodsDuring<T>(work: () => Promise<T>, network = currentNetwork()): Promise<T> {
      threadWorks.set(network, (threadWorks.get(network) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const remaining = (threadWorks.get(network) ?? 1) - 1;
        if (remaining > 0) threadWorks.set(network, remaining);
        else threadWorks.delete(network);
        resume();
      }
    },
  };
}

/** The client disconnected while its work waited, so no one needs the result. */
export class ClientGone extends Error {}

interface QueueOptions {
  network?: string;
  /** Aborts when the client is gone. Waiting work then leaves the queue and rejects with `ClientGone`. */
  gone?: AbortSignal | undefined;
}

/**
 * Runs a limited number of works at once, for each network in turn.
 * @param concurrency Maximum number of works at once.
 * @param perNetwork Maximum per network, so that places stay free for other networks.
 */
export function createFairQueue(concurrency: number, perNetwork: number) {
  const waiting = createRoundRobin<() => void>();
  const running = new Map<string, number>();
  let freePlaces = concurrency;

  const runningOf = (network: string) => running.get(network) ?? 0;
  const mayStart = (network: string) => freePlaces > 0 && runningOf(network) < perNetwork;

  /** Reserves the place at once, so that a new request cannot take it before the waiting work starts. */
  function takePlace(network: string): void {
    freePlaces -= 1;
    running.set(network, runningOf(network) + 1);
  }

  function releasePlace(network: string): void {
    freePlaces += 1;
    const remaining = runningOf(network) - 1;
    if (remaining > 0) running.set(network, remaining);
    else running.delete(network);
    waiting.shift(mayStart)?.();
  }

  /** @returns Resolves when it is the network's turn. @throws {ClientGone} If the client is gone before that. */
  function waitForTurn(network: string, gone: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (gone?.aborted) return reject(new ClientGone());
      const leaveQueue = waiting.push(network, () => {
        gone?.removeEventListener('abort', rejectGone);
        takePlace(network);
        resolve();
      });
      const rejectGone = () => {
        leaveQueue();
        reject(new ClientGone());
      };
      gone?.addEventListener('abort', rejectGone, { once: true });
    });
  }

  return async <T>(work: () => Promise<T>, { network = currentNetwork(), gone }: QueueOptions = {}): Promise<T> => {
    if (mayStart(network)) takePlace(network);
    else await waitForTurn(network, gone);
    try {
      return await work();
    } finally {
      releasePlace(network);
    }
  };
}

/** The turns of this process's event loop. */
export const loopTurns = createLoopTurns();
