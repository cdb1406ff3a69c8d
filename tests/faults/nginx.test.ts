import { cpSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import {
  type FakeWordpress,
  form,
  formPath,
  json,
  page,
  pagePath,
  serveSite,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import { CAMPAIGN_PARAMETERS, NO_VARY_SEARCH } from '@pillion/lib/campaign-parameters.ts';
import { expect, test } from 'vitest';
import { type Nginx, runNginx, startNginx } from '../support/nginx.ts';
import { parseMetrics } from '../support/prometheus.ts';
import { sendRawRequest } from '../support/raw-request.ts';
import { findFreePort, type RunningSite, startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { folder, forTest, undo } = undoAfterEach();

const connectionTo = ({ url }: FakeWordpress) => ({
  ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
});

async function startContent(): Promise<FakeWordpress> {
  const wordpress = await forTest(startFakeWordpress());
  serveSite(wordpress);
  return wordpress;
}

test('invariant 13: without servers the proxy shows its cache, and new content once a server returns', async () => {
  const wordpress = await startContent();
  const port = String(await findFreePort());
  const start = async () => {
    const site = await forTest(startSite({ ...connectionTo(wordpress), ...{ PORT: port, DATA_DIR: folder() } }));
    // A page is 503 until WordPress has responded, and the proxy would show its cache.
    for (const path of ['/', '/about/', '/about/team/'])
      await expect.poll(async () => (await fetch(site.url + path)).status).toBe(200);
    return site;
  };
  const site = await start();
  const nginx = await startProxy(Number(port));

  const visit = async (path: string) => {
    const answer = await fetch(nginx.url + path);
    return { status: answer.status, from: answer.headers.get('x-cache'), text: await answer.text() };
  };
  const asset = /\/assets\/[^"]+\.css/.exec((await visit('/')).text)?.[0] ?? '';
  const paths = ['/', '/about/', '/about/team/', asset];
  const before = await Promise.all(paths.map(visit));
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200]);

  await site.stop('SIGKILL');
  // Once the cache is no longer fresh, only stale responses are left.
  await expect.poll(async () => (await visit('/about/')).from, { timeout: 30_000, interval: 250 }).toBe('STALE');
  const after = await Promise.all(paths.map(visit));
  expect(after.map(({ status, text }) => [status, text])).toEqual(before.map(({ text }) => [200, text]));
  const clicked = await visit('/about/?gclid=nobody-had-it&utm_campaign=launch');
  expect([clicked.status, clicked.text], 'a new click id').toEqual([200, after[1]?.text]);
  for (const path of ['/never-visited/', '/about/?page=2']) expect((await visit(path)).status, path).toBe(502);

  wordpress.plays.set(pagePath(2), json(page(2, { title: { rendered: 'Edited since' } })));
  await start();
  const first = await visit('/about/');
  expect([first.status, /<title>([^<]*)/.exec(first.text)?.[1]]).toEqual([
    200,
    expect.stringContaining('Edited since'),
  ]);
});

/** nginx in front of these ports. */
const startProxy = (...servers: number[]): Promise<Nginx> => forTest(startNginx(folder(), servers));

const portOf = ({ url }: RunningSite) => Number(new URL(url).port);

/** A server with the bundled fixture behind nginx. */
async function startBehindNginx(env: Record<string, string> = {}) {
  const site = await forTest(startSite({ TRUST_PROXY: '1', ...env }));
  return { site, nginx: await startProxy(portOf(site)) };
}

const filled = () => new URLSearchParams({ form_id: '1', input_1: 'Ada', input_2: 'ada@example.org', input_3_1: '1' });

test('nginx caches what the servers allow: pages for seconds, responses to one visitor never', async () => {
  const { nginx } = await startBehindNginx();
  const cached = async (path: string, init: RequestInit = {}) => {
    const ask = () => fetch(nginx.url + path, { redirect: 'manual', ...init });
    const first = await ask();
    const again = await ask();
    await Promise.all([first.arrayBuffer(), again.arrayBuffer()]);
    return again.headers.get('x-cache');
  };
  const asset = /\/assets\/[^"]+\.css/.exec(await (await fetch(nginx.url)).text())?.[0] ?? 'none';
  for (const path of ['/', '/api/page?path=%2F&lang=en', '/api/shell?lang=en', '/nowhere/', '/about', asset])
    expect([path, await cached(path)]).toEqual([path, 'HIT']);
  const never = ['/search?q=tour', '/api/sign-ups/token', '/preview/1', '/preview/open?token=a', '/healthz'];
  for (const path of never) expect([path, await cached(path)]).not.toEqual([path, 'HIT']);
  const headers = { accept: 'application/json' };
  expect(await cached('/api/sign-ups', { method: 'POST', body: filled(), headers })).toBeNull();
});

/** Number of entries in nginx's cache. While nginx renews one, the new response is a file with a longer name. */
const keptFiles = ({ directory }: Nginx) =>
  readdirSync(join(directory, 'cache'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /^[0-9a-f]{32}$/.test(entry.name),
  ).length;

const pagesAsked = async ({ url }: RunningSite) =>
  (parseMetrics(await (await fetch(`${url}/metrics`)).text()).get('pillion_requests_total')?.samples ?? [])
    .filter(({ labels }) => labels.route === 'page')
    .reduce((sum, { value }) => sum + value, 0);

test('10,000 click ids on three pages make three cache entries', async () => {
  const { nginx, site } = await startBehindNginx();
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  undo(() => agent.destroy());
  const visit = (path: string) => sendRawRequest(nginx.url, path, { agent });
  const pages = ['/', '/paper-notes/', '/privacy-policy/'];
  // The response by which `runNginx` sees that nginx has started.
  await expect.poll(() => keptFiles(nginx)).toBe(1);
  for (const page of pages) expect([page, (await visit(`${page}?gclid=first`)).status]).toEqual([page, 200]);
  const before = await pagesAsked(site);
  let next = 0;
  const click = async () => {
    while (next < 10_000) {
      const id = next++;
      const query = `?utm_source=google&utm_medium=cpc&gad_source=1&gad_campaignid=7&gclid=id-${id}&gbraid=${id}`;
      const { status } = await visit(`${pages[id % 3]}${query}`);
      if (status !== 200) throw new Error(`${id}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 20 }, click));
  expect(keptFiles(nginx)).toBe(1 + pages.length);
  // nginx requests each page again every 5 seconds. Without its cache these are 10,000.
  expect((await pagesAsked(site)) - before).toBeLessThan(1_000);
}, 120_000);

test('nginx removes campaign parameters only from cache keys of pages, and redirects keep them', async () => {
  const { nginx } = await startBehindNginx();
  const from = async (path: string) => (await sendRawRequest(nginx.url, path)).headers['x-cache'];
  await from('/paper-notes/?b=1&a=2');
  for (const name of CAMPAIGN_PARAMETERS)
    expect([name, await from(`/paper-notes/?b=1&${name}=x%26y&a=2`)]).toEqual([name, 'HIT']);
  for (const same of [
    '?gclid&b=1&a=2',
    '?b=1&a=2&gclid=1&fbclid=2',
    '?_gl=1&b=1&gclid=2&gclid=3&a=2&utm_id=',
    '?b=1&a=2&',
  ])
    expect([same, await from(`/paper-notes/${same}`)]).toEqual([same, 'HIT']);
  const others = [
    '',
    '?a=2&b=1',
    '?b=1&a=2&utm_sources=1',
    '?b=1&a=2&xgclid=1',
    '?b=1&a=2&UTM_SOURCE=1',
    '?b=1&a=gclid=1',
  ];
  for (const other of others) expect([other, await from(`/paper-notes/${other}`)]).toEqual([other, 'MISS']);

  const sent = async (path: string) => (await sendRawRequest(nginx.url, path)).headers['no-vary-search'];
  expect(await sent('/paper-notes/?gclid=7')).toBe(NO_VARY_SEARCH);
  for (const path of ['/paper-notes?gclid=7', '/api/page?path=%2F', '/search?q=tour'])
    expect([path, await sent(path)]).toEqual([path, undefined]);
  // nginx drops a separator only after it removed parameters. In a path it names another page.
  expect((await sendRawRequest(nginx.url, '/privacy-policy/&')).status).toBe(404);
  expect((await sendRawRequest(nginx.url, '/privacy-policy/')).status).toBe(200);
  await from('/privacy-policy/?a=1?');
  expect(await from('/privacy-policy/?a=1')).toBe('MISS');

  const led = async (query: string) => {
    const { status, headers } = await sendRawRequest(nginx.url, `/paper-notes${query}`);
    return [status, headers.location, headers['x-cache']];
  };
  for (const query of ['', '?gclid=1', '?gclid=2&a=1'])
    expect([await led(query), await led(query)]).toEqual(
      ['MISS', 'HIT'].map((way) => [301, `/paper-notes/${query}`, way]),
    );

  for (const path of ['/api/page?path=%2F&lang=en', '/api/shell?lang=en']) {
    await from(path);
    expect([path, await from(`${path}&gclid=1`)]).toEqual([path, 'MISS']);
  }
  for (const _ of ['once', 'again']) expect(await from('/search?q=tour&gclid=1')).toBe('MISS');
});

test('nginx passes on the compressed responses of the servers unchanged, and compresses nothing again', async () => {
  const { nginx, site } = await startBehindNginx();
  for (const encoding of ['br', 'gzip', 'identity']) {
    const [behind, before] = await Promise.all(
      [site.url, nginx.url].map((url) => sendRawRequest(url, '/', { headers: { 'accept-encoding': encoding } })),
    );
    expect([encoding, before?.headers['content-encoding']]).toEqual([encoding, behind?.headers['content-encoding']]);
    expect(before?.headers.etag).toBe(behind?.headers.etag);
    expect(before?.bytes.equals(behind?.bytes ?? Buffer.alloc(0))).toBe(true);
  }
});

test('bodies and headers are limited, and a form with files may be larger than one without', async () => {
  const { nginx } = await startBehindNginx();
  const post = async (path: string, bytes: number) => {
    const answer = await fetch(nginx.url + path, {
      method: 'POST',
      body: Buffer.alloc(bytes, 'x'),
      headers: { 'content-type': 'application/octet-stream' },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await post('/', 70_000)).toBe(413);
  expect(await post('/api/revalidate', 70_000)).toBe(413);
  expect(await post('/api/sign-ups', 12_000_000)).toBe(413);
  // These reach the server, which rejects them itself.
  expect(await post('/api/sign-ups', 60_000)).toBe(415);
  expect(await post('/preview/render', 1_900_000)).toBe(503);
  const long = await sendRawRequest(nginx.url, `/?${'a'.repeat(9_000)}`);
  expect(long.status).toBe(414);
  expect((await sendRawRequest(nginx.url, '/', { headers: { cookie: 'a'.repeat(9_000) } })).status).toBe(400);
});

test('files of a form pass through nginx unchanged and are not stored on its disk', async () => {
  const wordpress = await startContent();
  const fields = [{ id: 1, type: 'fileupload', label: 'Film', isRequired: true }];
  wordpress.plays.set(formPath(1), json(form(1, { fields })));
  const { nginx } = await startBehindNginx(connectionTo(wordpress));
  const written: unknown[] = [];
  const watcher = watch(join(nginx.directory, 'client_body'), (...event) => written.push(event));
  undo(() => watcher.close());
  const body = new FormData();
  body.set('form_id', '1');
  body.set('input_1', new Blob([Buffer.alloc(10_000_000, 'x')]), 'film.bin');
  const headers = { accept: 'application/json' };
  const answer = await fetch(`${nginx.url}/api/sign-ups`, { method: 'POST', body, headers });
  expect([answer.status, (await answer.json()) as unknown]).toEqual([200, expect.objectContaining({ ok: true })]);
  expect(written).toEqual([]);
});

test('limits count by the visitor address from nginx, not by forged headers', async () => {
  const { nginx } = await startBehindNginx();
  const post = async (localAddress: string, forwarded: string) => {
    const answer = await sendRawRequest(nginx.url, '/api/sign-ups', {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': forwarded,
      },
      body: filled().toString(),
      localAddress,
    });
    return answer.status;
  };
  const one: number[] = [];
  // One visitor who claims another address each time.
  for (let at = 0; at < 60; at += 1) one.push(await post('127.0.0.7', `203.0.113.${at}`));
  expect(one.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(await post('127.0.0.8', '203.0.113.1')).toBe(200);
});

test('a file that one server lacks is requested from the next, as for a page of a new build', async () => {
  const data = folder();
  const assets = join(data, 'builds', 'earlier', 'assets');
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(assets, 'only-Ab12Cd34.js'), '// only here');
  const [one, two] = [await forTest(startSite({ DATA_DIR: data })), await forTest(startSite())];
  const status = (url: string) => sendRawRequest(url, '/assets/only-Ab12Cd34.js').then((answer) => answer.status);
  expect([await status(one.url), await status(two.url)]).toEqual([200, 404]);
  const nginx = await startProxy(portOf(one), portOf(two));
  // Each request has another query, so that nginx alternates between the servers.
  const seen = await Promise.all(
    Array.from({ length: 8 }, (_, at) => sendRawRequest(nginx.url, `/assets/only-Ab12Cd34.js?${at}`)),
  );
  expect(seen.map((answer) => answer.status)).toEqual(Array(8).fill(200));
});

test('preview tokens are in no log, and metrics are not public', async () => {
  const { nginx } = await startBehindNginx();
  await sendRawRequest(nginx.url, '/preview/open?token=secret-of-the-editor');
  await expect.poll(() => readFileSync(nginx.accessLog, 'utf8')).toContain('"GET /preview/open HTTP/1.1"');
  expect(readFileSync(nginx.accessLog, 'utf8')).not.toContain('secret-of-the-editor');
  expect((await sendRawRequest(nginx.url, '/metrics')).status).toBe(404);
});

test('nginx in front of WordPress serves no visitor’s uploads', async () => {
  const [directory, port] = [folder(), await findFreePort()];
  const uploads = join(directory, 'html/wp-content/uploads');
  mkdirSync(join(uploads, 'pillion/7'), { recursive: true });
  writeFileSync(join(uploads, 'a.txt'), 'for everybody');
  writeFileSync(join(uploads, 'pillion/7/cv.txt'), 'for editors');
  cpSync('deploy/nginx/pillion', join(directory, 'pillion'), { recursive: true });
  const inside = (rule: string) =>
    `server { listen 127.0.0.1:${port}; root ${join(directory, 'html')}; location ~ \\.txt$ {} ${rule} }`;
  const nginx = await forTest(runNginx(directory, inside('include pillion/wordpress-uploads.conf;'), port));
  const status = (path: string) =>
    sendRawRequest(nginx.url, `/wp-content/uploads/${path}`).then((answer) => answer.status);
  expect([
    await status('a.txt'),
    await status('pillion/7/cv.txt'),
    await status('pillion/../pillion/7/cv.txt'),
  ]).toEqual([200, 403, 403]);
});
