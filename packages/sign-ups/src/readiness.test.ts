import { expect, test } from 'vitest';
import { createReadiness } from './readiness.ts';

test('readiness tests a write to the store, at most once a second, and reports a failure', async () => {
  let ticks = 0;
  let isFull = false;
  let writes = 0;
  const ready = createReadiness(
    {
      async probe() {
        writes += 1;
        if (isFull) throw new Error('disk full');
      },
    },
    () => ticks,
  );
  expect(await Promise.all([ready(), ready(), ready()])).toEqual([true, true, true]);
  expect(writes).toBe(1);
  isFull = true;
  ticks = 999;
  expect(await ready()).toBe(true);
  ticks = 1_000;
  expect(await ready()).toBe(false);
  isFull = false;
  ticks = 2_000;
  expect(await ready()).toBe(true);
  ticks = 2_999;
  expect(await ready()).toBe(true);
  expect(writes).toBe(3);
});
