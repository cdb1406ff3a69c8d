import { expect, test } from 'vitest';
import { openPages, pagesOf } from './steps.ts';
import { field } from './testing.ts';

const FIELDS = [field(1, 'text'), field(2, 'page'), field(3, 'text'), field(4, 'page'), field(5, 'text')];

test('a page break is the first field of its page', () => {
  expect([...pagesOf(FIELDS)]).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 2],
  ]);
});

test('pages with a hidden break are skipped; the first page never is', () => {
  expect(openPages(FIELDS, new Set())).toEqual([0, 1, 2]);
  expect(openPages(FIELDS, new Set([1, 2, 3]))).toEqual([0, 2]);
  expect(openPages([field(1, 'text')], new Set([1]))).toEqual([0]);
});
