import type { Client } from '@pillion/content/wordpress/client.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES } from '../../uploads/read-upload.ts';
import { createSizeCheck } from './room.ts';

const MEGABYTE = 1_000_000;
const LARGEST = MAX_BODY_BYTES / MEGABYTE;

afterEach(() => vi.useRealTimers());

test('a size that the last answers do not tell is tried once, and again after a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const asked: number[] = [];
  const accepts: Client['accepts'] = async (_path, bytes) => {
    asked.push(bytes / MEGABYTE);
    return bytes <= 8 * MEGABYTE;
  };
  const room = createSizeCheck({ accepts } as Client);
  const roomFor = async (megabytes: number) => (await room(megabytes * MEGABYTE))?.bytes;
  expect(await roomFor(6)).toBeUndefined();
  expect(await roomFor(5)).toBeUndefined();
  expect(await roomFor(9)).toBe(6 * MEGABYTE);
  expect(await roomFor(10)).toBe(6 * MEGABYTE);
  expect(asked).toEqual([LARGEST, 6, 9]);
  vi.advanceTimersByTime(60_000 + 1);
  expect(await roomFor(9)).toBe(MEGABYTE);
  expect(asked).toEqual([LARGEST, 6, 9, LARGEST, 9]);
});

test('one try answers for all sizes if WordPress accepts the largest one', async () => {
  const asked: number[] = [];
  const accepts: Client['accepts'] = async (_path, bytes) => asked.push(bytes) > 0;
  const room = createSizeCheck({ accepts } as Client);
  for (const bytes of [2, 3, 4]) expect(await room(bytes * MEGABYTE)).toBeNull();
  expect(asked).toEqual([MAX_BODY_BYTES]);
});
