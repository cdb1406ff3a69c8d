import type { RenderedDraft } from '@pillion/content/types.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDrafts } from './drafts.ts';

/** Answers of the server, by the number that the draft carries, given when the test says so. */
let answers: Map<number, (response: Response) => void>;
let events: string[];

beforeEach(() => {
  answers = new Map();
  events = [];
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('fetch', (_: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    const { n } = JSON.parse(body).draft;
    return new Promise((resolve, reject) => {
      answers.set(n, resolve);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
});

const make = (show?: () => Promise<() => void>) =>
  createDrafts({
    token: 'T',
    show: show ?? (async (n) => () => void events.push(`show ${n}`)),
    onFailed: (n, reason) => events.push(`${reason} ${n}`),
  });
const answer = (n: number, status = 200, body: object = {} as RenderedDraft) =>
  answers.get(n)?.(Response.json(body, { status }));

test('answers are shown in order, and one that comes after a newer one is dropped', async () => {
  const drafts = make();
  const taken = [1, 2, 3].map((n) => drafts.take(n, { n }));
  answer(1);
  await taken[0];
  answer(3);
  await taken[2];
  answer(2);
  await Promise.all(taken);
  expect(events).toEqual(['show 1', 'show 3']);
});

test('a draft older than what is shown is not even asked for', async () => {
  const drafts = make();
  const taken = drafts.take(5, { n: 5 });
  answer(5);
  await taken;
  await drafts.take(4, { n: 4 });
  expect(answers.has(4)).toBe(false);
});

test('a server that keeps four waiting is asked for the newest, not for the oldest', async () => {
  const drafts = make();
  const taken = [1, 2, 3, 4, 5].map((n) => drafts.take(n, { n }));
  answer(1);
  await taken[0];
  expect(events).toEqual([]);
  for (const n of [2, 3, 4, 5]) answer(n);
  await Promise.all(taken);
  expect(events).toEqual(['show 2', 'show 3', 'show 4', 'show 5']);
});

test.each([
  [401, 'expired'],
  [403, 'expired'],
  [413, 'too-large'],
  [422, 'unreadable'],
  [429, 'silent'],
  [503, 'silent'],
])('an answer of %i is told as %s', async (status, reason) => {
  const taken = make().take(1, { n: 1 });
  answer(1, status);
  await taken;
  expect(events).toEqual([`${reason} 1`]);
});

test('a draft with too many characters fails for another reason than one with too many bytes', async () => {
  const taken = make().take(1, { n: 1 });
  answer(1, 413, { code: 'too-long', most: 500_000 });
  await taken;
  expect(events).toEqual(['too-long 1']);
});

test('a page whose code cannot be had is told as failed', async () => {
  const taken = make(() => Promise.reject(new Error('no chunk'))).take(1, { n: 1 });
  answer(1);
  await taken;
  expect(events).toEqual(['failed 1']);
});

test('a failure of an older draft is not told once a newer one is shown', async () => {
  const drafts = make();
  const taken = [1, 2].map((n) => drafts.take(n, { n }));
  answer(2);
  await taken[1];
  answer(1, 503);
  await taken[0];
  expect(events).toEqual(['show 2']);
});
