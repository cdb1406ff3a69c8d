import { expect, test } from 'vitest';
import { createLimit, QueueFull } from './limit.ts';

/** Works that run until they are let go, in the order they began. */
function createWorks() {
  const running: (() => void)[] = [];
  return { running, work: () => new Promise<void>((resolve) => running.push(resolve)) };
}

test('no more run at once than may, and the next begins when one ends', async () => {
  const { running, work } = createWorks();
  const limit = createLimit(2);
  const all = [1, 2, 3].map(() => limit.run(work));
  expect(running).toHaveLength(2);
  running[0]?.();
  await all[0];
  await expect.poll(() => running.length).toBe(3);
  for (const end of running) end();
  await Promise.all(all);
});

test('one that fails gives its turn on', async () => {
  const limit = createLimit(1);
  const failing = limit.run(() => Promise.reject(new Error('down')));
  const next = limit.run(async () => 'done');
  await expect(failing).rejects.toThrow('down');
  expect(await next).toBe('done');
});

test('one that was given up while it waited never begins', async () => {
  const { running, work } = createWorks();
  const limit = createLimit(1);
  const first = limit.run(work);
  const given = new AbortController();
  const second = limit.run(work, given.signal);
  given.abort(new Error('given up'));
  running[0]?.();
  await first;
  await expect(second).rejects.toThrow('given up');
  expect(running).toHaveLength(1);
});

test('a newcomer does not take the turn of one who waits', async () => {
  const { running, work } = createWorks();
  const limit = createLimit(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = limit.run(() => promise);
  const all = [limit.run(work)];
  // Between the end of the first and the start of the one who waits.
  const newcomer = promise.then(() => void all.push(limit.run(work)));
  resolve();
  await Promise.all([first, newcomer]);
  await expect.poll(() => running.length).toBe(1);
  running[0]?.();
  await expect.poll(() => running.length).toBe(2);
  running[1]?.();
  await Promise.all(all);
});

/** A work that says when it began, and ends when it is told to. */
function createNamed(began: string[]) {
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      began.push(name);
      ends.set(name, resolve);
    });
  return { work, end: (name: string) => ends.get(name)?.() };
}

test('invariant 9: the most urgent goes first, however many of the others have waited longer', async () => {
  const began: string[] = [];
  const { work, end } = createNamed(began);
  const limit = createLimit(1, [
    { concurrency: 1, queueSize: 10 },
    { concurrency: 1, queueSize: 10 },
  ]);
  const all = ['visitor 1', 'visitor 2', 'visitor 3'].map((name) => limit.run(work(name), undefined, 1));
  all.push(limit.run(work('site'), undefined, 0));
  await expect.poll(() => began).toEqual(['visitor 1']);
  end('visitor 1');
  await expect.poll(() => began).toEqual(['visitor 1', 'site']);
  for (const name of ['site', 'visitor 2', 'visitor 3']) {
    await expect.poll(() => began).toContain(name);
    end(name);
  }
  await Promise.all(all);
});

test('what is less urgent never takes every place, and one too many of it is turned away at once', async () => {
  const began: string[] = [];
  const { work, end } = createNamed(began);
  const limit = createLimit(3, [
    { concurrency: 3, queueSize: 10 },
    { concurrency: 1, queueSize: 2 },
  ]);
  const visitors = ['a', 'b', 'c'].map((name) => limit.run(work(name), undefined, 1));
  await expect(limit.run(work('d'), undefined, 1)).rejects.toBeInstanceOf(QueueFull);
  const own = limit.run(work('site'));
  await expect.poll(() => began).toEqual(['a', 'site']);
  for (const name of ['site', 'a', 'b', 'c']) {
    await expect.poll(() => began).toContain(name);
    end(name);
  }
  await Promise.all([...visitors, own]);
});

test('one that was given up while it waited gives its place in the line back at once', async () => {
  const began: string[] = [];
  const { work, end } = createNamed(began);
  const limit = createLimit(1, [{ concurrency: 1, queueSize: 1 }]);
  const first = limit.run(work('first'));
  const given = new AbortController();
  const second = limit.run(work('second'), given.signal);
  given.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  const third = limit.run(work('third'));
  end('first');
  await expect.poll(() => began).toEqual(['first', 'third']);
  end('third');
  await Promise.all([first, third]);
});
