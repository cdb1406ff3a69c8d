import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAcknowledgements } from './acknowledgements.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WITHIN_MS = 2_000;

/** Whether a wait is over now. */
async function isOver(wait: Promise<unknown>): Promise<boolean> {
  let over = false;
  void wait.then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return over;
}

test('all have answered: nobody waits longer, and who could not read it does not show it', async () => {
  const { note, of } = createAcknowledgements();
  note('7 a live');
  const wait = of(7, ['a', 'b', 'c'], WITHIN_MS);
  note('7 b unread');
  expect(await isOver(wait)).toBe(false);
  note('8 c live');
  expect(await isOver(wait), 'that was another change').toBe(false);
  note('7 c live');
  expect(await isOver(wait)).toBe(true);
  expect([...(await wait)].sort()).toEqual(['a', 'c']);
});

test('who does not answer is waited for once, and again as soon as it has answered', async () => {
  const { note, of } = createAcknowledgements();
  const first = of(1, ['a', 'hangs'], WITHIN_MS);
  note('1 a live');
  await vi.advanceTimersByTimeAsync(WITHIN_MS - 1);
  expect(await isOver(first)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([...(await first)]).toEqual(['a']);

  const second = of(2, ['a', 'hangs'], WITHIN_MS);
  note('2 a live');
  expect(await isOver(second), 'an editor has waited for it already').toBe(true);

  note('2 hangs live');
  const third = of(3, ['a', 'hangs'], WITHIN_MS);
  note('3 a live');
  expect(await isOver(third)).toBe(false);
  note('3 hangs live');
  expect([...(await third)].sort()).toEqual(['a', 'hangs']);
});

test('nobody else: nobody is waited for', async () => {
  expect(await isOver(createAcknowledgements().of(1, [], WITHIN_MS))).toBe(true);
});
