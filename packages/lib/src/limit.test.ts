import { expect, test } from 'vitest';
import { createLimit, QueueFull } from './limit.ts';

/** Works that record their start, and end when the test calls `end`. */
function createWorks() {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      began.push(name);
      ends.set(name, resolve);
    });
  return { began, work, end: (name: string) => ends.get(name)?.() };
}

test('the number of running works is limited, and the next starts when one ends', async () => {
  const { began, work, end } = createWorks();
  const limit = createLimit(2);
  const all = ['a', 'b', 'c'].map((name) => limit.run(work(name)));
  expect(began).toEqual(['a', 'b']);
  end('a');
  await all[0];
  await expect.poll(() => began).toEqual(['a', 'b', 'c']);
  for (const name of ['b', 'c']) end(name);
  await Promise.all(all);
});

test('work that fails frees its place', async () => {
  const limit = createLimit(1);
  const failing = limit.run(() => Promise.reject(new Error('down')));
  const next = limit.run(async () => 'done');
  await expect(failing).rejects.toThrow('down');
  expect(await next).toBe('done');
});

test('new work does not overtake waiting work', async () => {
  const { began, work, end } = createWorks();
  const limit = createLimit(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = limit.run(() => promise);
  const all = [limit.run(work('waiting'))];
  // Between the end of the first work and the start of the waiting one.
  const newcomer = promise.then(() => void all.push(limit.run(work('newcomer'))));
  resolve();
  await Promise.all([first, newcomer]);
  for (const name of ['waiting', 'newcomer']) {
    await expect.poll(() => began.at(-1)).toBe(name);
    end(name);
  }
  await Promise.all(all);
});

test('invariant 9: the most urgent work runs first, even if others have waited longer', async () => {
  const { began, work, end } = createWorks();
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

test('less urgent work never takes every place, and is refused at once if its queue is full', async () => {
  const { began, work, end } = createWorks();
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

test('work that is aborted while it waits never starts, and frees its place in the queue at once', async () => {
  const { began, work, end } = createWorks();
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
