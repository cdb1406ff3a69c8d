import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { json, page, pagePath, ROUTES, route, STRINGS } from '@pillion/content/testing/fake-wordpress.ts';
import { WEBHOOK_SECRET } from '@pillion/content/testing/preview.ts';
import { signedHeaders } from '@pillion/lib/standard-webhooks.ts';
import { beforeEach, expect, test } from 'vitest';
import { listenForEach, startAppForEach } from '../testing/start-app-for-each.ts';
import { createPurge, type PurgeOptions } from './purge.ts';

interface Purge {
  headers: IncomingMessage['headers'];
  tags: string[];
}

/** Requests that the CDN received, and its next statuses. Without any it answers 200. */
let purges: Purge[];
let statuses: number[];
beforeEach(() => {
  purges = [];
  statuses = [];
});
const cdn = listenForEach(() =>
  createServer(async (request, response) => {
    const { tags } = JSON.parse(await text(request)) as { tags: string[] };
    purges.push({ headers: request.headers, tags });
    const status = statuses.shift() ?? 200;
    // 0 means that it hangs.
    if (status > 0) response.writeHead(status).end();
  }),
);
const urlOf = () => `${cdn.url}/purge?zone=7`;

const purgedTags = () => purges.map(({ tags }) => tags);

const app = startAppForEach({ isClosed: true });

const start = (env: Record<string, string> = { PURGE_URL: urlOf(), PURGE_TOKEN: 'a-token' }) =>
  app.open({ env: { WEBHOOK_SECRET, ...env } });

/** Sends a change as WordPress does. @returns The response. */
async function tell(change: object): Promise<Response> {
  const body = JSON.stringify(change);
  const headers = signedHeaders(WEBHOOK_SECRET, randomUUID(), body, Date.now());
  return app.request('/api/revalidate', { method: 'POST', body, headers });
}

const tagsOf = async (path: string) =>
  (await app.request(path)).headers.get('cache-tag')?.split(',').toSorted() ?? null;

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
  app.wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: '<p>New</p>', protected: false } })));
  app.wordpress.plays.set(ROUTES, json([route(1, '/'), route(2, '/about/', { modified: '2026-11-22T10:00:00' })]));
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
  app.wordpress.plays.set(ROUTES, json([route(1, '/'), route(2, '/about/'), route(9, '/new/')]));
  app.wordpress.plays.set(pagePath(9), json(page(9)));
  await tell({ ...PAGE, id: 9, path: '/new/' });
  await expect.poll(purgedTags).toHaveLength(2);
  app.wordpress.plays.set(STRINGS, json({ brand: 'Other' }));
  await tell({ id: null, type: 'strings', path: null, status: null });
  await expect.poll(purgedTags).toHaveLength(3);
  expect(purgedTags().slice(1)).toEqual([['pillion-page:9', 'pillion-routes'], ['pillion-strings']]);
});

test('a deleted picture is purged with its sizes and its share pictures', async () => {
  start();
  await tell(PAGE);
  const media = (name: string) => tagsOf(`/media/${name}`);
  app.wordpress.plays.set('/wp-content/uploads/tour.webp', (response) => response.end('a picture'));
  app.wordpress.plays.set('/wp-content/uploads/tour-768x480.webp', (response) => response.end('a picture'));
  const tags = await media('tour.webp');
  expect(tags).toEqual(['pillion', expect.stringMatching(/^pillion-media:[\w-]{10}$/)]);
  expect(await media('tour-768x480.webp')).toEqual(tags);
  await tell({ id: 9, type: 'media', path: '/media/tour.webp', status: 'delete' });
  await expect.poll(purgedTags).toHaveLength(2);
  expect(purges[1]?.tags).toEqual([tags?.[1], 'pillion-share']);
});

test('a change of everything purges everything, a scheduled one nothing', async () => {
  start();
  await tell({ ...PAGE, path: null, status: 'future' });
  await tell({ id: 3, type: 'product', path: null, status: 'publish' });
  await expect.poll(purgedTags).toEqual([['pillion']]);
});

test('a published page that becomes scheduled is purged', async () => {
  start();
  await tell({ ...PAGE, status: 'future' });
  await expect.poll(purgedTags).toEqual([expect.arrayContaining(['pillion-page:2'])]);
});

test('a CDN that hangs delays no receipt', async () => {
  start();
  statuses = [0];
  const answer = await tell(PAGE);
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ ok: true })]);
  expect(app.lines.map(({ event }) => event)).not.toContain('purge.done');
});

test('a change that the site cannot show yet purges nothing', async () => {
  start();
  await tagsOf('/about/');
  app.wordpress.plays.set('*', json({}, 500));
  for (const path of [ROUTES, pagePath(2), STRINGS]) app.wordpress.plays.set(path, json({}, 500));
  expect((await tell(PAGE)).status).toBe(503);
  await app.close();
  expect(purges).toEqual([]);
});

const log: [event: string, details: Record<string, unknown>][] = [];

const purgeOf = (more: Partial<PurgeOptions> = {}) => {
  const outcomes: string[] = [];
  log.length = 0;
  const purge = createPurge({
    ...{ url: urlOf(), token: null, shared: async () => ({}), pausesMs: [1, 1] },
    log: (_level, event, details = {}) => void log.push([event, details]),
    onPurged: (outcome) => void outcomes.push(outcome),
    ...more,
  });
  return { purge, outcomes };
};

test.each([
  ['recovers', [503, 429], 'ok', 3],
  ['stays down', [500, 500, 500], 'failed', 3],
  ['rejects the token', [401], 'failed', 1],
])('a CDN that %s gets a limited number of retries, and the next change', async (_, answers, outcome, tries) => {
  const { purge, outcomes } = purgeOf();
  statuses = answers;
  purge.purgeChange({ ...PAGE, id: 1 });
  await expect.poll(() => outcomes).toEqual([outcome]);
  expect(purges).toHaveLength(tries);
  expect(purges[0]?.headers.authorization).toBeUndefined();
  if (outcome === 'failed')
    expect(log).toEqual([['purge.failed', expect.objectContaining({ tries, tags: ['pillion-page:1'] })]]);
  purge.purgeChange(PAGE);
  await expect.poll(() => outcomes).toEqual([outcome, 'ok']);
});

test('without a CDN server the purge is retried, counted and logged', async () => {
  const { purge, outcomes } = purgeOf({ url: 'http://127.0.0.1:1/' });
  purge.purgeChange(PAGE);
  await expect.poll(() => outcomes).toEqual(['failed']);
  expect(log).toEqual([['purge.failed', expect.objectContaining({ tries: 3 })]]);
});

test('changes during an outage of the CDN become one purge of everything', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { purge, outcomes } = purgeOf({ shared: () => held.then(() => ({})) });
  for (let at = 0; at < 500; at += 1) purge.purgeChange({ ...PAGE, id: at });
  release();
  await purge.close(10_000);
  await expect.poll(() => outcomes.length).toBe(51);
  expect(purgedTags().at(-1)).toEqual(['pillion']);
  purge.purgeChange(PAGE);
  await expect.poll(() => outcomes.length).toBe(52);
});
