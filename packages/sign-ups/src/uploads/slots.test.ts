import { beforeEach, expect, test } from 'vitest';
import { createUploadSlots, type NoSlot, type Slot } from './slots.ts';

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
    room: async () => ({ free, all: 200_000 * MB }),
    now: () => clock,
  });
});

const take = (network: string, bytes = 10_000, name = network) => slots.take(network, bytes, () => dropped.push(name));
const isSlot = (one: Slot | NoSlot): one is Slot => 'release' in one;
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
  expect(isSlot(await take('b'))).toBe(true);
});

test('invariant 17: a very slow upload makes room for another one; a normal one never does', async () => {
  const slow = await slotFor('a', 10_000, 'slow');
  const others = [];
  for (let at = 1; at < 32; at++) others.push(await slotFor('a', 10_000, `other ${at}`));
  expect(await take('a'), 'nobody is judged at once').toEqual({ why: 'full' });
  clock += 4_000;
  slow.moved(4);
  for (const other of others) other.moved(400_000);
  const late = await slotFor('a');
  expect(dropped).toEqual(['slow']);
  expect(await take('a')).toEqual({ why: 'full' });
  late.release();
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
  first.release();
  expect(isSlot(await take('b', 11 * MB))).toBe(true);
  free = 999 * MB;
  expect(await take('c', 1)).toEqual({ why: 'disk' });
});
