import { randomUUID } from 'node:crypto';
import { form, formPath, hang, json, pagePath, ROUTES, route } from '@pillion/content/testing/fake-wordpress.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import { startVirtualTime } from '@pillion/lib/testing/virtual-time.ts';
import { createReferences } from '@pillion/sign-ups/references.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { SECRET_KEY, SITE } from './testing/start-app.ts';
import { startAppForEach } from './testing/start-app-for-each.ts';

const app = startAppForEach();

const send = (answers: Record<string, string>, headers: Record<string, string> = {}) =>
  app.request(`${SITE}/api/sign-ups`, {
    method: 'POST',
    body: new URLSearchParams({ form_id: '1', input_1: 'ada@example.org', ...answers }),
    headers: { accept: 'application/json', ...headers },
  });

const stored = () => app.store.list({ states: [], limit: 1_000 });

describe('forms that are on no page', () => {
  test('get a neutral response with script, without it and in the confirmation page', async () => {
    const fields = [{ id: 1, type: 'text', label: 'Salary, for our eyes only', isRequired: true }];
    app.wordpress.plays.set(formPath(7), json(form(7, { fields, title: 'Internal' })));
    await send({ form_id: '7' }); // Loads modules that are loaded on first use.
    // The server checks during the request whether a page shows the form, also on a busy machine.
    startVirtualTime();
    await app.reopen();
    app.wordpress.requests.length = 0;
    const answers = [
      await send({ form_id: '7', input_1: '' }),
      await send({ form_id: '7', input_1: '' }, { accept: 'text/html' }),
      await app.request(`${SITE}/api/sign-ups/thanks?form_id=7`),
    ];
    const typeOf = ({ headers }: Response) => headers.get('content-type')?.split(';')[0];
    expect(answers.map((answer) => [answer.status, typeOf(answer)])).toEqual([
      [422, 'application/json'],
      [422, 'text/html'],
      [404, 'text/html'],
    ]);
    for (const answer of answers) expect(await answer.text()).not.toMatch(/Salary|Internal/);
    expect(app.wordpress.requests.filter(({ url }) => url.includes('/forms/7'))).toEqual([]);
    expect(await stored()).toEqual([]);
  });
});

describe('R30: a repeated sign-up', () => {
  /** Sends the form without script. */
  const press = (answers: Record<string, string> = {}, browser = 'a browser') =>
    send(answers, {
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'user-agent': browser,
    });

  /** Marks a waiting sign-up as refused by WordPress. */
  async function buryFirst(signUpId: string) {
    const now = Date.now();
    const claim = { now, leaseUntil: now + 60_000, limit: 1, stubbornLimit: 1, horizonMs: 60_000 };
    const [leased] = await app.store.claim(claim);
    await app.store.bury({ signUpId, attempt: leased?.attempts ?? 0 }, 'refused');
  }

  test('without script, two presses are one sign-up, but other answers or visitors are others', async () => {
    const twice = await Promise.all([press(), press()]);
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
    expect(await stored()).toHaveLength(1);
    await press({ input_1: 'bea@example.org' });
    await press({}, 'another browser');
    expect(await stored()).toHaveLength(3);
  });

  test('is accepted although its first answers are in WordPress already', async () => {
    app.wordpress.plays.set(formPath(1), json(form(1, { pillion: { asks: true, unique: [1] } })));
    const check = `${PREFIXES.checks}/1/check`;
    const answerWith = (response: object) =>
      app.wordpress.plays.set(check, json({ closed: null, taken: [], ...response }));
    const sign_up_id = randomUUID();
    const statuses: number[] = [];
    for (const response of [{}, { taken: { 1: 'Used.' } }, { closed: { message: 'Sold out.' } }]) {
      answerWith(response);
      statuses.push((await send({ sign_up_id })).status, (await press({ input_1: 'bea@example.org' })).status);
    }
    expect(statuses).toEqual([200, 303, 200, 303, 200, 303]);
    expect(await stored()).toHaveLength(2);
    expect((await send({ sign_up_id: randomUUID() })).status, 'another sign-up').toBe(422);
    app.wordpress.plays.set(
      formPath(1),
      json(form(1, { pillion: { closed: { reason: 'full', message: 'Sold out.' } } })),
    );
    await app.reopen();
    expect((await send({ sign_up_id })).status, 'the site knows that the form is closed').toBe(200);
    expect((await send({ sign_up_id: randomUUID() })).status, 'another sign-up').toBe(422);
  });

  test('is stored once when its answers are corrected after WordPress rejected them', async () => {
    const sign_up_id = randomUUID();
    await send({ sign_up_id, input_1: 'ada@exmaple.org' });
    await buryFirst(sign_up_id);
    for (let at = 0; at < 2; at++) expect((await send({ sign_up_id, input_1: 'ada@example.org' })).status).toBe(200);
    const rows = await stored();
    expect(rows.map(({ state }) => state).sort()).toEqual(['dead', 'waiting']);
    const { headers } = await send({ sign_up_id, input_1: 'ada@example.org' }, { accept: 'text/html' });
    const reference = new URL(headers.get('location') ?? '', SITE).searchParams.get('for') ?? '';
    const corrected = rows.find(({ state }) => state === 'waiting')?.signUpId;
    expect(createReferences(SECRET_KEY).read(reference, 1), 'the confirmation is that of the new answers').toBe(
      corrected,
    );
  });

  test('is accepted again after a correction although its answers are in WordPress already', async () => {
    app.wordpress.plays.set(formPath(1), json(form(1, { pillion: { asks: true, unique: [1] } })));
    const answerWith = (taken: object) =>
      app.wordpress.plays.set(`${PREFIXES.checks}/1/check`, json({ closed: null, taken }));
    const sign_up_id = randomUUID();
    answerWith([]);
    await send({ sign_up_id, input_1: 'ada@exmaple.org' });
    await buryFirst(sign_up_id);
    expect((await send({ sign_up_id, input_1: 'ada@example.org' })).status).toBe(200);
    answerWith({ 1: 'Used.' });
    expect((await send({ sign_up_id, input_1: 'ada@example.org' })).status).toBe(200);
    expect((await send({ sign_up_id, input_1: 'bea@example.org' })).status, 'other answers').toBe(422);
    expect(await stored()).toHaveLength(2);
  });
});

