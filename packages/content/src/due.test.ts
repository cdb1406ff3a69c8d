import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDuePages } from './due.ts';
import type { JsonResponse } from './wordpress/client.ts';
import { failure, type Result, success } from './wordpress/result.ts';

const START = Date.parse('2026-11-22T13:59:00Z');

let answers: Result<JsonResponse>[];
let asked: number[];
let looked: number[];
let index: Result<unknown>;
let published: number[];
let due: ReturnType<typeof createDuePages>;

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

const LONG_AGO = '2026-11-21T13:00:00Z';
const SOON = '2026-11-22T13:59:30Z';
const LATER = '2026-11-22T14:00:20+00:00';

test.each([
  { what: 'no page is scheduled', given: [], seconds: 125, sent: [0, 60, 120], live: [] },
  {
    what: 'a page is scheduled for 14:00:20, which the site then fetches',
    given: [next(LATER), next(LATER), next(null, 1)],
    ...{ seconds: 90, sent: [0, 60, 80], live: [80] },
  },
  {
    what: 'the clock of WordPress is three seconds slow',
    given: [next(SOON), next(SOON), next(SOON), next(null, 1)],
    ...{ seconds: 40, sent: [0, 30, 32, 34], live: [34] },
  },
  {
    what: 'WordPress cannot publish a page, which causes no request every second',
    given: Array.from({ length: 400 }, () => next('2026-11-22T13:00:00Z')),
    ...{ seconds: 180, sent: [0, 60, 120, 180], live: [] },
  },
  {
    what: 'one call cannot publish all pages',
    given: [next(LONG_AGO, 50), next(LONG_AGO, 50), next(null, 7)],
    ...{ seconds: 5, sent: [0, 2, 4], live: [0, 2, 4] },
  },
])('requests are sent at the right times if $what', async ({ given, seconds, sent, live }) => {
  answers = given;
  due.begin();
  await pass(seconds * 1000);
  expect(asked).toEqual(sent.map((second) => second * 1000));
  expect(published).toEqual(live.map((second) => second * 1000));
});

test('a page scheduled later changes the time of the next request', async () => {
  due.begin();
  await pass(10_000);
  answers = [next('2026-11-22T13:59:30Z'), next('2026-11-22T13:59:20Z'), next(null, 1)];
  due.publishDue();
  due.publishDue();
  due.publishDue();
  await pass(15_000);
  expect(asked).toEqual([0, 10_000, 10_000, 20_000]);
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
  due.publishDue();
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
  due.publishDue();
  await pass(120_000);
  expect(asked).toEqual([0]);
});
