import { createServer } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { form, formPath, json, MENUS, page, pagePath, ROUTES, route } from '@pillion/content/testing/fake-wordpress.ts';
import { startVirtualTime } from '@pillion/lib/testing/virtual-time.ts';
import { sendRawRequest } from '@pillion/tests/raw-request.ts';
import { expect, test, vi } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { listenForEach, startAppForEach } from '../testing/start-app-for-each.ts';
import * as encoding from './encoding.ts';
import { createListener, createRequestHandler } from './listener.ts';
import { createProxies } from './network.ts';

const HEADERS = { 'content-security-policy': "default-src 'none'", 'x-frame-options': 'DENY' };

let metrics: ReturnType<typeof createMetrics>;
const app = startAppForEach({ setup: { headers: HEADERS } });
const site = listenForEach(() => {
  metrics = createMetrics();
  const proxies = createProxies({ kind: 'none' });
  return createServer(
    createRequestHandler({ handleByApp: createListener(app.app, HEADERS), pageCache: app.pageCache, proxies, metrics }),
  );
});

const unpacked = (raw: Buffer, encoding: unknown) =>
  encoding === 'br' ? brotliDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw;

async function get(path: string, asked: Record<string, string> = {}, method = 'GET') {
  const { status, headers, bytes: raw } = await sendRawRequest(site.url, path, { headers: asked, method });
  const text = raw.length > 0 ? unpacked(raw, headers['content-encoding']).toString() : '';
  return { status, headers, raw, text, cacheStatus: String(headers['cache-status'] ?? '').replace('Pillion; ', '') };
}

/** Sends raw bytes that no client would send. @returns The first line of the response and its `Cache-Status`. */
function sendRaw(text: string): Promise<{ line: string; isHit: boolean; body: string }> {
  return new Promise((resolve) => {
    let all = '';
    const socket = connect(site.port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => {
      all += data.toString('latin1');
    });
    socket.on('close', () =>
      resolve({ line: all.split('\r\n', 1)[0] ?? '', isHit: /cache-status: Pillion; hit/i.test(all), body: all }),
    );
  });
}

const refresh = (id: number, path: string) => app.content.refresh({ type: 'page', id, path, status: 'publish' });

const cacheStatus = async (path: string, headers = {}) => (await get(path, headers)).cacheStatus;

test('a page is rendered once and sent again unchanged, with all headers of a response', async () => {
  const first = await get('/about/');
  const again = await get('/about/');
  expect([first.cacheStatus, again.cacheStatus]).toEqual(['fwd=miss; stored', 'hit']);
  expect(again.text).toBe(first.text);
  for (const name of Object.keys(HEADERS)) expect(again.headers[name]).toBe(first.headers[name]);
  for (const name of ['content-type', 'cache-control', 'cdn-cache-control', 'vary', 'etag'])
    expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
  expect(again.headers['server-timing']).toContain('cache;desc=hit');
  expect(again.headers['x-request-id']).toMatch(/^[\da-f]{32}$/);
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  expect(await metrics.render(), 'cached responses are counted too').toContain(
    'pillion_requests_total{route="page",status="200"} 1',
  );
});

test.each(['/about/', '/api/page?path=%2Fabout%2F&lang=en', '/api/shell?lang=en', '/about', '/nowhere/'])(
  '%s is cached the second time',
  async (path) => {
    const first = await get(path);
    const again = await get(path);
    expect(again.cacheStatus).toBe('hit');
    expect([again.status, again.text, again.headers.location]).toEqual([
      first.status,
      first.text,
      first.headers.location,
    ]);
  },
);

test.each(['/search?q=about', '/search/?q=about', '/api/page?path=%2Fsearch%3Fq%3Dabout', '/preview/1', '/preview'])(
  '%s is never cached',
  async (path) => {
    await get(path);
    await get(path);
    expect((await get(path)).headers['cache-status']).toBeUndefined();
    expect(app.pageCache?.figures().pages.count).toBe(0);
    expect(app.pageCache?.figures().unbounded.count).toBe(0);
  },
);

