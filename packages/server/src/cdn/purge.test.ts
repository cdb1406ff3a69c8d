import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type FakeSite, startFakeSite } from '@pillion/content/testing/fake-site.ts';
import { json, page, pagePath, ROUTES, route, STRINGS } from '@pillion/content/testing/fake-wordpress.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type StartedApp, startApp } from '../testing/start-app.ts';
import { createPurge, type PurgeOptions } from './purge.ts';

const KEY = randomBytes(24);

interface Purge {
  headers: IncomingMessage['headers'];
  tags: string[];
}

/** Requests that the CDN received, and its next statuses. Without any it answers 200. */
let purges: Purge[];
let statuses: number[];
let cdn: Server;
let url: string;
beforeEach(async () => {
  purges = [];
  statuses = [];
  cdn = createServer(async (request, response) => {
    const { tags } = JSON.parse(await text(request)) as { tags: string[] };
    purges.push({ headers: request.headers, tags });
    const status = statuses.shift() ?? 200;
    // 0 means that it hangs.
    if (status > 0) response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/purge?zone=7`;
});
afterEach(async () => {
  cdn.closeAllConnections();
  await new Promise((resolve) => cdn.close(resolve));
});

const purgedTags = () => purges.map(({ tags }) => tags);

let site: FakeSite;
let started: StartedApp | null = null;
const log: [event: string, details: Record<string, unknown>][] = [];
beforeEach(async () => {
  site = await startFakeSite();
  log.length = 0;
});
afterEach(async () => {
  await started?.close();
  started = null;
  await site.stop();
});

function start(env: Record<string, string> = { PURGE_URL: url, PURGE_TOKEN: 'a-token' }) {
  const secret = `whsec_${KEY.toString('base64')}`;
  started = startApp({
    ...site,
    log: (_level, event, details = {}) => void log.push([event, details]),
    env: { WEBHOOK_SECRET: secret, ...env },
  });
  return started;
}

/** Sends a change as WordPress does. @returns The response. */
async function tell(change: object): Promise<Response> {
  const [id, seconds, body] = [randomUUID(), Math.round(Date.now() / 1000), JSON.stringify(change)];
  const signature = createHmac('sha256', KEY).update(`${id}.${seconds}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
  const answer = await started?.app.request('/api/revalidate', { method: 'POST', body, headers });
  if (!answer) throw new Error('not started');
  return answer;
}

const tagsOf = async (path: string) =>
  (await started?.app.request(path))?.headers.get('cache-tag')?.split(',').toSorted() ?? null;

const PAGE = { id: 2, type: 'page', path: '/about/', status: 'publish' };

test('responses are tagged with their sources, with stable tags', async () => {
  start();
  const about = ['pillion', 'pillion-menus', 'pillion-page:2', 'pillion-routes', 'pillion-strings'];
  expect(await tagsOf('/about/')).toEqual(about);
  expect(await tagsOf('/api/page?path=/about/')).toEqual(about);
  expect(await tagsOf('/')).toContain('pillion-form:1');
  expect(await tagsOf('/nowhere/')).toEqual(
    ['pillion', 'pillion-menus', 'pillion-redirects', 'pillion-routes', 'pillion-strings'].toSorted(),
  );
  expect(await tagsOf('/api/shell')).toEqual(['pillion', 'pillion-menus', 'pillion-strings']);
  // Never cached, so nothing to purge.
  expect(await tagsOf('/search?q=about')).toBeNull();
  expect(await tagsOf('/healthz')).toBeNull();
});

test('without PURGE_URL responses have no tags', async () => {
  start({});
  expect(await tagsOf('/about/')).toBeNull();
});

test('a change sends one purge with the token and the affected tags', async () => {
  start();
  await tagsOf('/about/');
  expect((await tell(PAGE)).status).toBe(200);
  await expect.poll(purgedTags).toHaveLength(1);
  expect(purges[0]?.headers).toMatchObject({
    authorization: 'Bearer a-token',
    'content-type': 'application/json',
    'cache-tag': purges[0]?.tags.join(','),
  });
  // It is the first purge, so the CDN may have cached any state of shared content.
  expect(purges[0]?.tags).toEqual([
    'pillion-page:2',
    'pillion-routes',
    'pillion-menus',
    'pillion-strings',
    'pillion-redirects',
  ]);
  // Shared content is unchanged, so other pages are not affected.
  site.wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: '<p>New</p>', protected: false } })));
  site.wordpress.plays.set(ROUTES, json([route(1, '/'), route(2, '/about/', { modified: '2026-11-22T10:00:00' })]));
  await tell(PAGE);
  await expect.poll(purgedTags).toHaveLength(2);
  const second = purges[1]?.tags ?? [];
  expect(second).toContain('pillion-page:2');
  expect(second).not.toContain('pillion-menus');
});

