import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDuePages, type DuePages } from './due.ts';
import type { Answer } from './wordpress/client.ts';
import { failure, type Result, success } from './wordpress/result.ts';

const START = Date.parse('2026-11-22T13:59:00Z');

let answers: Result<Answer>[];
let asked: number[];
let looked: number[];
let index: Result<unknown>;
let published: number[];
let due: DuePages;

const says = (data: unknown, status = 200) => success({ status, data, retryAfter: null });
const next = (time: string | null, count = 0) => says({ published: count, next: time });

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  answers = [];
  asked = [];
  looked = [];
  index = success({ routes: { '/pillion/v1/due': { methods: ['POST'] } } });
  published = [];
  due = createDuePages({
    client: {
      async get(path) {
        expect(path).toBe('/wp-json/?_fields=routes./pillion/v1/due.methods');
        looked.push(Date.now() - START);
        return index;
      },
      async post(path) {
        expect(path).toBe('/wp-json/pillion/v1/due');
        asked.push(Date.now() - START);
        return answers.shift() ?? next(null);
      },
    },
    onPublished: () => void published.push(Date.now() - START),
  });
});
afterEach(() => {
  due.close();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a request goes to WordPress at start and every minute', async () => {
  due.begin();
  await pass(125_000);
  expect(asked).toEqual([0, 60_000, 120_000]);
});

test('a page scheduled for 14:00:20 is published then, and the site fetches it again', async () => {
  answers = [next('2026-11-22T14:00:20+00:00'), next('2026-11-22T14:00:20+00:00'), next(null, 1)];
  due.begin();
  await pass(90_000);
  expect(asked).toEqual([0, 60_000, 80_000]);
  expect(published).toEqual([80_000]);
});

test('a page scheduled later changes the time of the next request', async () => {
  due.begin();
  await pass(10_000);
  answers = [next('2026-11-22T13:59:30Z'), next('2026-11-22T13:59:20Z'), next(null, 1)];
  due.ask();
  due.ask();
  due.ask();
  await pass(15_000);
  expect(asked).toEqual([0, 10_000, 10_000, 20_000]);
});

test('a WordPress whose clock is three seconds slow gets requests until its time has come', async () => {
  const time = '2026-11-22T13:59:30Z';
  answers = [next(time), next(time), next(time), next(null, 1)];
  due.begin();
  await pass(40_000);
  expect(asked).toEqual([0, 30_000, 32_000, 34_000]);
  expect(published).toEqual([34_000]);
});

test('a page that WordPress cannot publish causes no request every second', async () => {
  answers = Array.from({ length: 400 }, () => next('2026-11-22T13:00:00Z'));
  due.begin();
  await pass(180_000);
  expect(asked).toEqual([0, 60_000, 120_000, 180_000]);
});

test('pages beyond the limit of one call are published by further calls', async () => {
  const long = '2026-11-21T13:00:00Z';
  answers = [next(long, 50), next(long, 50), next(null, 7)];
  due.begin();
  await pass(5_000);
  expect(asked).toEqual([0, 2_000, 4_000]);
  expect(published).toEqual([0, 2_000, 4_000]);
});

test.each([
  ['an older plugin', success({ routes: {} })],
  ['a plugin without routes', success([])],
  ['a plugin that returns 404', failure('bad request', 'x', 404)],
])('%s gets no POST, and the next check is after an hour', async (_, says) => {
  index = says;
  due.begin();
  await pass(3_599_000);
  expect([looked, asked]).toEqual([[0], []]);
  index = success({ routes: { '/pillion/v1/due': { methods: ['POST'] } } });
  await pass(1_000);
  expect(asked).toEqual([3_600_000]);
});

test('a WordPress that does not answer is checked again the next minute, once', async () => {
  index = failure('timeout', 'x');
  due.begin();
  await pass(1_000);
  index = success({ routes: { '/pillion/v1/due': { methods: ['POST'] } } });
  await pass(180_000);
  expect([looked, asked]).toEqual([
    [0, 60_000],
    [60_000, 120_000, 180_000],
  ]);
});

test('a plugin that was downgraded is checked again after an hour', async () => {
  answers = [says({ code: 'rest_no_route' }, 404)];
  due.begin();
  due.ask();
  await pass(3_599_000);
  expect(asked).toEqual([0]);
  await pass(1_000);
  expect(asked).toEqual([0, 3_600_000]);
});

test.each([
  ['is down', failure('network error', 'x')],
  ['rejects the request', says({ code: 'rest_forbidden' }, 403)],
  ['returns other data', says({ code: 'blocked' })],
  ['returns an invalid time', next('soon')],
  ['returns a time in a hundred years', next('2126-11-22T13:00:00Z')],
])('if WordPress %s it is checked again the next minute', async (_, answer) => {
  answers = [answer];
  due.begin();
  await pass(61_000);
  expect(asked).toEqual([0, 60_000]);
  expect(published).toEqual([]);
});

test('no request is sent once the site is closed', async () => {
  answers = [next('2026-11-22T13:59:30Z')];
  due.begin();
  await pass(1_000);
  due.close();
  due.ask();
  await pass(120_000);
  expect(asked).toEqual([0]);
});