test('an error is never cached, and each visitor sees another request id', async () => {
  await get('/');
  app.wordpress.plays.set(pagePath(2), json({ code: 'broken' }, 500));
  const [one, two] = await Promise.all([get('/about/'), get('/about/')]);
  expect([one.status, two.status]).toEqual([503, 503]);
  for (const got of [one, two]) expect(got.text).toContain(String(got.headers['x-request-id']));
  expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id']);
  expect(one.headers['cache-control']).toBe('no-store');
});

test('a page whose form arrived too late shows it later', async () => {
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  const answer = json(form(1));
  app.wordpress.plays.set(formPath(1), (response, request) => void isHeld.then(() => answer(response, request)));
  const without = await get('/');
  expect([without.cacheStatus, without.text.includes('<form')]).toEqual(['fwd=miss; stored', false]);
  release();
  await expect.poll(async () => (await get('/')).text, { timeout: 10_000 }).toContain('<form');
  expect(await cacheStatus('/')).toBe('hit');
}, 20_000);

test('each page is cached in every encoding, and each client gets one that it accepts', async () => {
  const accepted = { br: 'br', gzip: 'gzip', identity: undefined, deflate: undefined, '': undefined };
  const texts = new Set<string>();
  for (let round = 0; round < 3; round += 1)
    for (const [accept, expected] of Object.entries(accepted)) {
      const got = await get('/about/', { 'accept-encoding': accept });
      expect([accept, got.headers['content-encoding']]).toEqual([accept, expected]);
      expect(Number(got.headers['content-length'])).toBe(got.raw.length);
      texts.add(got.text);
    }
  expect(texts.size).toBe(1);
  expect(app.pageCache?.figures().pages.count).toBe(1);
});

test('frequent pages are compressed with the highest Brotli level in the background', async () => {
  const first = await get('/about/', { 'accept-encoding': 'br' });
  await get('/about/', { 'accept-encoding': 'br' });
  await expect
    .poll(async () => (await get('/about/', { 'accept-encoding': 'br' })).raw.length)
    .toBeLessThan(first.raw.length);
  const best = await get('/about/', { 'accept-encoding': 'br' });
  expect(best.text).toBe(first.text);
  expect(best.headers.etag).toBe(first.headers.etag);
});

test('a client with the current page gets 304 in any encoding', async () => {
  const { headers } = await get('/about/', { 'accept-encoding': 'br' });
  const etag = String(headers.etag);
  for (const tag of [etag, etag.slice(2), `"a", ${etag}`, '*'])
    for (const encoding of ['br', 'gzip', 'identity']) {
      const got = await get('/about/', { 'if-none-match': tag, 'accept-encoding': encoding });
      expect([tag, got.status, got.raw.length]).toEqual([tag, 304, 0]);
      expect(got.headers).toMatchObject({ etag, vary: 'Accept-Encoding', ...HEADERS });
      expect(got.headers['cache-control']).toBe(headers['cache-control']);
      expect(got.headers['content-encoding']).toBeUndefined();
    }
  expect((await get('/about/', { 'if-none-match': 'W/"another"' })).status).toBe(200);
  const missing = await get('/nowhere/');
  expect((await get('/nowhere/', { 'if-none-match': String(missing.headers.etag) })).status).toBe(404);
});

test('a thousand requests at the time of a change cause one rendering and one call per source', async () => {
  await get('/about/'); // Loads modules that are loaded on first use.
  // On a busy machine, a page waits longer for WordPress than its budget.
  startVirtualTime();
  await app.reopen();
  for (const path of ['/', '/about/']) await app.request(`http://site.example${path}`);
  app.wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: '<p>Changed words</p>' } })));
  app.wordpress.requests.length = 0;
  const before = app.pageCache?.figures().byStatus.miss ?? 0;
  const receipt = refresh(2, '/about/');
  const all = await Promise.all(Array.from({ length: 1_000 }, () => app.request('http://site.example/about/')));
  expect(await receipt).toBe(true);
  for (const answer of all) expect(await answer.text()).toContain('Changed words');
  expect((app.pageCache?.figures().byStatus.miss ?? 0) - before).toBe(1);
  const calls = app.wordpress.requests.map(({ url }) => url.replace(/\?.*/, ''));
  expect(calls.length).toBe(new Set(calls).size);
});

