import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formPath,
  form as formWith,
  hang,
  html,
  json,
  type Play,
  pagePath,
  ROUTES,
  route,
} from '@pillion/content/testing/fake-wordpress.ts';
import {
  cookieOf,
  DRAFT_WORD,
  draftOf,
  EDITOR,
  previewPath,
  serveDraft,
  tokenOf,
  WEBHOOK_SECRET,
} from '@pillion/content/testing/preview.ts';
import { signedHeaders } from '@pillion/lib/standard-webhooks.ts';
import { startVirtualTime } from '@pillion/lib/testing/virtual-time.ts';
import { describe, expect, test } from 'vitest';
import { questionHeaders } from '../../testing/questions.ts';
import { SITE } from '../../testing/start-app.ts';
import { startAppForEach } from '../../testing/start-app-for-each.ts';
import { securityHeaders } from '../security-headers.ts';

const HEADERS = securityHeaders({ https: true, hsts: 'host', tagManager: false });

const app = startAppForEach({
  setup: { headers: HEADERS, env: { WEBHOOK_SECRET } },
  prepare: ({ wordpress }) => serveDraft(wordpress),
});

type Headers = Record<string, string>;

const get = (path: string, headers: Headers = {}) => app.request(SITE + path, { headers });
const post = (path: string, body: string, headers: Headers = {}) =>
  app.request(SITE + path, { method: 'POST', body, headers });
const show = (token = tokenOf(), number = 12) => get(`/preview/${number}/`, { cookie: cookieOf(token) });
const pane = (token = tokenOf({ k: 'pane' }), number = 12) => get(`/preview/pane/${number}?token=${token}`);
const previewRequests = () => app.wordpress.requests.filter(({ url }) => url.startsWith(previewPath(12)));
const titleOf = async (response: Response) => /<h1[^>]*>([^<]*)/.exec(await response.text())?.[1];
const bootOf = async (response: Response) =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(await response.text())?.[1] ?? 'null');

/**
 * Every response of a preview has these headers.
 * @param referrer The policy. Only the page at `/preview/12/`, which has no token, sends its address, and only to the
 * site.
 */
function expectUnkept(response: Response, referrer = 'no-referrer'): void {
  expect(response.headers.get('cache-control')).toBe('no-store, private');
  expect(response.headers.get('cdn-cache-control')).toBe('no-store');
  expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(response.headers.get('referrer-policy')).toBe(referrer);
}

