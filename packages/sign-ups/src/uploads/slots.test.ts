import { beforeEach, expect, test } from 'vitest';
import type { Account, Use } from '../guards/shared-accounts.ts';
import { createUploadSlots, type Slot, type SlotRefusal } from './slots.ts';

const MB = 1_000_000;
let clock: number;
let free: number;
let dropped: string[];
let slots: ReturnType<typeof createUploadSlots>;

beforeEach(() => {
  clock = 0;
  free = 100_000 * MB;
  dropped = [];
  slots = createUploadSlots({
    ...{ directory: '/', bytesPerHour: 100 * MB },
    readVolumeSpace: async () => ({ free, all: 200_000 * MB }),
    now: () => clock,
  });
});

const take = (network: string, bytes = 10_000, name = network) => slots.take(network, bytes, () => dropped.push(name));
const isSlot = (one: Slot | SlotRefusal): one is Slot => 'release' in one;
async function slotFor(network: string, bytes?: number, name?: string): Promise<Slot> {
  const slot = await take(network, bytes, name);
  if (!isSlot(slot)) throw new Error(slot.why);
  return slot;
}

test('invariant 17: one network cannot take every slot', async () => {
  for (let at = 0; at < 64; at++) {
    const slot = await take('a');
    if (!isSlot(slot)) expect([at >= 32, slot.why]).toEqual([true, 'full']);
  }
  for (let at = 0; at < 32; at++) expect(isSlot(await take('b'))).toBe(true);
  expect(await take('c'), 'all slots are taken').toEqual({ why: 'full' });
});

test('invariant 17: a very slow upload makes room for another one; a normal one never does', async () => {
  clock = 9_000;
  const others = [];
  for (let at = 2; at < 32; at++) others.push(await slotFor('a', 10_000, `other ${at}`));
  const [slow, slowest] = [await slotFor('a', 10_000, 'slow'), await slotFor('a', 10_000, 'slowest')];
  clock += 1_999;
  expect(await take('a'), 'none is dropped in the first 2 s').toEqual({ why: 'full' });
  clock += 1;
  slow.addBytes(32_767);
  slowest.addBytes(4);
  for (const other of others) other.addBytes(32_768);
  const late = [await slotFor('a'), await slotFor('a')];
  expect(dropped).toEqual(['slowest', 'slow']);
  expect(await take('a')).toEqual({ why: 'full' });
  late[0]?.release();
  expect(isSlot(await take('a'))).toBe(true);
});

test('a network can upload up to its hourly budget, and again after the requested wait', async () => {
  for (let at = 0; at < 10; at++) (await slotFor('a', 10 * MB)).release();
  const refused = await take('a', 10 * MB);
  expect(refused).toMatchObject({ why: 'budget' });
  expect(isSlot(await take('b', 10 * MB)), 'another network').toBe(true);
  clock += (refused as { waitMs: number }).waitMs;
  expect(isSlot(await take('a', 10 * MB))).toBe(true);
});

test('files that are not stored do not count', async () => {
  for (let at = 0; at < 30; at++) {
    const slot = await slotFor('a', 10 * MB);
    slot.refund();
    slot.release();
  }
});

test('files are refused before the disk is full, including the size of running uploads', async () => {
  free = 1_000 * MB + 60 * MB;
  const first = await slotFor('a', 10 * MB);
  expect(await take('b', 11 * MB)).toEqual({ why: 'disk' });
  expect(isSlot(await take('b', 10 * MB))).toBe(true);
  first.release();
  free = 999 * MB;
  expect(await take('c', 1)).toEqual({ why: 'disk' });
  const small = { directory: '/', bytesPerHour: 1, readVolumeSpace: async () => ({ free: 53, all: 1_000 }) };
  expect(isSlot(await createUploadSlots(small).take('a', 1, () => {}))).toBe(true);
  expect(await createUploadSlots(small).take('a', 2, () => {})).toEqual({ why: 'disk' });
  const unknown = { ...small, readVolumeSpace: () => Promise.reject(new Error('no such volume')) };
  expect(isSlot(await createUploadSlots(unknown).take('a', 1, () => {}))).toBe(true);
});

test('if the servers together refuse an upload, its slot and its budget are free again', async () => {
  let waitMs = 5_000;
  const uses: unknown[] = [];
  const accounts = {
    async take(use: Use) {
      uses.push(use);
      return waitMs;
    },
    refund: async (account: Account) => void uses.push(account),
  };
  slots = createUploadSlots({ directory: '/', bytesPerHour: 10 * MB, accounts, now: () => clock });
  for (let at = 0; at < 33; at++) expect(await take('a', 5 * MB)).toEqual({ why: 'budget', waitMs });
  const budget = { key: 'uploads a', costMs: 1_800_000, windowMs: 3_600_000 };
  expect(uses[0]).toEqual({ accounts: [budget], once: null });
  waitMs = 0;
  uses.length = 0;
  const slot = await slotFor('a', 5 * MB);
  slot.refund();
  expect(uses.at(-1)).toEqual(budget);
});
