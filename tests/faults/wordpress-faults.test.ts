import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import {
  type FakeWordpress,
  hang,
  html,
  huge,
  json,
  type Play,
  redirect,
  serveSite,
  startFakeWordpress,
  truncated,
} from '@pillion/content/testing/fake-wordpress.ts';
import { signedHeaders } from '@pillion/lib/standard-webhooks.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolder, type RunningSite, startSite } from '../support/site.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** A WordPress that refuses connections is not running. */
const REFUSES = 'refuses';
const reset: Play = (_, request) => void request.socket.resetAndDestroy();

/** The ways in which WordPress fails. A hanging request takes 30 s, so this one comes last. */
const FAULTS: [string, Play | typeof REFUSES][] = [
  ['refuses connections', REFUSES],
  ['resets connections', reset],
  ['answers 500', json({ code: 'oops' }, 500)],
  ['answers 404', json({ code: 'rest_no_route' }, 404)],
  ['answers HTML with 200', html],
  ['answers half a JSON', truncated],
  ['answers 40 MB', huge(40_000_000)],
  ['redirects elsewhere', redirect('http://127.0.0.1:9/')],
  ['answers of another shape', json('hello')],
  ['hangs', hang],
];

let data: string;
let wordpress: FakeWordpress;
let site: RunningSite | null;
let isStopped: boolean;
/** Offset of the server's clock in milliseconds. */
let ahead: number;

/** @param clockMs Offset of the server's clock. After a minute, older cache entries are stale. */
const start = async (clockMs = 0) => {
  ahead = clockMs;
  site = await startSite({
    DATA_DIR: data,
    CLOCK_AHEAD_MS: String(clockMs),
    ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
    WEBHOOK_SECRET: SECRET,
  });
  return site;
};

const MINUTE_MS = 61_000;

/** Moves the running server's clock forward, or back if `ms` is negative. */
async function moveClock(ms: number): Promise<void> {
  ahead += ms;
  await site?.forward(ms);
}

beforeEach(async () => {
  data = createFolder();
  site = null;
  isStopped = false;
  wordpress = await startFakeWordpress();
  serveSite(wordpress);
});
afterEach(async () => {
  await site?.stop('SIGKILL');
  if (!isStopped) await wordpress.stop();
  rmSync(data, { recursive: true, force: true });
});

/** Makes every call to WordPress fail from now on. */
async function fail(fault: Play | typeof REFUSES): Promise<void> {
  wordpress.plays.clear();
  wordpress.requests.length = 0;
  isStopped = fault === REFUSES;
  if (fault === REFUSES) return wordpress.stop();
  wordpress.plays.set('*', fault);
}

async function mend(): Promise<void> {
  if (isStopped) wordpress = await startFakeWordpress(Number(new URL(wordpress.url).port));
  isStopped = false;
  wordpress.plays.clear();
  serveSite(wordpress);
}

const PAGES: [string, string][] = [
  ['/', 'Read <em>on</em>'],
  ['/about/', 'Content of 2'],
  ['/about/team/', 'Content of 3'],
  ['/api/page?path=/about/', 'Content of 2'],
];

/** Each page's path and status, and whether it contains the brand's text. */
async function visitAll(): Promise<[string, number, boolean][]> {
  return Promise.all(
    PAGES.map(async ([path, words]): Promise<[string, number, boolean]> => {
      const answer = await fetch(`${site?.url}${path}`, { redirect: 'manual' });
      const text = await answer.text();
      return [path, answer.status, text.includes(words) || text.includes(words.replaceAll('<', '\\u003c'))];
    }),
  );
}
const ALL_GOOD = PAGES.map(([path]) => [path, 200, true]);

/** Starts a server with a filled cache. A slow machine may need more than one visit. */
async function startWarm(): Promise<void> {
  await start();
  await expect.poll(visitAll, { timeout: 30_000 }).toEqual(ALL_GOOD);
}

/** Sends a change to the site, signed as the plugin signs it. */
async function tell(change: object): Promise<number> {
  const body = JSON.stringify(change);
  const headers = signedHeaders(SECRET, randomUUID(), body, Date.now() + ahead);
  return (await fetch(`${site?.url}/api/revalidate`, { method: 'POST', headers, body })).status;
}

const wasMet = (fault: Play | typeof REFUSES) => fault === REFUSES || wordpress.requests.length > 0;

test('invariant 9: when WordPress fails in any way, each cached page is served, also once it is stale', async () => {
  await startWarm();
  for (const [name, fault] of FAULTS) {
    await fail(fault);
    await moveClock(MINUTE_MS);
    expect(await visitAll(), name).toEqual(ALL_GOOD);
    await expect.poll(() => wasMet(fault), { message: name }).toBe(true);
    expect(await visitAll(), name).toEqual(ALL_GOOD);
    await mend();
  }
});

test('invariant 9: when WordPress fails after a change, pages stay as they were and none is reported live', async () => {
  await startWarm();
  for (const [name, fault] of FAULTS) {
    await fail(fault);
    const status = tell({ id: 2, type: 'page', path: '/about/' });
    await expect.poll(() => wasMet(fault), { message: name }).toBe(true);
    expect(await visitAll(), name).toEqual(ALL_GOOD);
    expect(await status, name).toBe(503);
    expect(await visitAll(), name).toEqual(ALL_GOOD);
    await mend();
  }
});

test('invariant 9: without a cache a visitor sees a neutral error, and the pages once WordPress works', async () => {
  await fail(REFUSES);
  await start();
  const response = await fetch(`${site?.url}/`);
  const text = await response.text();
  const headers = ['cache-control', 'retry-after'].map((name) => response.headers.get(name));
  expect([response.status, ...headers]).toEqual([503, 'no-store', '10']);
  expect(text).toContain('This site cannot be shown right now');
  expect(text).not.toMatch(/Example/);
  const sheets = Array.from(text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g), ([, href]) => href);
  expect(sheets).toEqual([expect.stringMatching(/\/style-/), expect.stringMatching(/\/error-page-/)]);
  for (const href of sheets) expect((await fetch(`${site?.url}${href}`)).status).toBe(200);
  await mend();
  await moveClock(MINUTE_MS);
  await expect.poll(visitAll, { timeout: 20_000 }).toEqual(ALL_GOOD);
});
