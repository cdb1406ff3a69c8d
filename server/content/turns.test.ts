import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Works that run until they are let go, in the order they began. */
function createWorks() {
  const running: (() => void)[] = [];
  return { running, work: () => new Promise<void>((resolve) => running.push(resolve)) };
}

test('no more run at once than may, and the next begins when one ends', async () => {
  const { running, work } = createWorks();
  const turns = createTurns(2);
  const all = [1, 2, 3].map(() => turns.take(work));
  expect(running).toHaveLength(2);
  running[0]?.();
  await all[0];
  await expect.poll(() => running.length).toBe(3);
  for (const end of running) end();
  await Promise.all(all);
});

test('one that fails gives its turn on', async () => {
  const turns = createTurns(1);
  const failing = turns.take(() => Promise.reject(new Error('down')));
  const next = turns.take(async () => 'done');
  await expect(failing).rejects.toThrow('down');
  expect(await next).toBe('done');
});

test('one that was given up while it waited never begins', async () => {
  const { running, work } = createWorks();
  const turns = createTurns(1);
  const first = turns.take(work);
  const given = new AbortController();
  const second = turns.take(work, given.signal);
  given.abort(new Error('given up'));
  running[0]?.();
  await first;
  await expect(second).rejects.toThrow('given up');
  expect(running).toHaveLength(1);
});

test('a newcomer does not take the turn of one who waits', async () => {
  const { running, work } = createWorks();
  const turns = createTurns(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns.take(() => promise);
  const all = [turns.take(work)];
  // Between the end of the first and the start of the one who waits.
  const newcomer = promise.then(() => void all.push(turns.take(work)));
  resolve();
  await Promise.all([first, newcomer]);
  await expect.poll(() => running.length).toBe(1);
  running[0]?.();
  await expect.poll(() => running.length).toBe(2);
  running[1]?.();
  await Promise.all(all);
});