test('no header, cookie or query of a visitor changes the page or is shown to another visitor', async () => {
  const { text } = await get('/about/');
  const marks = [
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.9' },
    { 'x-original-url': '/', 'x-rewrite-url': '/' },
    { 'x-http-method-override': 'POST' },
    { cookie: 'session=mine; theme=light' },
    { authorization: 'Basic YTpi' },
    { 'accept-language': 'de', accept: 'application/json' },
    { 'cache-control': 'no-cache', pragma: 'no-cache' },
    { range: 'bytes=0-3' },
    { 'user-agent': '<script>', referer: 'https://evil.example/' },
    { env: 'staging', 'x-request-id': 'chosen-by-me' },
    { host: 'evil.example' },
  ];
  for (const headers of marks) {
    const got = await get('/about/', headers as Record<string, string>);
    expect([headers, got.status, got.cacheStatus]).toEqual([headers, 200, 'hit']);
    expect(got.text).toBe(text);
    expect(JSON.stringify(got.headers)).not.toMatch(/evil|chosen-by-me|mine/);
  }
  for (const query of ['?utm_source=a', '?preview=true', '?path=/', '?lang=de', '?', '?a=%00', '?q=<script>'])
    expect([query, await cacheStatus(`/about/${query}`)]).toEqual([query, 'hit']);
  expect(app.pageCache?.figures().pages.count).toBe(1);
});

