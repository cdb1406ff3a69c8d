import type { Client } from '@pillion/content/wordpress/client.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { createRoom } from './room.ts';

const MEGABYTE = 1_000_000;

afterEach(() => vi.useRealTimers());

test('a size that the last answers do not tell is tried once, and again after a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const asked: number[] = [];
  const accepts: Client['accepts'] = async (_path, bytes) => {
    asked.push(bytes / MEGABYTE);
    return bytes <= 8 * MEGABYTE;
  };
  const room = createRoom({ accepts } as Client);
  const roomFor = async (megabytes: number) => (await room(megabytes * MEGABYTE))?.bytes;
  expect(await roomFor(6)).toBeUndefined();
  expect(await roomFor(5)).toBeUndefined();
  expect(await roomFor(12)).toBe(6 * MEGABYTE);
  expect(await roomFor(20)).toBe(6 * MEGABYTE);
  expect(asked).toEqual([6, 12]);
  vi.advanceTimersByTime(60_000 + 1);
  expect(await roomFor(12)).toBe(MEGABYTE);
  expect(asked).toEqual([6, 12, 12]);
});
