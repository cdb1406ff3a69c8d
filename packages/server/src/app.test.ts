import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  form,
  formPath,
  hang,
  html,
  json,
  MENUS,
  page,
  pagePath,
  route,
  STRINGS,
} from '@pillion/content/testing/fake-wordpress.ts';
import { WEBHOOK_SECRET } from '@pillion/content/testing/preview.ts';
import { EVERY_ANSWER, EVERY_FIELD } from '@pillion/forms/testing/every-field.ts';
import { signedHeaders } from '@pillion/lib/standard-webhooks.ts';
import { MAX_RESPONSE_MS, startVirtualTime } from '@pillion/lib/testing/virtual-time.ts';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SITE } from './testing/start-app.ts';
import { startAppForEach } from './testing/start-app-for-each.ts';

const app = startAppForEach({
  setup: { headers: { 'x-content-type-options': 'nosniff' }, isDelivering: true },
  isClosed: true,
});
beforeEach(() => app.open({ source: 'bundled' }));

const errors = () => app.lines.filter(({ level }) => level === 'error').map(({ event }) => event);

/** Longest wait for WordPress, in milliseconds. */
const PAGE_MS = 1_500;

const asPage = (path: string) => `/api/page?path=${encodeURIComponent(path)}`;

test.each([
  ['plain', true],
  [null, false],
  ['"><script>', false],
])('R32: of the tone %j the document says that the music is plain: %s (decision 053)', async (tone, isPlain) => {
  app.wordpress.plays.set(STRINGS, json({ brand: 'B', audio: { url: '', tone } }));
  await app.reopen({ source: 'wordpress' });
  const html = await (await app.request('/')).text();
  expect(/<html[^>]*>/.exec(html)?.[0].includes(' data-music="plain"')).toBe(isPlain);
  expect(html.includes('data-music')).toBe(isPlain);
});

test('R29: the page endpoint accepts only paths of this site, never a host', async () => {
  const host = 'elsewhere.example';
  for (const path of ['//', `//${host}`, `/\\${host}`, '/\\', '//[', '//a:b', `/..//${host}`]) {
    const answer = await app.request(asPage(path));
    expect([301, 404], path).toContain(answer.status);
    expect(await answer.text(), path).not.toMatch(/"location":"(?!\/["a-z])/);
  }
  expect(errors()).toEqual([]);
});

