import { expect, test } from 'vitest';
import { valueWithin } from './timeout.ts';

test('work that fails after the time for it is over ends no process', async () => {
  let fail = (_: Error) => {};
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  expect(await valueWithin(0, work)).toBeNull();
  // Vitest reports an unhandled rejection as an error of the run.
  fail(new Error('late'));
});
