import { expect, test } from 'vitest';
import { askingNow, createFairLine, createLoopTurns, createRoundRobin, doneFor } from './fairness.ts';

/** An event loop whose turns a test begins. */
function driven() {
  const next: (() => void)[] = [];
  return { nextTurn: (begin: () => void) => void next.push(begin), turn: () => next.shift()?.() };
}

/** Lets what was promised go on. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one of each network in turn, each network’s own in the order they came', () => {
  const waiting = createRoundRobin<string>();
  for (const item of ['a1', 'a2', 'a3']) waiting.push('a', item);
  waiting.push('b', 'b1');
  expect([waiting.shift(), waiting.shift()]).toEqual(['a1', 'b1']);
  waiting.push('c', 'c1');
  waiting.push('b', 'b2');
  expect([1, 2, 3, 4, 5].map(() => waiting.shift())).toEqual(['a2', 'c1', 'b2', 'a3', undefined]);
  expect(waiting.networks()).toBe(0);
});

test('of a thousand requests one begins in each turn of the loop, and who comes last waits for one of them', async () => {
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

test('where nobody waits a request begins at once', async () => {
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

test('while another thread works for a visitor no flood begins anything, and another visitor does', async () => {
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

test('a flood does not wait for its own work, and what a browser asks for waits for none', async () => {
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

/** Works that a test ends, by name. */
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

test('so many works run at once, and of one network fewer: a place is free when another’s comes', async () => {
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

test('who is gone leaves the line, and who is gone before it came has no place in it', async () => {
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

test('a work that fails gives its place on', async () => {
  const { begun, ask, end } = works(createFairLine(1, 1));
  for (const name of ['a1', 'a2']) ask('a', name);
  await end('a1', false);
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2');
  ask('b', 'b1');
  expect(begun.at(-1)).toBe('b1');
});

test('what a request causes is done for its network', async () => {
  expect(askingNow()).toBe('the site');
  await doneFor('192.0.2.1', async () => {
    await settle();
    expect(askingNow()).toBe('192.0.2.1');
  });
});

test('works in other threads that never cease hold a flood back half of the time, not for good', async () => {
  const { nextTurn, turn } = driven();
  let at = 0;
  const { take, aside } = createLoopTurns(nextTurn, () => at);
  let begun = 0;
  // Each begins the next before it is done.
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

test('who gives up waiting leaves the line, and no longer counts', async () => {
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
