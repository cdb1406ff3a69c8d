import { expect, test } from 'vitest';
import { askingNow, createFairLine, createLoopTurns, createRoundRobin, runFor } from './fairness.ts';

/** An event loop that the test steps through. */
function driven() {
  const next: (() => void)[] = [];
  return { nextTurn: (begin: () => void) => void next.push(begin), turn: () => next.shift()?.() };
}

/** Waits for pending promises. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

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
  const { nextTurn, turn } = driven();
  const { take } = createLoopTurns(nextTurn, () => 0);
  const begun: string[] = [];
  const ask = (network: string) => void take(network).then(() => begun.push(network));
  for (let at = 0; at < 1_000; at++) ask('flood');
  ask('visitor');
  await settle();
  expect(begun, 'nobody waited when the first came').toEqual(['flood']);
  turn();
  turn();
  await settle();
  expect(begun).toEqual(['flood', 'flood', 'visitor']);
});

test('a request starts at once if nothing waits', async () => {
  const { nextTurn, turn } = driven();
  const { take } = createLoopTurns(nextTurn, () => 0);
  for (let at = 0; at < 3; at++) {
    let isBegun = false;
    void take('visitor').then(() => (isBegun = true));
    await settle();
    expect(isBegun).toBe(true);
    turn();
  }
});

test('while another thread works for a visitor, a flood is paused and other visitors are not', async () => {
  const { nextTurn, turn } = driven();
  const { take, aside } = createLoopTurns(nextTurn, () => 0);
  const begun: string[] = [];
  const ask = (network: string) => void take(network).then(() => begun.push(network));
  let end = () => {};
  const done = aside(() => new Promise<void>((resolve) => (end = resolve)), 'visitor');
  for (let at = 0; at < 20; at++) ask('flood');
  for (let at = 0; at < 30; at++) turn();
  await settle();
  expect(begun, 'whoever came when nobody waited').toEqual(['flood']);
  ask('another');
  turn();
  await settle();
  expect(begun.slice(1)).toEqual(['another']);
  end();
  await done;
  for (let at = 0; at < 30; at++) turn();
  await settle();
  expect(begun).toHaveLength(21);
});

test('a flood does not wait for its own work, and the requests of a browser do not wait', async () => {
  const { nextTurn, turn } = driven();
  const { take, aside } = createLoopTurns(nextTurn, () => 0);
  let begun = 0;
  const ask = (network: string) => void take(network).then(() => (begun += 1));
  void aside(() => new Promise<void>(() => {}), 'flood');
  for (let at = 0; at < 20; at++) ask('flood');
  for (let at = 0; at < 6; at++) ask('visitor');
  for (let at = 0; at < 30; at++) turn();
  await settle();
  expect(begun).toBe(26);
  void aside(() => new Promise<void>(() => {}), 'another');
  for (let at = 0; at < 6; at++) ask('visitor');
  for (let at = 0; at < 30; at++) turn();
  await settle();
  expect(begun).toBe(32);
});

/** Works with names, which the test ends. */
function works(run: ReturnType<typeof createFairLine>) {
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
  const { begun, ask, end } = works(createFairLine(2, 1));
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
  const { begun, ask, end } = works(createFairLine(1, 1));
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

test('work that fails frees its place', async () => {
  const { begun, ask, end } = works(createFairLine(1, 1));
  for (const name of ['a1', 'a2']) ask('a', name);
  await end('a1', false);
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2');
  ask('b', 'b1');
  expect(begun.at(-1)).toBe('b1');
});

test('work that a request causes counts for its network', async () => {
  expect(askingNow()).toBe('the site');
  await runFor('192.0.2.1', async () => {
    await settle();
    expect(askingNow()).toBe('192.0.2.1');
  });
});

test('permanent work in other threads pauses a flood for half of the time', async () => {
  const { nextTurn, turn } = driven();
  let at = 0;
  const { take, aside } = createLoopTurns(nextTurn, () => at);
  let begun = 0;
  // Each work starts the next one before it ends.
  let isOver = false;
  const again = (): Promise<void> => (isOver ? Promise.resolve() : aside(() => settle(), 'busy').then(again));
  void again();
  void aside(() => new Promise<void>(() => {}), 'busy');
  for (let asked = 0; asked < 20; asked++) void take('office').then(() => (begun += 1));
  for (; at < 100 && begun < 20; at++) {
    turn();
    await settle();
  }
  isOver = true;
  expect(begun).toBe(20);
});

test('a cancelled request leaves the queue and no longer counts', async () => {
  const { nextTurn, turn } = driven();
  const { take } = createLoopTurns(nextTurn, () => 0);
  const begun: number[] = [];
  const leaves: (() => void)[] = [];
  for (let asked = 0; asked < 5; asked++)
    void take('flood', (leave) => leaves.push(leave)).then(() => begun.push(asked));
  for (const leave of leaves.slice(0, 3)) leave();
  for (let times = 0; times < 8; times++) {
    turn();
    await settle();
  }
  expect(begun).toEqual([0, 4]);
});
