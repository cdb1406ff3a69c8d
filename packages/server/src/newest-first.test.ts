import { expect, test } from 'vitest';
import { createNewestFirst } from './newest-first.ts';

test('of five works of one key the first and then the newest run; other keys do not wait', async () => {
  const { run } = createNewestFirst();
  const begun: string[] = [];
  let end = () => {};
  const work = (name: string) => () => {
    begun.push(name);
    return name === 'a1' ? new Promise<string>((resolve) => (end = () => resolve(name))) : Promise.resolve(name);
  };
  const ofOne = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => run('a', work(name)));
  expect(await run('b', work('b1'))).toBe('b1');
  expect(begun).toEqual(['a1', 'b1']);
  end();
  expect(await Promise.all(ofOne)).toEqual(['a1', 'replaced', 'replaced', 'replaced', 'a5']);
  expect(await run('a', work('a6')), 'once nobody waits').toBe('a6');
});

test('the next work starts after one that fails', async () => {
  const { run } = createNewestFirst();
  const failing = run('a', () => Promise.reject(new Error('no')));
  const next = run('a', async () => 'next');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