test('a file named like a property of JavaScript objects is an ordinary file', async () => {
  const fields = [{ id: 2, type: 'fileupload', label: 'Paper', multipleFiles: true, maxFiles: '5' }];
  app.wordpress.plays.set(formPath(1), json(form(1, { fields })));
  const body = new FormData();
  body.set('form_id', '1');
  for (const name of ['x.__proto__', 'x.constructor', 'x.toString', 'x.valueOf'])
    body.append('input_2', new File(['hello'], name));
  const answer = await app.request(`${SITE}/api/sign-ups`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  });
  expect(answer.status).toBeLessThan(500);
  expect((await app.request(`${SITE}/media/x.constructor`)).status).toBe(404);
  expect(app.lines.filter(({ event }) => /failed|not stored/.test(event))).toEqual([]);
});

test('R31: searches on a hanging WordPress cause a few requests, for any number of pages', async () => {
  const routes = Array.from({ length: 150 }, (_, at) => route(at + 10, `/page-${at}/`));
  app.wordpress.plays.set(ROUTES, json([route(1, '/', { template: 'landing' }), ...routes]));
  for (const { id } of routes) app.wordpress.plays.set(pagePath(id), hang);
  app.wordpress.plays.set('/wp-json/wp/v2/search', hang);
  await app.request(`${SITE}/about/`); // Loads modules that are loaded on first use.
  startVirtualTime();
  for (let at = 0; at < 3; at++) expect((await app.request(`${SITE}/search?q=content${at}`)).status).toBe(200);
  const pages = routes.filter(({ id }) => app.wordpress.requests.some(({ url }) => url.startsWith(pagePath(id))));
  expect(pages, 'one page is read at a time').toHaveLength(1);
  const searches = app.wordpress.requests.filter(({ url }) => url.startsWith('/wp-json/wp/v2/search'));
  expect(searches, 'a hanging WordPress gets no more searches').toHaveLength(1);
});

describe('R46: of an analytics service', () => {
  const LOGIN = '<title>Log in</title><form method="post"><input type="password">';
  const SCRIPT = '/insights/script.js';
  const ask = (path: string, init: RequestInit = {}) => app.request(`${SITE}${path}`, init);
  const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };

  beforeEach(async () => {
    const upstream = `${app.wordpress.url}/stats`;
    const endpoints = { ANALYTICS_UPSTREAM: upstream, ANALYTICS_ENDPOINTS: 'view, api/event' };
    await app.reopen({ env: { ANALYTICS_SCRIPT: SCRIPT, ...endpoints } });
    app.wordpress.plays.set('*', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(LOGIN));
    app.wordpress.plays.set('/stats/script.js', (response) =>
      response.writeHead(200, { 'content-type': 'text/javascript', 'set-cookie': 'a=1' }).end('tell()'),
    );
    app.wordpress.plays.set('/stats/view', (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
    );
  });

  test('the script and its endpoint are proxied', async () => {
    expect(await (await ask(SCRIPT)).text()).toBe('tell()');
    expect(await (await ask('/insights/view', post)).text()).toBe('{"ok":true}');
  });

  test('other paths, methods and types are not proxied', async () => {
    const before = app.wordpress.requests.length;
    for (const name of ['', 'login', 'admin/', 'view', 'script.js.map'])
      expect((await ask(`/insights/${name}`)).status, name).toBe(404);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await ask('/insights/view', { method })).status, method).toBe(404);
    expect((await ask('/insights/other', post)).status).toBe(404);
    expect((await ask(SCRIPT, post)).status).toBe(404);
    const formData = new FormData();
    formData.set('a', 'b');
    expect((await ask('/insights/view', { method: 'POST', body: formData })).status).toBe(415);
    expect((await ask('/insights/view', { ...post, body: 'x'.repeat(70_000) })).status, 'too long').toBe(413);
    const asked = app.wordpress.requests.slice(before).filter(({ url }) => url.startsWith('/stats'));
    expect(asked).toEqual([]);
  });

  test('a page of it is never served under the site’s address, also in place of a response', async () => {
    const login = app.wordpress.plays.get('*');
    if (!login) throw new Error('no login');
    app.wordpress.plays.set('/stats/script.js', login);
    app.wordpress.plays.set('/stats/api/event', login);
    app.wordpress.plays.set('/stats/view', (response) => response.writeHead(302, { location: '/login' }).end());
    const answers = [await ask(SCRIPT), await ask('/insights/api/event', post), await ask('/insights/view', post)];
    expect(answers.map(({ status }) => status)).toEqual([502, 204, 502]);
    for (const answer of answers) {
      expect(await answer.text()).not.toContain('Log in');
      expect(answer.headers.get('location')).toBeNull();
    }
  });
});