test('R12: the page for a missing path is not indexed and names this site, with any host in the request', async () => {
  for (const path of ['//elsewhere.example/', '//a:b/', '/%5Celsewhere.example', '//%5B']) {
    const answer = await app.request(`${SITE}${path}`);
    expect([answer.status, answer.headers.get('x-robots-tag')], path).toEqual([404, 'noindex']);
    const text = await answer.text();
    expect(text, path).toContain('<meta name="robots" content="noindex">');
    expect(text, path).not.toMatch(/content="https?:\/\/(?!site\.example\/)|rel="canonical"/);
  }
  expect(errors()).toEqual([]);
});

const SEARCH = '/wp-json/wp/v2/search';
const found = (id: number, subtype = 'page') => ({ id, subtype });
const searchFor = async (query: string) => {
  const answer = await app.request(asPage(`/search?${new URLSearchParams({ q: query })}`));
  return { answer, search: (await answer.json()).page.search };
};

test('R31: results have WordPress’ order and contain only pages of the site', async () => {
  await app.reopen();
  app.wordpress.plays.set(SEARCH, json([found(3), null, { id: 'x' }, found(2, 'product'), found(99), found(1)]));
  const { answer, search } = await searchFor('a tour & more');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(search.hits.map(({ path }: { path: string }) => path)).toEqual(['/about/team/', '/']);
  expect(search).toMatchObject({ query: 'a tour & more', total: 2, isPartial: false });
  const asked = app.wordpress.requests.find(({ url }) => url.startsWith(SEARCH));
  expect(new URL(asked?.url ?? '', SITE).searchParams.get('search')).toBe('a tour & more');
  expect(asked?.headers.authorization).toMatch(/^Basic /);
});

test('R31: if WordPress cannot search, the known pages are searched and the visitor is informed', async () => {
  await searchFor('read'); // Loads modules that are loaded on first use.
  await app.reopen();
  startVirtualTime();
  for (const play of [json({ code: 'broken' }, 500), html, hang]) {
    app.wordpress.plays.set(SEARCH, play);
    const begun = performance.now();
    const { answer, search } = await searchFor('read');
    expect(performance.now() - begun).toBeLessThan(MAX_RESPONSE_MS);
    expect(answer.status).toBe(200);
    expect(search).toMatchObject({ isPartial: true, total: 1, hits: [{ path: '/' }] });
  }
});

test('R31: parallel searches send a few requests to WordPress at a time, and all get a response in time', async () => {
  await searchFor('read'); // Loads modules that are loaded on first use.
  await app.reopen();
  await textOf('/');
  let takesMs = 40;
  let under = 0;
  let most = 0;
  app.wordpress.plays.set(SEARCH, (response) => {
    under += 1;
    most = Math.max(most, under);
    setTimeout(() => {
      under -= 1;
      json([found(1)])(response, response.req);
    }, takesMs);
  });
  startVirtualTime();
  const all = (count: number) => Promise.all(Array.from({ length: count }, (_, i) => searchFor(`read ${i % 7}`)));
  // Few enough that none times out: WordPress learns of an aborted request later than the next one arrives.
  await all(12);
  expect(most).toBe(3);
  takesMs = 200;
  const begun = performance.now();
  const answers = await all(60);
  expect(performance.now() - begun).toBeLessThan(MAX_RESPONSE_MS);
  expect(answers.map(({ answer }) => answer.status)).toEqual(Array(60).fill(200));
});

test('R31: a query of ten thousand characters, of markup, without text or with an extra word finds nothing', async () => {
  for (const query of ['x'.repeat(1500), '<script>alert(1)</script>', '', ' ', '%', 'אבג', 'paper submarine']) {
    const { answer, search } = await searchFor(query);
    expect([answer.status, search.total], query).toEqual([200, 0]);
  }
  expect((await app.request(`/search?q=${'x'.repeat(10_000)}`)).status).toBe(200);
  const page = await (await app.request(`/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)).text();
  expect(page).not.toContain('<script>alert');
  expect(errors()).toEqual([]);
});

test('R31: results have ten pages each, and an invalid page number shows the first', async () => {
  await app.reopen();
  const routes = Array.from({ length: 25 }, (_, i) => route(i + 1, i === 0 ? '/' : `/page-${i}/`));
  app.wordpress.plays.set('/wp-json/gusto/routes', json(routes));
  app.wordpress.plays.set(SEARCH, json(routes.map(({ id }) => found(id))));
  const pageOf = async (page: string) =>
    (await (await app.request(asPage(`/search?q=a&page=${page}`))).json()).page.search;
  expect(await pageOf('3')).toMatchObject({ total: 25, page: 3, pages: 3 });
  expect((await pageOf('3')).hits).toHaveLength(5);
  for (const [asked, page] of Object.entries({ '0': 1, '-4': 1, x: 1, '99': 3 }))
    expect((await pageOf(asked)).page, asked).toBe(page);
});

test('R31: the search has one address and asks not to be indexed', async () => {
  const moved = await app.request(`${SITE}/search/?q=night`);
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/search?q=night']);
  const page = await app.request(`${SITE}/search?q=night`);
  const headers = ['x-robots-tag', 'cache-control'].map((name) => page.headers.get(name));
  expect([page.status, ...headers]).toEqual([200, 'noindex', 'no-store']);
  expect(await page.text()).toMatch(/<title>Search: night \| /);
});

const textOf = async (path: string) => (await app.request(`${SITE}${path}`)).text();
const locs = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc);

test('an editor’s redirect keeps the request’s query, and caches keep it no longer than a page', async () => {
  const items = [
    { from: '/old/', status: 302, to: '/about/?a=1#team' },
    { from: '/older/', status: 301, to: '/about/' },
    { from: '/gone/', status: 410, to: null },
  ];
  app.wordpress.plays.set('/wp-json/pillion/v1/redirects', json({ total: 3, per_page: 1000, items }));
  await app.reopen();
  for (const [path, status, location] of [
    ['/old', 302, '/about/?a=1#team'],
    ['/old/?', 302, '/about/?a=1#team'],
    ['/old/?b=2&c=%20', 302, '/about/?a=1&b=2&c=%20#team'],
    ['/older?b=2', 301, '/about/?b=2'],
  ] as const) {
    const answer = await app.request(path);
    expect([answer.status, answer.headers.get('location')], path).toEqual([status, location]);
    expect(answer.headers.get('cache-control'), path).toMatch(/^public, max-age=0, s-maxage=5, /);
    const asJson = await app.request(asPage(path));
    expect([asJson.status, asJson.headers.get('location')], path).toEqual([status, null]);
    expect(await asJson.json(), path).toEqual({ status, location });
  }
  expect(errors()).toEqual([]);
});

test('a removed path gets 410 with a page that is not indexed', async () => {
  const path = '/first-edition/';
  const answer = await app.request(path);
  expect(answer.status).toBe(410);
  expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=0, s-maxage=5, /);
  const html = await answer.text();
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).not.toContain('rel="canonical"');
  expect(html).toContain('This page has been removed');
  const asJson = await app.request(asPage('/first-edition'));
  expect(asJson.status).toBe(410);
  expect(await asJson.json()).toMatchObject({ status: 410, page: { status: 410, template: 'gone' } });
  for (const address of ['/sitemap.xml', '/api/page?path=/search%3Fq%3Dedition'])
    expect(await (await app.request(address)).text()).not.toContain(path);
});

test('without any content from WordPress the response is 503 in neutral words', async () => {
  await app.close();
  await app.wordpress.stop();
  app.open();
  for (const path of ['/', '/privacy-policy/', '/nowhere/', '/sitemap.xml', '/site.webmanifest']) {
    const answer = await app.request(SITE + path);
    const { status, headers } = answer;
    expect([status, headers.get('cache-control'), headers.get('retry-after')], path).toEqual([503, 'no-store', '10']);
    expect(await answer.text(), path).not.toMatch(/Example|pillion/);
  }
  const data = await app.request(SITE + asPage('/'));
  expect(data.status).toBe(503);
  expect(await data.text()).not.toMatch(/Example/);
  expect((await app.request(`${SITE}/media/hero.webp`)).status).toBe(503);
  expect((await app.request(`${SITE}/readyz`)).status).toBe(503);
});

test('above fifty thousand pages the sitemap is an index of sitemaps', async () => {
  await app.reopen();
  const routes = Array.from({ length: 50_001 }, (_, i) => route(i + 1, i === 0 ? '/' : `/page-${i}/`));
  const none = { theme: null, canonical: null, group: null };
  app.content.routes = async () =>
    routes.map((wire) => ({ ...wire, ...none, restBase: 'pages', isFront: wire.is_front, noindex: false }));
  const parts = locs(await textOf('/sitemap.xml'));
  expect(parts).toEqual([`${SITE}/sitemap-1.xml`, `${SITE}/sitemap-2.xml`]);
  const [first, second] = await Promise.all(['/sitemap-1.xml', '/sitemap-2.xml'].map(textOf));
  expect([locs(first ?? '').length, locs(second ?? '').length]).toEqual([50_000, 1]);
  expect((await app.request(`${SITE}/sitemap-3.xml`)).status).toBe(404);
});

test('robots.txt names the sitemap, excludes search and endpoints, except colours; in staging all', async () => {
  const lines = (await textOf('/robots.txt')).split('\n');
  // RFC 9309, 2.2.3: without `$` a rule also matches pages such as `/search-party/`.
  const searches = ['/search', '/de/search', '/ar/search'].flatMap((path) => [`${path}$`, `${path}?`]);
  const disallowed = ['/api/', ...searches].map((path) => `Disallow: ${path}`);
  expect(lines).toEqual([
    'User-agent: *',
    'Allow: /api/look.css',
    ...disallowed,
    '',
    `Sitemap: ${SITE}/sitemap.xml`,
    '',
  ]);
  await app.reopen({ source: 'bundled', env: { DEPLOY_ENV: 'staging' } });
  expect(await textOf('/robots.txt')).toBe('User-agent: *\nDisallow: /\n');
});

test('a site without icons names none, neither in documents nor in the manifest, which has its name', async () => {
  expect(await textOf('/')).not.toMatch(/rel="(?:apple-touch-)?icon"/);
  expect(JSON.parse(await textOf('/site.webmanifest'))).toMatchObject({ name: 'Example', icons: [] });
});

/** Sends a change as WordPress does. */
function tell(change: object | string, more: Record<string, string> = {}) {
  const body = typeof change === 'string' ? change : JSON.stringify(change);
  const headers = { ...signedHeaders(WEBHOOK_SECRET, randomUUID(), body, Date.now()), ...more };
  return app.request(`${SITE}/api/revalidate`, { method: 'POST', body, headers });
}

test('a message without a valid signature changes nothing, gets the reason, and causes no request', async () => {
  await app.reopen({ env: { WEBHOOK_SECRET } });
  await textOf('/');
  const asked = app.wordpress.requests.length;
  const change = { id: 1, type: 'page', path: '/', status: 'publish' };
  expect((await tell(change, { 'webhook-signature': '' })).status).toBe(401);
  expect((await tell(change, { 'webhook-signature': 'v1,AAAA' })).status).toBe(401);
  expect((await tell(change, { 'webhook-timestamp': '1' })).status).toBe(401);
  expect((await tell('x'.repeat(20_000))).status).toBe(413);
  expect(app.wordpress.requests.length).toBe(asked);
  expect((await tell('no json')).status).toBe(400);
  await app.reopen();
  expect(await (await tell(change)).json()).toMatchObject({
    ok: false,
    reason: 'not configured',
    message: expect.stringContaining('WEBHOOK_SECRET'),
  });
});

/** Changes the whole content of the fake WordPress to another name. */
function renameAll(name: string) {
  app.wordpress.plays.set(pagePath(2), json(page(2, { title: { rendered: `${name} page` } })));
  const items = [{ title: `${name} menu`, url: '/about/', target: '', classes: [] }];
  app.wordpress.plays.set(MENUS, json({ main_menu: { items } }));
  app.wordpress.plays.set(STRINGS, json({ brand: `${name} brand` }));
  const asked = { id: 1, type: 'email', label: `${name} form`, isRequired: true, inputs: null, choices: '' };
  app.wordpress.plays.set(formPath(1), json(form(1, { fields: [asked] })));
}

test.each([
  ['page', { id: 2, type: 'page', path: '/about/', status: 'publish' }, ['page', 'menu']],
  ['page without its path', { id: 2, type: 'page' }, ['page', 'menu']],
  ['page that was not requested', { id: 3, type: 'page', path: '/about/team/' }, ['menu']],
  ['menu', { type: 'menu' }, ['menu']],
  ['texts', { type: 'strings' }, ['brand']],
  ['form', { id: 1, type: 'form', status: 'publish' }, ['form']],
  ['form without an id', { type: 'form' }, ['page', 'menu', 'brand', 'form']],
  ['theme or template of a page', { id: 2, type: 'page', path: '/about/' }, ['page', 'menu']],
  ['picture', { id: 9, type: 'media' }, ['page', 'menu', 'brand', 'form']],
  ['title of the site', { type: 'settings' }, ['page', 'menu', 'brand', 'form']],
  ['post type of a plugin', { id: 'x', type: 'product', path: null }, ['page', 'menu', 'brand', 'form']],
])('R29: a changed %s is fetched again, and nothing else is', async (_, change, changed) => {
  await app.reopen({ env: { WEBHOOK_SECRET } });
  const seen = async () => `${await textOf('/about/')} ${await textOf('/')}`;
  renameAll('Old');
  await seen();
  renameAll('New');
  const answer = await tell(change);
  const figures = { at: expect.stringMatching(/^\d{4}-/), tookMs: expect.any(Number) };
  const receipt = { ok: true, ...figures, servers: { live: 1, of: 1, late: [] } };
  expect([answer.status, await answer.json()]).toEqual([200, receipt]);
  const text = await seen();
  for (const part of ['page', 'menu', 'brand', 'form'])
    expect([part, text.includes(`New ${part}`)]).toEqual([part, changed.includes(part)]);
});

test('a change of a deleted form or of an unknown path is no error, and creates no page', async () => {
  await app.reopen({ env: { WEBHOOK_SECRET } });
  await textOf('/');
  app.wordpress.plays.set(formPath(1), json({ code: 'gf_not_found' }, 500));
  expect((await tell({ id: 1, type: 'form', status: 'delete' })).status).toBe(200);
  for (const path of ['/nowhere/', '//elsewhere.example/', '/%ff/', `/${'x'.repeat(1_900)}`, 'no path'])
    expect((await tell({ id: 404, type: 'page', path, status: 'publish' })).status, path).toBe(200);
  expect(errors()).toEqual([]);
});

test.each([
  ['the page', pagePath(2)],
  ['the menus', MENUS],
  ['the routes', '/wp-json/gusto/routes'],
])('no change is reported as live while WordPress does not answer with %s', async (_, path) => {
  await app.reopen({ env: { WEBHOOK_SECRET } });
  await textOf('/about/');
  app.wordpress.plays.set(path, json({ code: 'error' }, 500));
  const answer = await tell({ id: 2, type: 'page', path: '/about/', status: 'publish' });
  expect([answer.status, await answer.json()]).toMatchObject([503, { ok: false, reason: 'WordPress unanswered' }]);
  expect(await textOf('/about/')).toContain('Page 2');
});

test('a hundred parallel messages get correct responses with few requests to WordPress', async () => {
  await app.reopen({ env: { WEBHOOK_SECRET } });
  await textOf('/about/');
  const before = app.wordpress.requests.length;
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => tell({ id: 2, type: 'page', path: '/about/', status: 'publish' })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
  // Routes, menus and the page, once or twice each.
  expect(app.wordpress.requests.length - before).toBeLessThan(20);
});

const FORM = new URLSearchParams({ form_id: '1', input_1: 'a@example.org' });
const send = (body: URLSearchParams, headers: Record<string, string> = {}) =>
  app.request(`${SITE}/api/sign-ups`, { method: 'POST', body, headers });
const sendByScript = (body: URLSearchParams) => send(body, { accept: 'application/json' });

test('R28, R30: thanks without words of the editor are in the visitor’s language', async () => {
  await app.reopen({ source: 'bundled' });
  const thanks = async (lang: string) => (await app.request(`${SITE}/api/sign-ups/thanks?lang=${lang}`)).text();
  expect(await thanks('en')).toContain('<p>Thank you. It has arrived.</p>');
  expect(await thanks('de')).toContain('<p>Danke. Deine Angaben sind angekommen.</p>');
});

test('a visitor who requests the form waits once for a hanging WordPress, not once per call', async () => {
  const asks = [() => app.request(`${SITE}/api/sign-ups/thanks?form_id=1`), () => sendByScript(FORM)];
  // Modules that are loaded on first use come from another process, which must not count.
  for (const ask of asks) await ask();
  await app.reopen({ bundleDirectory: app.directory });
  app.wordpress.plays.clear();
  app.wordpress.plays.set('*', hang);
  startVirtualTime();
  for (const ask of asks) {
    const begun = performance.now();
    await ask();
    expect(performance.now() - begun).toBeLessThan(MAX_RESPONSE_MS);
  }
});

test('invariant 9: without a cache each address waits at most 1.5 s for a hanging WordPress', async () => {
  const paths = ['/', '/about/', '/search', asPage('/'), '/sitemap.xml', '/site.webmanifest'];
  for (const path of paths) await app.request(path);
  await app.reopen({ source: 'wordpress', bundleDirectory: app.directory });
  app.wordpress.plays.clear();
  app.wordpress.plays.set('*', hang);
  startVirtualTime();
  for (const path of paths) {
    const begun = performance.now();
    const answer = await app.request(path);
    expect(performance.now() - begun, path).toBeLessThanOrEqual(PAGE_MS + 50);
    if (path === '/search') continue;
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '10']);
  }
});

const ADA = { form_id: '1', input_1: 'Ada', input_2: 'ada@example.org', input_3_1: '1' };
const sample = async (name: string) =>
  new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.+)$`, 'm').exec(await (await app.request('/metrics')).text())?.[1];

test('R30: a sign-up is confirmed during an outage of WordPress and waits for it', async () => {
  await app.reopen();
  await app.content.form(1, 'en');
  app.wordpress.plays.set('*', hang);
  app.wordpress.plays.set(`${formPath(1)}/submissions`, json({ code: 'down' }, 503));
  expect((await sendByScript(FORM)).status).toBe(200);
  const postponed = async () => Number(await sample('pillion_sign_ups_attempts_total{outcome="postponed"}'));
  await expect.poll(postponed).toBeGreaterThan(0);
  await expect.poll(() => app.store.list({ states: ['waiting'], limit: 9 })).toHaveLength(1);
});

test('R30: the visitor’s consent is stored in the form’s words, and no cache stores the response', async () => {
  const answer = await sendByScript(new URLSearchParams(ADA));
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const [signUp] = await app.store.list({ states: [], limit: 9 });
  expect(signUp?.consentText).toMatch(/^Send me the letter/);
});

test('accepted and rejected sign-ups are counted, and nothing personal is logged', async () => {
  await sendByScript(new URLSearchParams(ADA));
  await sendByScript(new URLSearchParams({ form_id: '1' }));
  await sendByScript(new URLSearchParams({ form_id: '99' }));
  await send(new URLSearchParams(ADA), { origin: 'https://elsewhere.example' });
  expect(await sample('pillion_sign_ups_accepted_total')).toBe('1');
  for (const reason of ['invalid', 'no-such-form', 'foreign-origin'])
    expect(await sample(`pillion_sign_ups_refused_total{reason="${reason}"}`), reason).toBe('1');
  expect(await sample('pillion_sign_ups{state="waiting"}')).toBe('1');
  expect(Number(await sample('pillion_sign_ups_oldest_waiting_seconds'))).toBeGreaterThan(0);
  expect(await (await app.request('/metrics')).text()).not.toContain('Ada');
});

test('R30: a sign-up that cannot be stored is not confirmed, and can be sent once the disk works', async () => {
  const path = join(app.directory, 'sign-ups.sqlite');
  await app.close();
  await rm(path);
  app.open({ source: 'bundled', hasThreads: true });
  await mkdir(path);
  const answer = await sendByScript(new URLSearchParams(ADA));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(await sample('pillion_sign_ups_store_up')).toBe('0');
  expect(errors()).toEqual(['sign-ups not erased', 'sign-up not stored']);
  const withoutScript = await send(new URLSearchParams(ADA));
  expect(withoutScript.status).toBe(503);
  expect(await withoutScript.text()).toContain('value="ada@example.org"');
  await rm(path, { recursive: true });
  expect((await sendByScript(new URLSearchParams(ADA))).status).toBe(200);
});

test('readiness reports whether sign-ups can be stored', async () => {
  expect((await app.request('/readyz')).status).toBe(200);
  await rm(app.directory, { recursive: true });
  await writeFile(app.directory, 'a file where the folder was');
  // The result is cached for a second.
  await expect.poll(async () => (await app.request('/readyz')).status).toBe(503);
  expect((await app.request('/readyz/sign-ups')).status).toBe(503);
  expect((await app.request('/readyz/pages')).status).toBe(200);
});

test('R23: the shell contains the build that its format belongs to', async () => {
  const answer = await app.request('/api/shell?lang=en');
  expect(answer.headers.get('pillion-build')).toBe('test');
  expect(await answer.json()).toMatchObject({ lang: 'en', strings: { brand: 'Example' } });
});

/** Sends requests until one gets 429. @returns That response, and the number of accepted ones. */
async function flood(headers: Record<string, string>, ask = () => send(new URLSearchParams(ADA), headers)) {
  for (let taken = 0; taken < 300; taken++) {
    const answer = await ask();
    if (answer.status === 429) return { answer, taken };
    expect([200, 303]).toContain(answer.status);
  }
  throw new Error('300 posts were taken');
}

test('R30: too many requests get 429 with a waiting time, and are not stored', async () => {
  const { answer, taken } = await flood({ accept: 'application/json' });
  expect(taken).toBeGreaterThanOrEqual(20);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  const { strings } = await app.content.shell('en');
  expect(await answer.json()).toEqual({ ok: false, errors: {}, message: strings.form.busy });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await app.store.list({ states: [], limit: 300 })).toHaveLength(taken);
  expect(await sample('pillion_sign_ups_refused_total{reason="too-many"}')).toBe('1');
});

test('R30: without script, 429 is a page that keeps the visitor’s answers and campaign for the next try', async () => {
  const headers = { referer: `${SITE}/?utm_source=letter&gclid=1`, 'sec-gpc': '1' };
  const withMarkup = new URLSearchParams({ ...ADA, input_1: '<img src=x>' });
  const { answer } = await flood({}, () => send(withMarkup, headers));
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  const first = await answer.text();
  expect(first).toContain('<main');
  expect(first).toContain('value="ada@example.org"');
  expect(first).toContain('value="&lt;img src=x');
  expect(first).toContain((await app.content.shell('en')).strings.form.busy);
  const field = (page: string) => /name="attribution" value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const touch = { utm_source: 'letter' };
  const attribution = field(first);
  expect(JSON.parse(attribution)).toEqual({ first: touch, last: touch });
  // The page of the second try has another address.
  const again = () => send(new URLSearchParams({ ...ADA, attribution }), { referer: `${SITE}/api/sign-ups` });
  const { answer: second } = await flood({}, again);
  expect(field(await second.text())).toBe(attribution);
});

test('after some hundred requests a flood gets a short text instead of rendered pages', async () => {
  // For the limits, rendering three hundred pages takes no time.
  vi.useFakeTimers({ toFake: ['performance'] });
  await flood({});
  let pages = 0;
  for (; pages < 400; pages++) {
    const answer = await send(new URLSearchParams({ form_id: '99' }));
    expect(answer.status).toBe(429);
    if (answer.headers.get('content-type')?.startsWith('text/plain')) break;
  }
  expect(pages).toBeGreaterThanOrEqual(299);
  expect(pages).toBeLessThan(350);
  vi.useRealTimers();
});

test('R30: limits apply per visitor behind a trusted proxy, and the header is ignored without trust', async () => {
  const from = (visitor: number) => ({ accept: 'application/json', 'x-forwarded-for': `203.0.113.${visitor}` });
  let visitor = 0;
  const anyone = () => send(new URLSearchParams(ADA), from(++visitor % 250));
  await flood({}, anyone);
  await app.reopen({ source: 'bundled', env: { TRUST_PROXY: 'true' } });
  await flood(from(1));
  expect((await send(new URLSearchParams(ADA), from(2))).status).toBe(200);
});

test('a token is never cached; a sign-up sent too fast is confirmed and set aside', async () => {
  // No time passes between the token and the sign-up, even on a busy machine.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const challenge = async (shown: number) => {
    const answer = await app.request(`/api/sign-ups/token?shown=${shown}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return (await answer.json()) as { token: string; bits: number };
  };
  const thanked: string[] = [];
  for (const shown of [0, 5_000]) {
    const { token } = await challenge(shown);
    const answer = await sendByScript(new URLSearchParams({ ...ADA, sign_up_token: token }));
    thanked.push(JSON.stringify([answer.status, await answer.json()]));
  }
  expect(thanked[0]).toBe(thanked[1]);
  expect(await app.store.list({ states: ['set-aside'], limit: 9 })).toMatchObject([
    { lastError: expect.stringMatching(/^sent \d+ ms after the form was shown$/) },
  ]);
  expect(await app.store.list({ states: ['waiting'], limit: 9 })).toHaveLength(1);
});

/** The submitted form, with lists under `name[]`. */
const answersIn = (body = '') => {
  const sent = new URLSearchParams(body);
  return Object.fromEntries(
    [...sent.keys()].map((name) => [name, name.endsWith('[]') ? sent.getAll(name) : sent.get(name)]),
  );
};

describe('a form of every field type', () => {
  beforeEach(async () => {
    await app.close();
    app.wordpress.plays.set(formPath(1), json(form(1, { fields: EVERY_FIELD })));
    app.wordpress.plays.set(`${formPath(1)}/submissions`, json({ is_valid: true }));
    app.open();
    await app.content.form(1, 'en');
  });

  test('R30: hidden answers are neither checked nor delivered, several choices are delivered as a list', async () => {
    // As a visitor without script, who sees all fields.
    const seen = { input_6: 'x', input_12: 'no address', input_17: 'The Post', input_11: '2' };
    const body = new URLSearchParams({ form_id: '1', ...EVERY_ANSWER, ...seen });
    for (const tour of ['coast', 'moor']) body.append('input_9', tour);
    expect((await sendByScript(body)).status).toBe(200);
    const sent = () => app.wordpress.requests.find(({ url }) => url.startsWith(`${formPath(1)}/submissions`));
    await expect.poll(sent).toBeTruthy();
    const { sign_up_id: _, ...delivered } = answersIn(sent()?.body);
    expect(delivered).toEqual({ ...EVERY_ANSWER, input_11: '2', 'input_9[]': ['coast', 'moor'] });
  });

  test('R30: without script all fields are shown, and return as they were filled in', async () => {
    const filled = { input_2: 'nowhere', input_6: 'kept', input_8_2: 'sat' };
    const body = new URLSearchParams({ form_id: '1', ...EVERY_ANSWER, ...filled });
    for (const tour of ['coast', 'moor']) body.append('input_9', tour);
    const answer = await send(body);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    const tag = (name: string, value = '') =>
      page.match(new RegExp(`<(?:input|select|textarea)[^>]*name="${name}"[^>]*${value}[^>]*>`, 'g')) ?? [];
    expect(tag('input_6')).toEqual([expect.stringContaining('value="kept"')]);
    expect(tag('input_9', 'checked')).toHaveLength(2);
    expect(tag('input_8_2')).toEqual([expect.stringContaining('checked')]);
    expect(tag('input_1_3')).toEqual([expect.stringMatching(/autoComplete="given-name".*|autocomplete="given-name"/i)]);
    expect(tag('input_10')).toEqual([expect.stringContaining('type="date"')]);
    expect(tag('input_3')).toEqual([expect.stringContaining('type="tel"')]);
    expect(page).toContain('Bring <em>water</em>');
    expect(page).not.toMatch(/alert\(1\)|name="input_(?:20|21|22)"/);
    expect(/<main.*<\/main>/s.exec(page)?.[0]).not.toContain('hidden=""');
  });
});