describe('opening', () => {
  test('exchanges a token of WordPress for a cookie that is sent only to previews and forms', async () => {
    const token = tokenOf();
    const response = await get(`/preview/open?token=${token}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/preview/12/']);
    expectUnkept(response);
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split(';')[0])).toEqual([cookieOf(token), cookieOf(token)]);
    expect(cookies.map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1])).toEqual(['/preview', '/api/sign-ups']);
    for (const cookie of cookies) expect(cookie).toMatch(/; Max-Age=28(?:800|79\d); HttpOnly; SameSite=Lax; Secure$/);
    expect(previewRequests().map(({ url }) => new URL(url, SITE).searchParams.get('opening'))).toEqual(['1']);
  });

  test('works once per token, and the same browser may return', async () => {
    const token = tokenOf();
    app.wordpress.plays.set(previewPath(12), json({ code: 'pillion_preview_used' }, 403));
    const second = await get(`/preview/open?token=${token}`);
    expect([second.status, await titleOf(second)]).toEqual([403, 'This preview was opened already']);
    expect(second.headers.getSetCookie()).toEqual([]);
    const other = await get(`/preview/open?token=${token}`, { cookie: cookieOf(tokenOf({ p: 13 })) });
    expect(other.status, 'the cookie of another preview').toBe(403);
    const again = await get(`/preview/open?token=${token}`, { cookie: cookieOf(token) });
    expect([again.status, again.headers.get('location')]).toEqual([303, '/preview/12/']);
  });

  test('sets only the __Secure- cookie with https, and a plain one without', async () => {
    const bare = cookieOf(tokenOf()).replace('__Secure-', '');
    expect((await get('/preview/12/', { cookie: bare })).status).toBe(403);
    await app.reopen({ env: { WEBHOOK_SECRET, SITE_URL: 'http://site.example' } });
    const [cookie = ''] = (await get(`/preview/open?token=${tokenOf()}`)).headers.getSetCookie();
    expect(cookie).toMatch(/^pillion-preview=/);
    expect(cookie).not.toContain('Secure');
    expect((await get('/preview/12/', { cookie: bare })).status).toBe(200);
  });

  test.each(['sec-purpose', 'purpose', 'x-moz'])('does nothing for a prefetch (%s)', async (name) => {
    for (const path of [`/preview/open?token=${tokenOf()}`, '/preview/12/']) {
      const response = await get(path, { [name]: 'prefetch', cookie: cookieOf(tokenOf()) });
      expect([response.status, response.headers.getSetCookie()], path).toEqual([204, []]);
      expectUnkept(response);
    }
    expect(previewRequests()).toEqual([]);
  });

  test('does nothing for HEAD', async () => {
    const head = await app.request(`${SITE}/preview/open?token=${tokenOf()}`, { method: 'HEAD' });
    expect([head.status, head.headers.getSetCookie()]).toEqual([204, []]);
  });

  test.each([
    ['no token', ''],
    ['a forged token', 'abc.def'],
    ['a token for the pane', tokenOf({ k: 'pane' })],
  ])('without a valid token (%s) does nothing and sends no request to WordPress', async (_, token) => {
    const response = await get(`/preview/open?token=${token}`);
    expect([response.status, await titleOf(response)]).toEqual([403, 'This preview link is not valid']);
    expect(response.headers.getSetCookie()).toEqual([]);
    expectUnkept(response);
    expect(previewRequests()).toEqual([]);
    expect(await (await get('/metrics')).text()).toContain('pillion_refused_total{kind="preview",reason="wrong"} 1');
  });

  test('rejects a token older than ten minutes, though its cookie still works', async () => {
    const late = tokenOf({ o: Math.floor(Date.now() / 1000) - 1 });
    const response = await get(`/preview/open?token=${late}`);
    expect([response.status, await titleOf(response)]).toEqual([403, 'This preview has expired']);
    expect((await show(late)).status).toBe(200);
  });
});

describe('the document', () => {
  test('shows the draft as visitors would see it, with the bar’s information', async () => {
    const response = await show();
    expect(response.status).toBe(200);
    expectUnkept(response, 'same-origin');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const text = await response.clone().text();
    expect(text).toContain(`<em>${DRAFT_WORD}</em>`);
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(text).not.toMatch(/rel="canonical"|og:image/);
    const boot = await bootOf(response);
    expect(boot.preview).toEqual({
      ...{ post: 12, kind: 'open', live: null, drafts: { '/about/': 2 }, blocks: [0, 1] },
      state: draftOf(app.wordpress).state,
    });
    expect(boot.page).toMatchObject({ path: '/quetzal/', template: 'landing', status: 200 });
  });

  test('contains neither analytics nor a tag manager', async () => {
    await app.reopen({ env: { WEBHOOK_SECRET, GTM_ID: 'GTM-ABC1234', ANALYTICS_SCRIPT: '/insights/script.js' } });
    for (const response of [await show(), await pane(), await get('/preview/12/')])
      expect(await bootOf(response)).toMatchObject({ analytics: null, tagManager: null });
    expect(await bootOf(await get('/'))).toMatchObject({ analytics: '/insights/script.js', tagManager: 'GTM-ABC1234' });
  });

  test('is not mentioned in a visitor’s document', async () => {
    const text = await (await get('/', { cookie: cookieOf(tokenOf()) })).text();
    expect(text).not.toMatch(/preview/i);
    expect(text).toBe(await (await get('/')).text());
  });

  test('requests other posts with the same token, because WordPress checks the user’s rights', async () => {
    app.wordpress.plays.set(previewPath(2), json(draftOf(app.wordpress, { live: '/about/' })));
    expect((await bootOf(await show(tokenOf(), 2))).preview).toMatchObject({ post: 2, live: '/about/' });
  });

  test('without some sections still has the right blocks for the others', async () => {
    const { page } = draftOf(app.wordpress);
    const [hero, text] = page.sections;
    const sections = [{ type: 'elsewhere' }, hero, { type: 'rich-text', html: '' }, null, text];
    serveDraft(app.wordpress, { page: { ...page, sections }, blocks: [0, 1, 2, 3, 4] });
    expect((await bootOf(await show())).preview.blocks).toEqual([1, 4]);
  });

  test('has no block for what the site adds to a landing page without sections', async () => {
    const { page } = draftOf(app.wordpress);
    serveDraft(app.wordpress, { page: { ...page, sections: [{ type: 'rich-text', html: '<p>x</p>' }] }, blocks: [5] });
    const boot = await bootOf(await show());
    expect(boot.page.sections.map(({ type }: { type: string }) => type)).toEqual(['hero', 'rich-text', 'sign-up']);
    expect(boot.preview.blocks).toEqual([null, 5, null]);
  });

  test('redirects an address without its last slash', async () => {
    const response = await get('/preview/12');
    expect([response.status, response.headers.get('location')]).toEqual([303, '/preview/12/']);
  });

  test.each(['/preview/', '/preview/about/', '/preview/012/', '/preview/12/more/', `/preview/${'9'.repeat(30)}/`])(
    'an editor’s page may be at %s',
    async (path) => {
      app.wordpress.plays.set(ROUTES, json([route(1, '/'), route(40, path)]));
      app.wordpress.plays.set(
        pagePath(40),
        json({ id: 40, status: 'publish', title: { rendered: 'Ours' }, content: { rendered: 'x' } }),
      );
      const response = await get(path);
      expect([response.status, await titleOf(response)]).toEqual([200, 'Ours']);
    },
  );
});

describe('without a valid cookie', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const good = () => tokenOf();

  test.each([
    ['no cookie', () => '', 'No preview is open here'],
    ['other cookies', () => 'other=1; __Secure-pillion-previews=2', 'No preview is open here'],
    ['only a token', () => `__Secure-pillion-preview=${good()}`, 'This preview link is not valid'],
    ['a long cookie', () => `__Secure-pillion-preview=${'x'.repeat(100_000)}`, 'This preview link is not valid'],
    ['a pane’s token', () => `__Secure-pillion-preview=${tokenOf({ k: 'pane' })}`, 'This preview link is not valid'],
    ['an expired cookie', () => cookieOf(tokenOf({ o: now() - 30_000, e: now() - 1 })), 'This preview has expired'],
  ])('(%s) nothing is shown and no request goes to WordPress', async (_, cookie, title) => {
    const response = await get('/preview/12/', { cookie: cookie() });
    expect([response.status, await titleOf(response)]).toEqual([403, title]);
    expectUnkept(response);
    expect(previewRequests()).toEqual([]);
  });

  test('an invalid cookie next to a valid one is ignored', async () => {
    const cookie = `__Secure-pillion-preview=old; ${cookieOf(tokenOf({ e: now() - 1 }))}; a=b; ${cookieOf(good())}`;
    expect((await get('/preview/12/', { cookie })).status).toBe(200);
  });
});

describe('no draft is shown if WordPress', () => {
  test.each([
    ['pillion_preview_expired', 403, 403, 'This preview has expired'],
    ['pillion_preview_wrong', 403, 403, 'This preview link is not valid'],
    ['pillion_preview_withdrawn', 403, 403, 'This link was withdrawn'],
    ['pillion_preview_rights', 403, 403, 'You cannot see this draft'],
    ['pillion_preview_gone', 404, 404, 'This draft was deleted'],
    ['pillion_preview_failed', 500, 503, 'WordPress cannot render this draft'],
    ['rest_forbidden', 401, 503, 'WordPress does not answer'],
    ['toString', 403, 503, 'WordPress does not answer'],
    ['internal_server_error', 500, 503, 'WordPress does not answer'],
  ])('answers %s', async (code, wordpressStatus, status, title) => {
    const refusal = { code, message: 'x', data: { status: wordpressStatus } };
    app.wordpress.plays.set(previewPath(12), json(refusal, wordpressStatus));
    for (const response of [await show(), await pane()]) {
      expect([response.status, await titleOf(response)]).toEqual([status, title]);
      expectUnkept(response);
    }
  });

  test.each<[string, Play, string]>([
    ['a page of HTML', html, 'WordPress does not answer'],
    ['other JSON', json({ code: 'blocked' }), 'WordPress does not answer'],
    [
      'an invalid origin of the editor',
      json({ ...draftOf({ url: 'x' }), editor: 7, route: {} }),
      'WordPress does not answer',
    ],
    ['an invalid page', json({ ...draftOf({ url: 'x' }), page: { id: 'x' } }), 'This draft cannot be shown'],
    ['nothing, because it is down', (response) => response.destroy(), 'WordPress does not answer'],
  ])('answers %s', async (_, play, title) => {
    app.wordpress.plays.set(previewPath(12), play);
    const response = await show();
    expect([response.status, await titleOf(response)]).toEqual([503, title]);
  });

  test('needs more than the time limit, which allows five seconds', async () => {
    const answer = app.wordpress.plays.get(previewPath(12));
    app.wordpress.plays.set(previewPath(12), (...call) => void setTimeout(() => answer?.(...call), 5000));
    startVirtualTime();
    expect((await show()).status).toBe(200);
  });

  test('hangs: within six seconds, without effect on visitors', async () => {
    await get('/');
    await show();
    app.wordpress.plays.set(previewPath(12), hang);
    startVirtualTime();
    const begun = performance.now();
    const response = await show();
    expect([response.status, await titleOf(response)]).toEqual([503, 'WordPress does not answer']);
    expect(performance.now() - begun).toBeLessThanOrEqual(6100);
    expect((await get('/')).status).toBe(200);
  });

  test('gets too many requests: four calls run, sixteen wait, the others are rejected', async () => {
    await show();
    const held: (() => void)[] = [];
    app.wordpress.plays.set(previewPath(12), (response, request) =>
      held.push(() => json(draftOf(app.wordpress))(response, request)),
    );
    const looks = Array.from({ length: 22 }, () => show());
    await expect.poll(() => held.length).toBe(4);
    const refused = await Promise.all([looks[20], looks[21]]);
    expect(refused.map((response) => response?.status)).toEqual([503, 503]);
    expect(await titleOf(refused[0] as Response)).toBe('Too many previews at once');
    expect(held).toHaveLength(4);
    app.wordpress.plays.set(previewPath(12), json(draftOf(app.wordpress)));
    for (const answer of held) answer();
    expect((await Promise.all(looks.slice(0, 20))).map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  test('or its secret is not configured', async () => {
    for (const more of [{ env: {} }, { source: 'bundled' as const }]) {
      await app.reopen(more);
      for (const path of [`/preview/open?token=${tokenOf()}`, '/preview/12/', '/preview/pane/12']) {
        const response = await get(path, { cookie: cookieOf(tokenOf()) });
        expect([response.status, await titleOf(response)]).toEqual([503, 'Previews are not set up']);
      }
      expect((await post('/preview/render', '{}')).status).toBe(503);
      expect((await post('/api/preview/check', '{}')).status).toBe(503);
    }
  });
});

describe('the pane', () => {
  test('is the only response that another origin may frame: the editor’s', async () => {
    const token = tokenOf({ k: 'pane' });
    const response = await pane(token);
    expect(response.status).toBe(200);
    expectUnkept(response);
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${EDITOR};`);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(response.headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await bootOf(response)).preview).toMatchObject({ kind: 'pane', token, editor: EDITOR });
    for (const other of ['/', '/about/', '/preview/12/', '/preview/open', '/api/page?path=/', '/nowhere/']) {
      const { headers } = await get(other, { cookie: cookieOf(tokenOf()) });
      expect([other, headers.get('x-frame-options')]).toEqual([other, 'DENY']);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  test.each(['https://wp.example; script-src *', 'javascript:alert(1)', 'data:text/html,x', '*', 'https://*', '//'])(
    'the address of WordPress’ editor (%s) cannot add anything to the policy',
    async (editor) => {
      serveDraft(app.wordpress, { editor });
      const policy = (await pane()).headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/frame-ancestors (?:https?:\/\/[\w.:-]+|'none')(?:;|$)/);
      expect(policy.match(/script-src/g)).toHaveLength(1);
    },
  );

  test.each([
    ['no token', ''],
    ['a token of another page', tokenOf({ k: 'pane', p: 13 })],
    ['a token that opens previews', tokenOf()],
    ['a link for others', tokenOf({ k: 'link' })],
  ])('%s shows nothing, and no request goes to WordPress', async (_, token) => {
    const response = await pane(token);
    expect([response.status, await titleOf(response)]).toEqual([403, 'This preview link is not valid']);
    expect(previewRequests()).toEqual([]);
  });

  test('reveals WordPress’ address in the frame for an expired token, but not for a forged one', async () => {
    await pane();
    const policyOf = async (token: string) => (await pane(token)).headers.get('content-security-policy') ?? '';
    expect(await policyOf('a.b')).toContain("frame-ancestors 'none'");
    expect(await policyOf(tokenOf({ k: 'pane', o: 1 }))).toContain(`frame-ancestors ${EDITOR}`);
  });
});

describe('typed content', () => {
  const render = (body: unknown, headers: Headers = {}) =>
    post('/preview/render', typeof body === 'string' ? body : JSON.stringify(body), {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'pillion-preview-token': tokenOf({ k: 'pane' }),
      ...headers,
    });
  const typed = (more: object = {}) => ({ draft: draftOf(app.wordpress), ...more });
  const withSections = (sections: unknown[]) => {
    const draft = draftOf(app.wordpress);
    return typed({ draft: { ...draft, page: { ...draft.page, sections } } });
  };

  test('becomes the page that visitors would get, sanitised', async () => {
    const html = '<p onclick="x()">Typed <script>alert(1)</script><a href="/nowhere/">x</a></p>';
    const hero = { type: 'hero', heading: '', picture: null, portrait: null };
    const response = await render(withSections([hero, { type: 'rich-text', html }]));
    expect(response.status).toBe(200);
    expectUnkept(response);
    const { page, blocks } = await response.json();
    expect(page.sections[1].html).toBe('<p>Typed <a href="/nowhere/">x</a></p>');
    expect(blocks).toEqual([0, 1]);
    expect(previewRequests(), 'typing causes no requests to WordPress').toEqual([]);
  });

  test.each([
    ['invalid JSON', () => '{', 422, 'unreadable'],
    ['no draft', () => ({}), 422, 'unreadable'],
    ['an empty body', () => '', 422, 'unreadable'],
    ['a draft without a page', () => typed({ draft: { route: {} } }), 422, 'unreadable'],
    ['an invalid page', () => typed({ draft: { ...draftOf(app.wordpress), page: { title: 1 } } }), 422, 'unreadable'],
    ['nested arrays', () => `{"draft":${'['.repeat(900_000)}${']'.repeat(900_000)}}`, 422, 'unreadable'],
    ['more than 2 MB', () => 'x'.repeat(2_000_001), 413, 'too-large'],
    [
      'more than 500,000 characters in all sections together',
      () => withSections(Array.from({ length: 11 }, () => ({ type: 'rich-text', html: 'x'.repeat(50_000) }))),
      413,
      'too-long',
    ],
    [
      'more than 10,000 parts',
      () => withSections([{ type: 'rich-text', rows: Array.from({ length: 10_000 }, () => 0) }]),
      413,
      'too-long',
    ],
  ])('%s is rejected', async (_, body, status, code) => {
    const response = await render(body());
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
    expectUnkept(response);
  });

  test.each([
    ['no token', () => '', 'wrong'],
    ['a forged token', () => 'a.b', 'wrong'],
    ['a token of another kind', () => tokenOf(), 'wrong'],
    ['an expired token', () => tokenOf({ k: 'pane', e: 1 }), 'expired'],
  ])('%s is rejected, though the draft is valid', async (_, token, code) => {
    const response = await render(typed(), { 'pillion-preview-token': token() });
    expect([response.status, (await response.json()).code]).toEqual([401, code]);
    expectUnkept(response);
    expect(await (await get('/metrics')).text()).toContain(`pillion_refused_total{kind="preview",reason="${code}"} 1`);
  });

  test('is rendered one draft per user at a time, and the newest waiting one is next', async () => {
    const responses = ['a', 'b', 'c', 'd'].map((word) => render(withSections([{ type: 'rich-text', html: word }])));
    const [first, second, third, newest] = await Promise.all(responses);
    expect([first?.status, second?.status, third?.status, newest?.status]).toEqual([200, 429, 429, 200]);
    expect(await second?.json()).toEqual({ code: 'replaced' });
    expect(second?.headers.get('retry-after')).toBe('2');
    const others = [1, 2].map((u) => render(typed(), { 'pillion-preview-token': tokenOf({ k: 'pane', u }) }));
    expect(
      (await Promise.all(others)).map(({ status }) => status),
      'of two users',
    ).toEqual([200, 200]);
  });

  test('is accepted only from the site’s pages', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': '', origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ])
      expect((await render(typed(), headers)).status).toBe(403);
  });
});

