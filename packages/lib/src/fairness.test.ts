import { expect, test } from 'vitest';
import { ClientGone, createFairQueue, createLoopTurns, createRoundRobin, currentNetwork, runFor } from './fairness.ts';

/** Waits for pending promises. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Requests in an event loop that the test steps through. */
function openLoop(now = () => 0) {
  const next: (() => void)[] = [];
  const { take, slowFloodsDuring } = createLoopTurns((begin) => void next.push(begin), now);
  /** Networks of the started requests. */
  const begun: string[] = [];
  return {
    ...{ take, slowFloodsDuring, begun },
    ask(network: string, times = 1) {
      for (let at = 0; at < times; at++) void take(network).then(() => begun.push(network));
    },
    async turns(count: number) {
      for (let at = 0; at < count; at++) next.shift()?.();
      await settle();
    },
  };
}

/** Work in another thread that does not end. */
const endless = () => new Promise<void>(() => {});

test('networks take turns, and each network’s items keep their order', () => {
  const waiting = createRoundRobin<string>();
  for (const item of ['a1', 'a2', 'a3']) waiting.push('a', item);
  waiting.push('b', 'b1');
  expect([waiting.shift(), waiting.shift()]).toEqual(['a1', 'b1']);
  waiting.push('c', 'c1');
  waiting.push('b', 'b2');
  expect([1, 2, 3, 4, 5].map(() => waiting.shift())).toEqual(['a2', 'c1', 'b2', 'a3', undefined]);
  expect(waiting.networks()).toBe(0);
});

test('one request starts per event loop turn, so a new visitor waits for one request of a flood', async () => {
  const { begun, ask, turns } = openLoop();
  ask('flood', 1_000);
  ask('visitor');
  await settle();
  expect(begun, 'nobody waited when the first came').toEqual(['flood']);
  await turns(2);
  expect(begun).toEqual(['flood', 'flood', 'visitor']);
});

test('a request starts at once if nothing waits', async () => {
  const { begun, ask, turns } = openLoop();
  for (let at = 1; at <= 3; at++) {
    ask('visitor');
    await settle();
    expect(begun).toHaveLength(at);
    await turns(1);
  }
});

test('while another thread works for a visitor, a flood is paused and other visitors are not', async () => {
  const { begun, ask, turns, slowFloodsDuring } = openLoop();
  let end = () => {};
  const done = slowFloodsDuring(() => new Promise<void>((resolve) => (end = resolve)), 'visitor');
  ask('flood', 20);
  await turns(30);
  expect(begun, 'whoever came when nobody waited').toEqual(['flood']);
  ask('another');
  await turns(1);
  expect(begun.slice(1)).toEqual(['another']);
  end();
  await done;
  await turns(30);
  expect(begun).toHaveLength(21);
});

test('a flood does not wait for its own work, and the requests of a browser do not wait', async () => {
  const { begun, ask, turns, slowFloodsDuring } = openLoop();
  void slowFloodsDuring(endless, 'flood');
  ask('flood', 20);
  ask('visitor', 6);
  await turns(30);
  expect(begun).toHaveLength(26);
  void slowFloodsDuring(endless, 'another');
  ask('visitor', 6);
  await turns(30);
  expect(begun).toHaveLength(32);
});

/** Works with names, which the test ends. */
function works(run: ReturnType<typeof createFairQueue>) {
  const begun: string[] = [];
  const ends = new Map<string, (isGood: boolean) => void>();
  return {
    begun,
    ask: (network: string, name: string, gone?: AbortSignal) =>
      void run(
        () => {
          begun.push(name);
          return new Promise<void>((resolve, reject) =>
            ends.set(name, (isGood) => (isGood ? resolve() : reject(new Error('broke')))),
          );
        },
        { network, gone },
      ).catch(() => {}),
    end: async (name: string, isGood = true) => {
      ends.get(name)?.(isGood);
      await settle();
    },
  };
}

test('works are limited in total and per network, so that a place is free for another network', async () => {
  const { begun, ask, end } = works(createFairQueue(2, 1));
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  ask('b', 'b1');
  ask('c', 'c1');
  ask('b', 'b2');
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  expect(begun.slice(2), 'a has one already').toEqual(['c1']);
  await end('c1');
  await end('a1');
  expect(begun.slice(3)).toEqual(['b2', 'a2']);
});

test('an aborted request leaves the queue, and one aborted before it arrives does not enter it', async () => {
  const { begun, ask, end } = works(createFairQueue(1, 1));
  const leaving = new AbortController();
  ask('a', 'a1', leaving.signal);
  ask('a', 'a2', leaving.signal);
  ask('b', 'b1');
  leaving.abort();
  ask('c', 'c1', AbortSignal.abort());
  await end('a1');
  expect(begun, 'what has begun is finished, what waited is dropped').toEqual(['a1', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'b1']);
});

test('work that waits for an aborted request fails, so that its caller can free what it holds', async () => {
  const run = createFairQueue(1, 1);
  const { resolve, promise } = Promise.withResolvers<void>();
  const first = run(() => promise, { network: 'a' });
  const leaving = new AbortController();
  const second = run(() => promise, { network: 'a', gone: leaving.signal });
  leaving.abort();
  await expect(second).rejects.toBeInstanceOf(ClientGone);
  resolve();
  await first;
});

test('work that fails frees its place', async () => {
  const { begun, ask, end } = works(createFairQueue(1, 1));
  for (const name of ['a1', 'a2']) ask('a', name);
  await end('a1', false);
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2');
  ask('b', 'b1');
  expect(begun.at(-1)).toBe('b1');
});

test('work that a request causes counts for its network', async () => {
  expect(currentNetwork()).toBe('the site');
  await runFor('192.0.2.1', async () => {
    await settle();
    expect(currentNetwork()).toBe('192.0.2.1');
  });
});

test('permanent work in other threads pauses a flood for half of the time', async () => {
  let at = 0;
  const { begun, ask, turns, slowFloodsDuring } = openLoop(() => at);
  // Each work starts the next one before it ends.
  let isOver = false;
  const again = (): Promise<void> =>
    isOver ? Promise.resolve() : slowFloodsDuring(() => settle(), 'busy').then(again);
  void again();
  void slowFloodsDuring(endless, 'busy');
  ask('office', 20);
  for (; at < 100 && begun.length < 20; at++) await turns(1);
  isOver = true;
  expect(begun).toHaveLength(20);
});

test('a cancelled request leaves the queue and no longer counts', async () => {
  const { take, turns } = openLoop();
  const begun: number[] = [];
  const leaves: (() => void)[] = [];
  for (let asked = 0; asked < 5; asked++)
    void take('flood', (leave) => leaves.push(leave)).then(() => begun.push(asked));
  for (const leave of leaves.slice(0, 3)) leave();
  for (let times = 0; times < 8; times++) await turns(1);
  expect(begun).toEqual([0, 4]);
});