test.each([
  ['an invalid host', 'GET /about/ HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  ['a host with a path', 'GET /about/ HTTP/1.1\r\nHost: a/nowhere\r\nConnection: close\r\n\r\n'],
  ['a missing host', 'GET /about/ HTTP/1.0\r\n\r\n'],
  ['an invalid path', 'GET /\\elsewhere.example HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
])('a request with %s is rejected with all headers, also if the page is cached', async (_, text) => {
  await get('/about/');
  await get('/about/');
  const got = await sendRaw(text);
  expect([got.line, got.isHit]).toEqual([expect.stringContaining(' 400 '), false]);
  for (const header of [...Object.entries(HEADERS), ['cache-control', 'no-store']])
    expect(got.body.toLowerCase()).toContain(header.join(': ').toLowerCase());
});

test('a path in another spelling gets the router’s response', async () => {
  await Promise.all(['/about/', '/about/team/', '/', '/nowhere/'].map((path) => get(path)));
  const dots = ['/./about/', '/about/../', '/about/%2e%2e/', '/about/.'];
  const others = ['//about/', '/about//', '/%61bout/', '/about/?#', '/about/%00', '/ABOUT/', '/about/%20'];
  for (const path of [...dots, ...others]) {
    const got = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n`);
    const fresh = await app.request(new Request(new URL(`http://site.example${path}`)));
    expect([path, got.line]).toEqual([path, expect.stringContaining(` ${fresh.status} `)]);
    // Twice, because the first response may have been cached under another name.
    const again = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n`);
    expect([path, again.line]).toEqual([path, got.line]);
  }
});

test('the data of one path is never that of another, in any spelling', async () => {
  const pathsOf = async (query: string) => {
    const answers = [await get(`/api/page?${query}`), await get(`/api/page?${query}`)];
    return answers.map(({ status, text }) => `${status} ${JSON.parse(text).page?.path ?? JSON.parse(text).location}`);
  };
  await get('/api/page?path=%2Fabout%2F&lang=en');
  expect(await pathsOf('path=/about/&lang=en')).toEqual(['200 /about/', '200 /about/']);
  expect(await pathsOf('path=%2Fabout%2Fteam%2F')).toEqual(['200 /about/team/', '200 /about/team/']);
  expect(await pathsOf('path=%2Fabout%20%2F')).toEqual(['404 /about /', '404 /about /']);
  expect(await pathsOf('path=%2Fabout%2F%20x')).toEqual(['404 /about/ x', '404 /about/ x']);
  expect(await pathsOf('path=/nowhere/&path=/about/')).toEqual(['404 /nowhere/', '404 /nowhere/']);
  expect(await pathsOf('path=%2Fabout%3Fa%3D1')).toEqual(['301 /about/?a=1', '301 /about/?a=1']);
  expect(await pathsOf('path=%2Fabout%3Fa%3D2')).toEqual(['301 /about/?a=2', '301 /about/?a=2']);
  expect(await pathsOf('path=%2Fabout')).toEqual(['301 /about/', '301 /about/']);
  expect((await get('/api/page?path=about')).status).toBe(400);
});

test('all missing paths share one rendered and compressed document', async () => {
  const renders = async () =>
    Number(/^pillion_render_duration_seconds_count (\d+)$/m.exec((await get('/metrics')).text)?.[1] ?? Number.NaN);
  const packed = vi.spyOn(encoding, 'compress');
  const before = await renders();
  const answers: Awaited<ReturnType<typeof get>>[] = [];
  for (let at = 0; at < 40; at += 1) answers.push(await get(`/made-up-${at}/`, { 'accept-encoding': 'br' }));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect((await renders()) - before).toBe(1);
  expect(new Set(answers.map(({ raw }) => raw.toString('hex'))).size).toBe(1);
  expect(answers[0]?.text, 'the path is not in the document').not.toContain('made-up');
  expect(new Set(packed.mock.calls.map(([raw]) => raw)).size).toBe(1);
  expect(app.pageCache?.figures().unbounded.bytes, 'its bytes are counted once').toBeLessThan(40 * 4_000);
});

test('the document of a missing path has the current texts and menus', async () => {
  expect((await get('/made-up/')).text).not.toContain('Changed');
  const item = { title: 'Changed', url: '/about/', target: '', classes: [] };
  app.wordpress.plays.set(MENUS, json({ main_menu: { items: [item] }, social_menu: null, legals_menu: null }));
  expect(await app.content.refresh({ type: 'menu', id: 9, path: '/', status: 'publish' })).toBe(true);
  for (const path of ['/made-up/', '/made-up-too/']) expect((await get(path)).text).toContain('Changed');
});

test('a response that fits in a packet is not compressed', async () => {
  const got = await get('/api/page?path=/nowhere/&lang=en', { 'accept-encoding': 'br, gzip' });
  expect([got.status, got.headers['content-encoding'], JSON.parse(got.text).page.path]).toEqual([
    404,
    undefined,
    '/nowhere/',
  ]);
});

test('R29: a redirect to the canonical address keeps its request’s query and no other', async () => {
  for (const query of ['', '?a=1', '?b=2', '?from=mail&a=%20b', '', '?a=1']) {
    const { status, headers } = await get(`/about${query}`);
    expect([status, headers.location]).toEqual([301, `/about/${query}`]);
  }
});

test('HEAD has the same headers as GET, and neither affects the other’s cache', async () => {
  const head = await get('/about/', {}, 'HEAD');
  const whole = await get('/about/');
  const again = await get('/about/', {}, 'HEAD');
  expect([head.status, head.raw.length, again.raw.length]).toEqual([200, 0, 0]);
  expect(again.headers['content-length']).toBe(String(whole.raw.length));
  expect(again.headers.etag).toBe(whole.headers.etag);
  expect((await get('/about/')).text).toBe(whole.text);
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])(
  '%s is handled by the router, though the page is cached',
  async (method) => {
    await get('/about/');
    expect((await get('/about/', {}, method)).status).toBe(405);
  },
);

test('a response that another route gives to some visitors is requested every time', async () => {
  const outside = { 'x-forwarded-for': '203.0.113.9' };
  for (let round = 0; round < 3; round += 1) {
    expect((await get('/metrics', outside)).status).toBe(404);
    expect((await get('/media/none.webp')).status).toBe(404);
  }
  expect((await get('/metrics')).text).toContain('pillion_page_cache_bytes');
  // Both are cached, but the router handles each request first.
  expect(app.pageCache?.figures().unbounded.count).toBe(2);
});

test('a missing path is a page once one is published there', async () => {
  expect((await get('/new/')).status).toBe(404);
  expect((await get('/new/')).cacheStatus).toBe('hit');
  app.wordpress.plays.set(ROUTES, json([route(1, '/', { template: 'landing' }), route(9, '/new/')]));
  app.wordpress.plays.set(pagePath(9), json(page(9)));
  expect(await refresh(9, '/new/')).toBe(true);
  expect((await get('/new/')).status).toBe(200);
  expect(app.pageCache?.figures()).toMatchObject({ pages: { count: 1 }, unbounded: { count: 0 } });
});

test('requests above the share of one turn of the event loop wait, and still get a response', async () => {
  await get('/about/');
  const pipelined = 'GET /about/ HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(400);
  const last = 'GET /about/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const { body } = await sendRaw(pipelined + last);
  expect(body.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(401);
});
