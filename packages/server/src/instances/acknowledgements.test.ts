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

test('a wait ends once all servers have answered, and the first answer of a server applies', async () => {
  const { expect: expectOf, record, waitFor } = createAcknowledgements();
  record('7', 'a', false);
  expectOf('7');
  record('7', 'a', true);
  record('7', 'a', false);
  const wait = waitFor('7', ['a', 'b', 'c'], WITHIN_MS);
  record('7', 'b', false);
  expect(await isOver(wait)).toBe(false);
  record('8', 'c', true);
  expect(await isOver(wait), 'an answer to another change').toBe(false);
  record('7', 'c', true);
  expect(await isOver(wait)).toBe(true);
  expect([...(await wait)].sort()).toEqual(['a', 'c']);
});

test('a server that does not answer is awaited once, and again after it has answered', async () => {
  const { record, waitFor } = createAcknowledgements();
  const first = waitFor('1', ['a', 'hangs'], WITHIN_MS);
  record('1', 'a', true);
  await vi.advanceTimersByTimeAsync(WITHIN_MS - 1);
  expect(await isOver(first)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([...(await first)]).toEqual(['a']);

  const second = waitFor('2', ['a', 'hangs'], WITHIN_MS);
  record('2', 'a', true);
  expect(await isOver(second), 'one change has waited for it already').toBe(true);
  record('2', 'a', true);
  record('9', 'hangs', true);
  const again = waitFor('3', ['hangs'], WITHIN_MS);
  expect(await isOver(again), 'it has sent no new answer').toBe(true);

  record('2', 'hangs', true);
  const third = waitFor('4', ['a', 'hangs'], WITHIN_MS);
  record('4', 'a', true);
  expect(await isOver(third)).toBe(false);
  record('4', 'hangs', true);
  expect([...(await third)].sort()).toEqual(['a', 'hangs']);
});

test('without other servers a wait ends at once', async () => {
  expect(await isOver(createAcknowledgements().waitFor('1', [], WITHIN_MS))).toBe(true);
});