describe('leaving', () => {
  const leave = (to: string, headers: Headers = { 'sec-fetch-site': 'same-origin' }) =>
    post('/preview/leave', new URLSearchParams({ to }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    });

  test('removes the cookie and redirects to the live page', async () => {
    const response = await leave('/quetzal/');
    expect([response.status, response.headers.get('location')]).toEqual([303, '/quetzal/']);
    expect(response.headers.getSetCookie()).toEqual([
      '__Secure-pillion-preview=; Path=/preview; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      '__Secure-pillion-preview=; Path=/api/sign-ups; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
  });

  test.each([
    '',
    'elsewhere',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'https://elsewhere.example/',
    '/a\r\nb: c',
    '/\t/x.example',
  ])('never redirects to another host (%j)', async (to) => {
    expect((await leave(to)).headers.get('location')).toBe('/');
  });

  test('works only by a button of the site', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }] as Headers[]) {
      const response = await leave('/', headers);
      expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
    }
    expect((await post('/preview/leave', 'x'.repeat(5_000), { 'sec-fetch-site': 'same-origin' })).status).toBe(413);
  });
});

test.each([
  ['GET', '/preview/leave', 'POST'],
  ['GET', '/preview/render', 'POST'],
  ['PUT', '/preview/render', 'POST'],
  ['POST', '/preview/open', 'GET, HEAD'],
  ['POST', '/preview/12/', 'GET, HEAD'],
  ['DELETE', '/preview/pane/12', 'GET, HEAD'],
])('%s %s is not allowed', async (method, path, allow) => {
  const response = await app.request(SITE + path, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
});

describe('before publishing', () => {
  const check = (body: unknown, secret = WEBHOOK_SECRET, signedFor = '/api/preview/check') => {
    const text = JSON.stringify(body);
    return post('/api/preview/check', text, questionHeaders(signedFor, text, secret));
  };

  test('WordPress gets the problems that the page would have', async () => {
    const draft = draftOf(app.wordpress);
    const sections = [
      { type: 'hero', heading: '' },
      { type: 'rich-text', html: '<p><a href="/nowhere/">x</a></p>' },
    ];
    const response = await check({ draft: { ...draft, page: { ...draft.page, sections } } });
    const problems = [
      { block: 0, kind: 'headline-missing', values: {} },
      { block: 1, kind: 'link-dead', values: { url: '/nowhere/' } },
    ];
    expect([response.status, await response.json()]).toEqual([200, { ok: true, problems }]);
  });

  test('a link to an editor’s redirect is reported only if the redirect leads to no page', async () => {
    const redirects = [
      { from: '/moved/', status: 301, to: '/about/' },
      { from: '/u\u0308ber/', status: 301, to: '/about/' },
      { from: '/first/', status: 301, to: '/second/' },
      { from: '/second/', status: 410, to: '' },
      { from: '/round/', status: 301, to: '/again/' },
      { from: '/again/', status: 301, to: '/round/' },
    ];
    app.wordpress.plays.set(
      '/wp-json/pillion/v1/redirects',
      json({ total: redirects.length, per_page: 1000, items: redirects }),
    );
    const html = ['moved', 'u\u0308ber', 'first', 'round'].map((name) => `<a href="/${name}/">x</a>`).join('');
    const draft = draftOf(app.wordpress);
    const sections = [
      { type: 'hero', heading: 'A' },
      { type: 'rich-text', html },
    ];
    const { problems } = await (await check({ draft: { ...draft, page: { ...draft.page, sections } } })).json();
    const dead = problems.filter(({ kind }: { kind: string }) => kind === 'link-dead');
    expect(dead.map(({ values }: { values: object }) => values)).toEqual([{ url: '/first/' }, { url: '/round/' }]);
  });

  test('other clients get nothing, and a message without a draft gets an error', async () => {
    expect((await check({ draft: draftOf(app.wordpress) }, `whsec_${'A'.repeat(40)}`)).status).toBe(401);
    expect((await check({ draft: { page: {} } })).status).toBe(400);
    expect((await check({ draft: { ...draftOf(app.wordpress), page: { id: 'x' } } })).status).toBe(400);
    expect((await post('/api/preview/check', 'x'.repeat(2_000_001))).status, 'unsigned').toBe(401);
    const long = await check('x'.repeat(2_000_001));
    expect([long.status, await long.json()]).toEqual([413, { ok: false, reason: 'too long' }]);
  });

  test('a question with a replaced body is rejected, and its header works for no second body', async () => {
    const head = questionHeaders('/api/preview/check', '{}', WEBHOOK_SECRET);
    const send = async (body: string) => {
      const response = await post('/api/preview/check', body, head);
      return [response.status, (await response.json()).reason];
    };
    expect(await send('{"other":1}')).toEqual([401, 'wrong signature']);
    for (const body of ['{"other":1}', '{}']) expect(await send(body)).toEqual([409, 'seen before']);
    const metrics = await (await get('/metrics')).text();
    for (const [reason, count] of Object.entries({ 'wrong-signature': 1, 'seen-before': 2 }))
      expect(metrics).toContain(`pillion_refused_total{kind="question",reason="${reason}"} ${count}`);
  });

  test('a message signed for one endpoint is rejected by every other', async () => {
    const draft = { draft: draftOf(app.wordpress) };
    expect((await check(draft, WEBHOOK_SECRET, '/api/doctor')).status).toBe(401);
    // A message of a change, signed by Standard Webhooks with the secret itself.
    const text = JSON.stringify(draft);
    const change = signedHeaders(WEBHOOK_SECRET, randomUUID(), text, Date.now());
    const withoutHead = await post('/api/preview/check', text, change);
    expect([withoutHead.status, await withoutHead.json()]).toEqual([401, { ok: false, reason: 'unsigned' }]);
    const doctor = '{"type":"doctor"}';
    for (const path of ['/api/revalidate', '/api/sign-ups/troubles', '/api/preview/check'])
      expect((await post(path, doctor, questionHeaders('/api/doctor', doctor, WEBHOOK_SECRET))).status, path).toBe(401);
  });
});

describe('a sign-up sent from a preview', () => {
  const FORM = 7;
  const referer = `${SITE}/preview/12/`;
  const send = (fields: Record<string, string>, headers: Headers = {}) =>
    post('/api/sign-ups', new URLSearchParams({ form_id: '1', ...fields }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'sec-fetch-site': 'same-origin',
      ...headers,
    });
  const kept = async () => (await app.store.list({ states: [], limit: 10 })).length;

  test('gets the usual response and is not stored', async () => {
    await get('/');
    const cookie = cookieOf(tokenOf());
    const thanked = await send({ input_1: 'a@b.example' }, { referer, cookie });
    expect([thanked.status, await thanked.json()]).toEqual([200, { ok: true, confirmation: 'Thanks' }]);
    const refused = await send({ input_1: 'none' }, { referer });
    expect([refused.status, Object.keys((await refused.json()).errors)]).toEqual([422, ['input_1']]);
    const page = await send({ input_1: 'a@b.example' }, { referer, cookie, accept: 'text/html' });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Thanks')]);
    for (const accept of ['application/json', 'text/html']) {
      const stranger = await send({ input_1: 'a@b.example' }, { referer, accept });
      expect(await stranger.text(), 'the address of a preview without its cookie').not.toContain('Thanks');
    }
    expect(await kept()).toBe(0);
    expect(app.wordpress.requests.filter(({ url }) => url.includes('/submissions'))).toEqual([]);
    const metrics = await (await get('/metrics')).text();
    expect(metrics).not.toMatch(/^pillion_sign_ups\S*(?:accepted|invalid)\S* [1-9]/m);
    expect(app.lines.map(({ event }) => event)).not.toContain('sign-up stored');
  });

  test('is not stored when it is sent in the pane’s frame, which sends no Referer', async () => {
    await get('/');
    const sent = await send({ input_1: 'a@b.example' }, { 'sec-fetch-dest': 'iframe', accept: 'text/html' });
    expect(sent.status).toBe(200);
    expect(await kept()).toBe(0);
  });

  test.each([
    ['the live page', `${SITE}/about/`],
    ['a page with a similar path', `${SITE}/preview/about/`],
    ['another site’s preview', 'https://elsewhere.example/preview/12/'],
    ['an unknown page', ''],
  ])('is stored when sent from %s, with any name of the deployment', async (_, from) => {
    await get('/');
    const response = await send(
      { input_1: 'a@b.example' },
      { referer: from, env: 'preview', cookie: cookieOf(tokenOf()) },
    );
    expect(response.status).toBe(200);
    expect(await kept()).toBe(1);
  });

  test('may use a form of the previewed draft only, and no other form without a page', async () => {
    const OTHER = 8;
    for (const id of [FORM, OTHER]) app.wordpress.plays.set(formPath(id), json(formWith(id)));
    const draft = draftOf(app.wordpress);
    serveDraft(app.wordpress, {
      page: { ...draft.page, sections: [...draft.page.sections, { type: 'sign-up', form_id: FORM }] },
    });
    await Promise.all(['/', '/about/', '/about/team/'].map((path) => get(path)));
    const sent = async (form: number, headers: Headers) => {
      const response = await send({ form_id: String(form), input_1: 'a@b.example' }, headers);
      return [response.status, await response.json()];
    };
    const NO_SUCH_FORM = [422, expect.not.objectContaining({ confirmation: expect.anything() })];
    const cookie = cookieOf(tokenOf());
    expect(await sent(FORM, { referer }), 'without a preview').toEqual(NO_SUCH_FORM);
    expect(await sent(FORM, { referer, cookie })).toEqual([200, { ok: true, confirmation: 'Thanks' }]);
    expect(await sent(FORM, { referer: `${SITE}/`, cookie })).toEqual(NO_SUCH_FORM);
    expect(await sent(OTHER, { referer, cookie }), 'a form of another page').toEqual(NO_SUCH_FORM);
    app.wordpress.plays.set(previewPath(12), json({ code: 'pillion_preview_withdrawn' }, 403));
    expect(await sent(FORM, { referer, cookie }), 'a withdrawn link').toEqual(NO_SUCH_FORM);
    expect(await kept()).toBe(0);
  });
});

/** Everything in a folder, including names. */
async function everythingIn(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')));
  return [...entries.map(({ name }) => name), ...texts].join('\n');
}

test('no word of a draft is stored, logged, counted or shown to visitors', async () => {
  const broken = draftOf(app.wordpress);
  const sections = [
    ...broken.page.sections,
    { type: 'hero', heading: 7, [DRAFT_WORD]: DRAFT_WORD },
    { type: DRAFT_WORD },
    {
      type: 'gallery',
      heading: '',
      items: [{ title: DRAFT_WORD, picture: { url: `https://${DRAFT_WORD}.example/x.png` } }],
    },
  ];
  const page = { ...broken.page, sections, template: DRAFT_WORD, acf: { theme: DRAFT_WORD } };
  for (const draft of [{}, { page }, { page: { ...page, title: { [DRAFT_WORD]: DRAFT_WORD } } }]) {
    serveDraft(app.wordpress, draft);
    await show();
    await pane();
    await post('/preview/render', JSON.stringify({ draft: draftOf(app.wordpress, draft) }), {
      'pillion-preview-token': tokenOf({ k: 'pane' }),
    });
  }
  serveDraft(app.wordpress);
  expect(await (await show()).text(), 'the preview itself contains the word').toContain(DRAFT_WORD);
  const paths = ['/', '/about/', '/quetzal/', '/search?q=Quetzal', '/sitemap.xml', '/robots.txt', '/site.webmanifest'];
  const asJson = paths.map((path) => `/api/page?path=${encodeURIComponent(path)}`);
  for (const path of [...paths, ...asJson, '/api/shell', '/metrics']) {
    const text = await (await get(path, { cookie: cookieOf(tokenOf()) })).text();
    expect(text, path).not.toContain(DRAFT_WORD);
    expect(text, path).not.toContain('/preview/');
  }
  expect(JSON.stringify(app.lines)).not.toContain(DRAFT_WORD);
  await app.close();
  expect(await everythingIn(app.directory)).not.toContain(DRAFT_WORD);
});

test('all previews have one label in the metrics', async () => {
  await show();
  await pane();
  await get('/preview/open?token=x');
  await post('/preview/render', '{}');
  const metrics = await (await get('/metrics')).text();
  const labels = new Set([...metrics.matchAll(/pillion_requests_total\{route="([^"]*)"/g)].map(([, label]) => label));
  expect([...labels]).toEqual(['preview']);
  expect(metrics).toMatch(/pillion_content_calls_total\{endpoint="preview",outcome="ok"\} 2/);
});
