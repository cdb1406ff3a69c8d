import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchStalls } from './stalls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a stalled process reports each stall once, before its first request after it', () => {
  let stoodMs = 0;
  const onStall = vi.fn();
  const { check, stop } = watchStalls({ minStallMs: 1_500, onStall, now: () => performance.now() + stoodMs });
  vi.advanceTimersByTime(60_000);
  check();
  expect(onStall).not.toHaveBeenCalled();
  stoodMs += 1_000;
  check();
  expect(onStall, 'a long task is not a stall').not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  stoodMs += 1_500;
  check();
  expect(onStall).toHaveBeenCalledTimes(1);
  check();
  vi.advanceTimersByTime(5_000);
  stoodMs += 1_500;
  check();
  expect(onStall, 'also the next one within seconds').toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(onStall).toHaveBeenCalledTimes(2);
  stoodMs += 1_500;
  vi.advanceTimersByTime(250);
  expect(onStall, 'also without a request').toHaveBeenCalledTimes(3);
  stop();
});
