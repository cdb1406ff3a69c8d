import { expect, test } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

test('a bucket allows a burst of its size, then its rate, and never saves more than its size', () => {
  let now = 0;
  const { tryConsume } = createTokenBucket(4, 8, () => now);
  const taken = (tries: number) => Array.from({ length: tries }, tryConsume).filter(Boolean).length;
  expect(taken(100)).toBe(8);
  now += 500;
  expect(taken(100)).toBe(2);
  now += 3_600_000;
  expect(taken(100)).toBe(8);
});
