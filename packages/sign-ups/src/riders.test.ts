import { recordReads } from '@pillion/content/cache/reads.ts';
import { expect, test } from 'vitest';
import { createRiders } from './riders.ts';
import type { StoreStats } from './store/store.ts';

const KEY = 'k'.repeat(43);

/** Riders over a store whose counts the test sets, and a clock that it moves. */
function open(counts: Partial<StoreStats['counts']>) {
  const store = { counts, isDown: false, asked: 0, at: 1_000_000 };
  const stats = async (): Promise<StoreStats> => {
    store.asked += 1;
    if (store.isDown) throw new Error('down');
    return {
      counts: { waiting: 0, leased: 0, delivered: 0, dead: 0, 'set-aside': 0, ...store.counts },
      oldestAt: null,
    };
  };
  const riders = createRiders({ stats }, KEY, () => store.at);
  /** Lets what was asked be answered. */
  const answered = async () => {
    riders.known();
    await new Promise(setImmediate);
  };
  return { store, riders, answered };
}

test('a rider is who waits, is being delivered or was delivered; nobody set aside, refused or erased before', async () => {
  const { riders, answered } = open({ waiting: 3, leased: 2, delivered: 10, dead: 100, 'set-aside': 1000 });
  expect(riders.known()).toBeNull();
  await answered();
  expect(riders.known()).toBe(15);
});

test('the count is kept for a minute, however many ask', async () => {
  const { store, riders, answered } = open({ delivered: 5 });
  await answered();
  store.counts = { delivered: 9 };
  store.at += 59_000;
  await answered();
  expect([riders.known(), store.asked]).toEqual([5, 1]);
  store.at += 1_000;
  await answered();
  expect([riders.known(), store.asked]).toEqual([9, 2]);
});

test('who signs up has a number of her own, and the same one when she sends it again', async () => {
  const { store, riders, answered } = open({ delivered: 5 });
  await answered();
  const numbers = [riders.numberOf('a', true), riders.numberOf('b', true), riders.numberOf('a', false)];
  expect(await Promise.all(numbers)).toEqual([6, 7, 6]);
  // The next count has them, so nobody is counted twice.
  store.counts = { delivered: 7 };
  store.at += 60_000;
  await answered();
  expect(await riders.numberOf('c', true)).toBe(8);
});

test('the first after a start, before anything was counted, has her number too', async () => {
  const { riders } = open({ waiting: 1, delivered: 5 });
  expect(await riders.numberOf('a', true)).toBe(6);
  expect([await riders.numberOf('b', true), await riders.numberOf('a', false)]).toEqual([7, 6]);
});

test('a count that cannot be had gives no number; one that was had stays', async () => {
  const { store, riders, answered } = open({ delivered: 5 });
  store.isDown = true;
  await answered();
  expect([await riders.numberOf('a', true), riders.lamps(0)]).toEqual([null, null]);
  store.isDown = false;
  store.at += 5_000;
  await answered();
  store.isDown = true;
  store.at += 60_000;
  await answered();
  expect(riders.known()).toBe(5);
});

test('a page that is kept is made anew once it would show other lamps, and no sooner', async () => {
  const { store, riders, answered } = open({ delivered: 300 });
  await answered();
  const { value, reads } = await recordReads(async () => riders.lamps(0));
  const judge = () => reads[0]?.judge();
  expect(judge()).toEqual({ standing: 'same', until: store.at + 60_000 });
  store.counts = { delivered: 301 };
  store.at += 60_000;
  await answered();
  expect(riders.lamps(0)).toBe(value);
  expect(judge()?.standing).toBe('same');
  store.counts = { delivered: 3_000 };
  store.at += 60_000;
  await answered();
  expect(judge()?.standing).toBe('changed');
});

test('a number in an address is believed where it was sealed here', () => {
  const { riders } = open({});
  const sealed = riders.sealed(215);
  expect(riders.unsealed(sealed)).toBe(215);
  for (const forged of [sealed.replace('215', '216'), '215', '215.', `${sealed}x`, '-1.x', '', '1e3.x'])
    expect(riders.unsealed(forged)).toBeNull();
});