test('a new page, a changed title and a changed text purge everything that shows them', async () => {
  start();
  // A purge has what has changed until its turn, so each change waits for the purge before it.
  await tell(PAGE);
  await expect.poll(purgedTags).toHaveLength(1);
  site.wordpress.plays.set(ROUTES, json([route(1, '/'), route(2, '/about/'), route(9, '/new/')]));
  site.wordpress.plays.set(pagePath(9), json(page(9)));
  await tell({ ...PAGE, id: 9, path: '/new/' });
  await expect.poll(purgedTags).toHaveLength(2);
  site.wordpress.plays.set(STRINGS, json({ brand: 'Other' }));
  await tell({ id: null, type: 'strings', path: null, status: null });
  await expect.poll(purgedTags).toHaveLength(3);
  expect(purgedTags().slice(1)).toEqual([['pillion-page:9', 'pillion-routes'], ['pillion-strings']]);
});

test('a deleted picture is purged with its sizes and its share pictures', async () => {
  start();
  await tell(PAGE);
  const media = (name: string) => tagsOf(`/media/${name}`);
  site.wordpress.plays.set('/wp-content/uploads/tour.webp', (response) => response.end('a picture'));
  site.wordpress.plays.set('/wp-content/uploads/tour-768x480.webp', (response) => response.end('a picture'));
  const tags = await media('tour.webp');
  expect(tags).toEqual(['pillion', expect.stringMatching(/^pillion-media:[\w-]{10}$/)]);
  expect(await media('tour-768x480.webp')).toEqual(tags);
  await tell({ id: 9, type: 'media', path: '/media/tour.webp', status: 'delete' });
  await expect.poll(purgedTags).toHaveLength(2);
  expect(purges[1]?.tags).toEqual([tags?.[1], 'pillion-share']);
});

test('a change of everything purges everything, a scheduled one nothing', async () => {
  start();
  await tell({ ...PAGE, status: 'future' });
  await tell({ id: 3, type: 'product', path: null, status: 'publish' });
  await expect.poll(purgedTags).toEqual([['pillion']]);
});

test('a CDN that hangs delays no receipt', async () => {
  start();
  statuses = [0];
  const answer = await tell(PAGE);
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ ok: true })]);
  expect(log.map(([event]) => event)).not.toContain('purge.done');
});

test('a change that the site cannot show yet purges nothing', async () => {
  start();
  await tagsOf('/about/');
  site.wordpress.plays.set('*', json({}, 500));
  for (const path of [ROUTES, pagePath(2), STRINGS]) site.wordpress.plays.set(path, json({}, 500));
  expect((await tell(PAGE)).status).toBe(503);
  await started?.close();
  started = null;
  expect(purges).toEqual([]);
});

const purgeOf = (more: Partial<PurgeOptions> = {}) => {
  const outcomes: string[] = [];
  const purge = createPurge({
    ...{ url, token: null, shared: async () => ({}), pausesMs: [1, 1] },
    log: (_level, event, details = {}) => void log.push([event, details]),
    onPurged: (outcome) => void outcomes.push(outcome),
    ...more,
  });
  return { purge, outcomes };
};

test.each([
  ['recovers', [503, 429], ['ok'], 3],
  ['stays down', [500, 500, 500, 500], ['failed'], 3],
  ['rejects the token', [401], ['failed'], 1],
])('a CDN that %s gets a limited number of retries', async (_, answers, expected, tries) => {
  const { purge, outcomes } = purgeOf();
  statuses = answers;
  purge.changed({ ...PAGE, id: 1 });
  await expect.poll(() => outcomes).toEqual(expected);
  expect(purges).toHaveLength(tries);
  expect(purges[0]?.headers.authorization).toBeUndefined();
  if (expected[0] === 'failed')
    expect(log).toEqual([['purge.failed', expect.objectContaining({ tries, tags: ['pillion-page:1'] })]]);
});

test('without a CDN server the purge is retried, counted and logged, and the next change is sent', async () => {
  const { port } = cdn.address() as AddressInfo;
  const { purge, outcomes } = purgeOf();
  cdn.closeAllConnections();
  await new Promise((resolve) => cdn.close(resolve));
  purge.changed(PAGE);
  await expect.poll(() => outcomes).toEqual(['failed']);
  await new Promise<void>((resolve) => cdn.listen(port, '127.0.0.1', resolve));
  purge.changed(PAGE);
  await expect.poll(() => outcomes).toEqual(['failed', 'ok']);
});

test('changes during an outage of the CDN become one purge of everything', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { purge, outcomes } = purgeOf({ shared: () => held.then(() => ({})) });
  for (let at = 0; at < 500; at += 1) purge.changed({ ...PAGE, id: at });
  release();
  await purge.close(10_000);
  await expect.poll(() => outcomes.length).toBe(51);
  expect(purgedTags().at(-1)).toEqual(['pillion']);
  purge.changed(PAGE);
  await expect.poll(() => outcomes.length).toBe(52);
});
