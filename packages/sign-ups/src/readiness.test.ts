import { expect, test } from 'vitest';
import { createSignUpMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';
import { type SignUpOptions, SignUps } from './sign-ups.ts';

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

test('while the store does not respond, the metrics query it once and not again for each destination', async () => {
  let queries = 0;
  const queue = {
    async stats() {
      queries += 1;
      throw new Error('no answer');
    },
  };
  const signUps = new SignUps({
    outbox: { store: { ...queue, copiesFor: () => queue } },
    destinations: {
      listed: [
        { id: 'a', isEnabled: true },
        { id: 'b', isEnabled: true },
      ],
    },
    metrics: createSignUpMetrics(),
  } as unknown as SignUpOptions);
  expect(await signUps.metricsText()).toContain('pillion_sign_ups_store_up 0');
  expect(queries).toBe(1);
});
