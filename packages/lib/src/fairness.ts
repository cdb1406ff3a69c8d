import { AsyncLocalStorage } from 'node:async_hooks';

/** The network that the current work is done for. */
const asking = new AsyncLocalStorage<{ network: string; since: number }>();

/** Name of the site's own work. It waits in the same queues as the work of networks. */
export const SITE = 'the site';

/**
 * Runs `work`, and attributes it and everything that it causes to `network`.
 * @param since Time of the request, in milliseconds of `performance.now()`.
 */
export const runFor = <T>(network: string, work: () => T, since = performance.now()): T =>
  asking.run({ network, since }, work);

/** @returns The network that the current work is done for. */
export const askingNow = (): string => asking.getStore()?.network ?? SITE;

/** @returns Time of the current work's request, in milliseconds of `performance.now()`, from before it was queued. */
export const askedAt = (): number => asking.getStore()?.since ?? performance.now();

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
  /** In the order of the networks' turns. */
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

export type LoopTurns = ReturnType<typeof createLoopTurns>;

/** More waiting requests of one network than this count as a flood. A browser opens six connections. */
const MOST_OF_A_BROWSER = 8;

/**
 * A flood is paused for this time and then runs for the same time, in milliseconds. Without the limit, threads that are
 * always busy would stop it completely, and many visitors behind one address may look like a flood.
 */
const HOLD_MS = 10;

/**
 * Starts one work per turn of the event loop, for each network in turn. The process reads new requests between two
 * works, so that a new visitor waits for one work of a flood, not for all of it.
 * @param nextTurn Calls back in the next turn of the event loop.
 * @param now Milliseconds of a monotonic clock.
 */
export function createLoopTurns(
  nextTurn: (begin: () => void) => void = setImmediate,
  now: () => number = () => performance.now(),
) {
  const waiting = createRoundRobin<() => void>();
  /** Number of works in other threads, by network. */
  const asides = new Map<string, number>();
  let isTaken = false;
  /** Only floods wait, and they are paused for work in another thread. */
  let isHeld = false;

  let holdsFrom = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  /** Whether floods are paused now: `HOLD_MS` of every `2 * HOLD_MS`. */
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
    /**
     * @param onWaiting Gets a function that removes the waiting work; the promise then never settles.
     * @returns Resolves when work of the network may start; at once if nothing waits.
     */
    take(network = askingNow(), onWaiting: (leave: () => void) => void = () => {}): Promise<void> {
      if (isTaken)
        return new Promise<void>((resolve) => {
          onWaiting(waiting.push(network, resolve));
          goOn();
        });
      isTaken = true;
      nextTurn(pass);
      return Promise.resolve();
    },
    /** Runs work that uses another thread. Meanwhile, floods of other networks are slowed down. */
    async aside<T>(work: () => Promise<T>, network = askingNow()): Promise<T> {
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

/** The client disconnected while its work waited, so no one needs the result. */
export class ClientGone extends Error {}

interface Asker {
  network?: string;
  /** Aborts when the client is gone. Waiting work then leaves the queue and rejects with `ClientGone`. */
  gone?: AbortSignal | undefined;
}

/**
 * Runs a limited number of works at once, for each network in turn.
 * @param atOnce Maximum number of works at once.
 * @param ofOne Maximum per network, so that places stay free for other networks.
 */
export function createFairLine(atOnce: number, ofOne: number) {
  const waiting = createRoundRobin<() => void>();
  const running = new Map<string, number>();
  let places = atOnce;

  const runningOf = (network: string) => running.get(network) ?? 0;
  const mayBegin = (network: string) => places > 0 && runningOf(network) < ofOne;

  /** Reserves the place at once, so that a new request cannot take it before the waiting work starts. */
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

  /** @returns Resolves when it is the network's turn. @throws {ClientGone} If the client is gone before that. */
  function turn(network: string, gone: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (gone?.aborted) return reject(new ClientGone());
      const leaveQueue = waiting.push(network, () => {
        gone?.removeEventListener('abort', giveUp);
        take(network);
        resolve();
      });
      const giveUp = () => {
        leaveQueue();
        reject(new ClientGone());
      };
      gone?.addEventListener('abort', giveUp, { once: true });
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

/** The turns of this process's event loop. */
export const loopTurns = createLoopTurns();
