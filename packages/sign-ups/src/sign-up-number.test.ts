import { recordReads } from '@pillion/content/cache/reads.ts';
import { expect, test } from 'vitest';
import { createSignUpNumbers } from './sign-up-number.ts';
import type { StoreStats } from './store/store.ts';

const KEY = 'k'.repeat(43);

/** A site that shows every hundred sign-ups. */
const SLOT = { step: (count: number) => Math.floor(count / 100) };

/** Numbers with a store and a clock that the test controls. */
function open(counts: Partial<StoreStats['counts']>, slot: typeof SLOT | null = SLOT) {
  const store = { counts, isDown: false, asked: 0, at: 1_000_000 };
  const stats = async (): Promise<StoreStats> => {
    store.asked += 1;
    if (store.isDown) throw new Error('down');
    return {
      counts: { waiting: 0, leased: 0, delivered: 0, dead: 0, 'set-aside': 0, ...store.counts },
      oldestAt: null,
      lastDeliveredAt: null,
    };
  };
  const numbers = createSignUpNumbers({ stats }, KEY, { ...(slot && { slot }), now: () => store.at });
  /** Requests the count and waits for the store. */
  const answered = async () => {
    numbers.currentCount();
    numbers.currentCount();
    await new Promise(setImmediate);
  };
  return { store, numbers, answered };
}

test('waiting, leased and delivered sign-ups count; dead and set-aside ones do not', async () => {
  const { numbers, answered } = open({ waiting: 3, leased: 2, delivered: 10, dead: 100, 'set-aside': 1000 });
  expect(numbers.currentCount()).toBeNull();
  await answered();
  expect(numbers.currentCount()).toBe(15);
});

test('the count is cached for a minute for all requests', async () => {
  const { store, numbers, answered } = open({ delivered: 5 });
  await answered();
  store.counts = { delivered: 9 };
  store.at += 59_000;
  await answered();
  expect([numbers.currentCount(), store.asked]).toEqual([5, 1]);
  store.at += 1_000;
  await answered();
  expect([numbers.currentCount(), store.asked]).toEqual([9, 2]);
});

test('each sign-up has a separate number, and keeps it when it is sent again', async () => {
  const { store, numbers, answered } = open({ delivered: 5 });
  await answered();
  const given = [numbers.numberOf('a', true), numbers.numberOf('a', false), numbers.numberOf('b', true)];
  expect(await Promise.all(given)).toEqual([6, 6, 7]);
  // The next count includes them, so no sign-up is counted twice.
  store.counts = { delivered: 7 };
  store.at += 60_000;
  await answered();
  expect(await numbers.numberOf('c', true)).toBe(8);
});

test('the first sign-up after a start has a number too, before the first count', async () => {
  const { numbers } = open({ waiting: 1, delivered: 5 });
  expect(await numbers.numberOf('a', true)).toBe(6);
  expect([await numbers.numberOf('b', true), await numbers.numberOf('a', false)]).toEqual([7, 6]);
});

test('without a count there is no number; if a later count fails, the last one stays', async () => {
  const { store, numbers, answered } = open({ delivered: 5 });
  store.isDown = true;
  await answered();
  expect([await numbers.numberOf('a', true), numbers.step(0)]).toEqual([null, null]);
  store.isDown = false;
  store.at += 5_000;
  await answered();
  store.isDown = true;
  store.at += 60_000;
  await answered();
  expect(numbers.currentCount()).toBe(5);
});

test('a cached page is rendered again only when its step changes', async () => {
  const { store, numbers, answered } = open({ delivered: 300 });
  await answered();
  const { value, reads } = await recordReads(async () => numbers.step(0));
  const check = () => reads[0]?.check();
  expect(check()).toEqual({ standing: 'same', until: store.at + 60_000 });
  store.counts = { delivered: 301 };
  store.at += 60_000;
  await answered();
  expect(numbers.step(0)).toBe(value);
  expect(check()?.standing).toBe('same');
  store.counts = { delivered: 3_000 };
  store.at += 60_000;
  await answered();
  expect(check()?.standing).toBe('changed');
});

test('a number in a URL is accepted only with a valid seal', () => {
  const { numbers } = open({});
  const sealed = numbers.sign(215);
  expect(numbers.readSigned(sealed)).toBe(215);
  for (const forged of [`0${sealed}`, sealed.replace('215', '216'), '215', '215.', `${sealed}x`, '-1.x', '', '1e3.x'])
    expect(numbers.readSigned(forged)).toBeNull();
});

test('a site without a slot shows neither steps nor a picture', async () => {
  const { numbers, answered } = open({ delivered: 500 }, null);
  await answered();
  expect([numbers.step(0), numbers.picture(500)]).toEqual([0, '']);
});
