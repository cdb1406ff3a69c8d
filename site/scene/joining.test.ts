import { expect, test } from 'vitest';
import { JOINING_MS, type Joining, joiningAt, SETTLED } from './joining.ts';
import { SETTLED_LAMP } from './movement.ts';

const at = (ms: number) => joiningAt(ms) as Joining;

test('it begins and ends in the state of the ride', () => {
  expect(at(0)).toEqual({ lift: 0, flown: 0, climbed: 0, flare: 0 });
  expect(joiningAt(JOINING_MS)).toBeNull();
  const last = at(JOINING_MS - 1);
  for (const key of ['lift', 'flown', 'climbed', 'flare'] as const) expect(last[key]).toBeCloseTo(SETTLED[key], 3);
  expect(SETTLED).toMatchObject(SETTLED_LAMP);
});

test('no value jumps at low frame rates', () => {
  for (let ms = 0; ms < JOINING_MS - 20; ms += 20)
    for (const key of ['lift', 'flown', 'climbed'] as const)
      expect(Math.abs(at(ms + 20)[key] - at(ms)[key])).toBeLessThan(0.02);
});

test('the lamp flares while the view is up, brighter than its final state, and climbs only then', () => {
  const moments = Array.from({ length: JOINING_MS / 20 }, (_, i) => at(i * 20));
  const brightest = moments.reduce((a, b) => (b.flare > a.flare ? b : a));
  expect(brightest.flare).toBeGreaterThan(SETTLED.flare * 2);
  expect(brightest.lift).toBeGreaterThan(0.9);
  for (const { climbed, lift, flare } of moments)
    if (climbed > 0 && climbed < 1) expect(Math.min(lift, flare)).toBeGreaterThan(0.9);
});
