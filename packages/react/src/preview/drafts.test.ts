import type { RenderedDraft } from '@pillion/content/types.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { createColours } from './colours.ts';
import { createDrafts } from './drafts.ts';

/** Pending responses of the server, by number of the draft; the test resolves them. */
let respond: Map<number, (response: Response) => void>;
let events: string[];

beforeEach(() => {
  respond = new Map();
  events = [];
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('fetch', (_: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    const { n } = JSON.parse(body).draft;
    return new Promise((resolve, reject) => {
      respond.set(n, resolve);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
});

const startDrafts = (prepare?: () => Promise<() => void>) =>
  createDrafts({
    token: 'T',
    prepare: prepare ?? (async (n) => () => void events.push(`show ${n}`)),
    onFailed: (n, reason) => events.push(`${reason} ${n}`),
  });
const sendResponse = (n: number, status = 200, body: object = {} as RenderedDraft) =>
  respond.get(n)?.(Response.json(body, { status }));

test('responses are shown in order, and one that arrives after a newer one is dropped', async () => {
  const drafts = startDrafts();
  const shown = [1, 2, 3].map((n) => drafts.show(n, { n }));
  sendResponse(1);
  await shown[0];
  sendResponse(3);
  await shown[2];
  sendResponse(2);
  await Promise.all(shown);
  expect(events).toEqual(['show 1', 'show 3']);
});

test('a draft older than the shown one is not requested', async () => {
  const drafts = startDrafts();
  const shown = drafts.show(5, { n: 5 });
  sendResponse(5);
  await shown;
  await drafts.show(4, { n: 4 });
  expect(respond.has(4)).toBe(false);
});

test('if four requests are pending, a new draft replaces the oldest one', async () => {
  const drafts = startDrafts();
  const shown = [1, 2, 3, 4, 5].map((n) => drafts.show(n, { n }));
  sendResponse(1);
  await shown[0];
  expect(events).toEqual([]);
  for (const n of [2, 3, 4, 5]) sendResponse(n);
  await Promise.all(shown);
  expect(events).toEqual(['show 2', 'show 3', 'show 4', 'show 5']);
});

test.each([
  [401, 'expired', {}],
  [403, 'expired', {}],
  [413, 'too-large', {}],
  // Too many characters, in contrast to too many bytes.
  [413, 'too-long', { code: 'too-long', most: 500_000 }],
  [422, 'unreadable', {}],
  [429, 'silent', {}],
  [503, 'silent', {}],
])('a response with status %i is reported as %s', async (status, reason, body) => {
  const shown = startDrafts().show(1, { n: 1 });
  sendResponse(1, status, body);
  await shown;
  expect(events).toEqual([`${reason} 1`]);
});

test('a page whose code cannot be loaded is reported as failed', async () => {
  const shown = startDrafts(() => Promise.reject(new Error('no chunk'))).show(1, { n: 1 });
  sendResponse(1);
  await shown;
  expect(events).toEqual(['failed 1']);
});

test('a response that is no JSON is reported as silent, like no response', async () => {
  const shown = startDrafts().show(1, { n: 1 });
  respond.get(1)?.(new Response('<h1>Maintenance</h1>'));
  await shown;
  expect(events).toEqual(['silent 1']);
});

test('colours whose response is no JSON are reported as silent', async () => {
  vi.stubGlobal('document', { adoptedStyleSheets: [] });
  vi.stubGlobal('CSSStyleSheet', class {});
  vi.stubGlobal('fetch', async () => new Response('<h1>Maintenance</h1>'));
  const onFailed = vi.fn();
  await createColours({ token: 'T', onShown: () => {}, onFailed })({});
  expect(onFailed).toHaveBeenCalledExactlyOnceWith('silent');
});

test('the failure of an older draft is not reported once a newer one is shown', async () => {
  const drafts = startDrafts();
  const shown = [1, 2].map((n) => drafts.show(n, { n }));
  sendResponse(2);
  await shown[1];
  sendResponse(1, 503);
  await shown[0];
  expect(events).toEqual(['show 2']);
});
