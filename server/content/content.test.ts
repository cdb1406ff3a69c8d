import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Content, createContent, type Resolved } from './content.ts';
import {
  type FakeWordpress,
  formPath,
  hang,
  html,
  huge,
  json,
  MENUS,
  type Play,
  page,
  pagePath,
  ROUTES,
  redirect,
  route,
  STRINGS,
  serveSite,
  startFakeWordpress,
  truncated,
} from './testing/fake-wordpress.ts';

const BUNDLE = join(import.meta.dirname, '../../content');

/** "The visitor always gets a page within 2 s": what of it the content may take. */
const LONGEST_MS = 1800;

let wordpress: FakeWordpress;
let directory: string;
let content: Content;
let events: [string, Record<string, unknown>][];

const open = (options: { source?: 'bundled' | 'wordpress'; url?: string; bundleDirectory?: string } = {}) =>
  createContent({
    source: options.source ?? 'wordpress',
    wordpress: { url: options.url ?? wordpress.url, key: 'ck_a', secret: 'cs_a', timeoutMs: 1500 },
    dataDirectory: directory,
    bundleDirectory: options.bundleDirectory ?? BUNDLE,
    isKnownTemplate: (name) => name === 'landing',
    log: (_, event, details = {}) => events.push([event, details]),
  });

/** What a visitor of `path` gets, shell and page asked for at once as the server does. */
async function visit(path: string) {
  const begun = performance.now();
  const [shell, resolved] = await Promise.all([content.shell('en'), content.resolve(path, 'en')]);
  return { shell, resolved, ms: performance.now() - begun };
}

function pageIn(resolved: Resolved) {
  if (resolved.kind !== 'page') throw new Error(`expected a page, got ${resolved.kind}`);
  return resolved.page;
}

/** What the page shows, enough to tell where it came from. */
const titleOf = (resolved: Resolved) => (resolved.kind === 'page' ? resolved.page.title : resolved.kind);

async function restart(options: Parameters<typeof open>[0] = {}) {
  await content.close();
  content = open(options);
}

/** Lets the store's clock run ahead; everything that waits keeps to the real one. */
function pass(seconds: number): void {
  const now = Date.now() + seconds * 1000;
  vi.useFakeTimers({ toFake: ['Date'], now });
}

beforeEach(async () => {
  events = [];
  directory = await mkdtemp(join(tmpdir(), 'pillion-content-'));
  wordpress = await startFakeWordpress();
  serveSite(wordpress);
  content = open();
});
afterEach(async () => {
  vi.useRealTimers();
  await content.close();
  await wordpress.stop();
  await rm(directory, { recursive: true });
});

describe('a page of WordPress', () => {
  test('R29: is found by its path, nested ones too', async () => {
    expect(pageIn(await content.resolve('/', 'en'))).toMatchObject({ path: '/', template: 'landing', status: 200 });
    expect(pageIn(await content.resolve('/about/', 'en'))).toMatchObject({ title: 'Page 2', template: null });
    expect(pageIn(await content.resolve('/about/team/', 'en'))).toMatchObject({ title: 'Page 3', theme: 'light' });
  });

  test.each([
    ['/about', '/about/'],
    ['//about//', '/about/'],
    ['/about/team', '/about/team/'],
    ['/%61bout/', '/about/'],
  ])('R29: %s leads to its own form', async (path, location) => {
    expect(await content.resolve(path, 'en')).toEqual({ kind: 'redirect', status: 301, location });
  });

  test.each(['/nowhere/', '/About/', '/about/%2e%2e/', '/about%2fteam/', '/%zz/', '//evil.example/', '/page/2/'])(
    'R12: %s is not found',
    async (path) => {
      expect(await content.resolve(path, 'en')).toEqual({ kind: 'missing' });
    },
  );

  test('R23: is asked for in the visitor’s language, menus and strings too', async () => {
    await visit('/about/');
    const asked = wordpress.requests.filter(({ url }) => !url.startsWith('/wp-json/?')).map(({ url }) => url);
    expect(asked.length).toBeGreaterThan(3);
    for (const url of asked) expect(url).toMatch(/[?&]lang=en$/);
  });

  test('R20: carries the authorization on every call', async () => {
    await visit('/');
    for (const { headers } of wordpress.requests) expect(headers.authorization).toMatch(/^Basic /);
  });

  test('R30: has the form of its sign-up, the site’s own where the section names none', async () => {
    const sections = [
      { type: 'sign-up', form_id: 4 },
      { type: 'sign-up', form_id: 0 },
    ];
    wordpress.plays.set(pagePath(1), json(page(1, { sections })));
    wordpress.plays.set(formPath(4), json({ id: 4, title: 'Four', description: '', fields: [] }));
    const forms = pageIn(await content.resolve('/', 'en')).sections.map((section) =>
      section.type === 'sign-up' ? section.form?.title : section.type,
    );
    expect(forms).toEqual(['Four', 'Join']);
  });

  test('tells search engines what it is about', async () => {
    wordpress.plays.set(pagePath(2), json(page(2, { excerpt: { rendered: '<p>About &amp; more</p>' } })));
    expect(pageIn(await content.resolve('/about/', 'en')).meta).toMatchObject({
      title: 'Page 2 | LIVE',
      description: 'About & more',
      canonical: '/about/',
    });
    expect(pageIn(await content.resolve('/', 'en')).meta).toMatchObject({
      title: 'LIVE | Ride on',
      image: { src: expect.stringMatching(/^\/share\/[0-9a-f]{16}\.jpg$/), alt: 'Ride on', width: 1200, height: 630 },
    });
  });

  test('R29: that was published since the routes were read is there on its first visit', async () => {
    expect(await content.resolve('/new/', 'en')).toEqual({ kind: 'missing' });
    wordpress.plays.set(ROUTES, json([route(1, '/'), route(8, '/new/')]));
    wordpress.plays.set(pagePath(8), json(page(8)));
    expect(await content.resolve('/new/', 'en')).toEqual({ kind: 'missing' });
    pass(61);
    expect(titleOf(await content.resolve('/new/', 'en'))).toBe('Page 8');
  });

  test('that is nowhere costs WordPress one reading of the routes a minute', async () => {
    pass(61);
    for (let visits = 0; visits < 20; visits += 1) await content.resolve(`/nowhere-${visits}/`, 'en');
    expect(wordpress.requests.filter(({ url }) => url.startsWith(ROUTES))).toHaveLength(1);
  });

  test('of another type is found as well', async () => {
    wordpress.plays.set(ROUTES, json([route(5, '/news/first/', { type: 'post', rest_base: 'posts' })]));
    wordpress.plays.set('/wp-json/wp/v2/posts/5', json(page(5)));
    expect(titleOf(await content.resolve('/news/first/', 'en'))).toBe('Page 5');
  });

  test.each([['draft'], ['private'], ['pending'], ['trash']])('that is %s is not found', async (status) => {
    wordpress.plays.set(pagePath(2), json(page(2, { status })));
    expect(await content.resolve('/about/', 'en')).toEqual({ kind: 'missing' });
  });

  test('is read anew when the routes say it has changed, though it was read a moment ago', async () => {
    await content.routes('en');
    pass(50);
    expect(titleOf(await content.resolve('/about/', 'en'))).toBe('Page 2');
    wordpress.plays.set(ROUTES, json([route(2, '/about/', { modified: '2026-11-21T10:00:00' })]));
    wordpress.plays.set(pagePath(2), json(page(2, { title: { rendered: 'New' } })));
    expect(titleOf(await content.resolve('/about/', 'en'))).toBe('Page 2');
    pass(11);
    await expect.poll(async () => (await content.routes('en')).length).toBe(1);
    expect(titleOf(await content.resolve('/about/', 'en'))).toBe('New');
  });
});

describe('bad input', () => {
  const sees = async (path: string) => {
    const { resolved, ms } = await visit(path);
    expect(ms).toBeLessThan(LONGEST_MS);
    return titleOf(resolved);
  };

  /** A bundle has the demo's pages only: where WordPress never answered, they are what there is. */
  const BUNDLED_FRONT = 'Ride the last light';

  test('WordPress absent: the bundled pages', async () => {
    await wordpress.stop();
    expect(await sees('/')).toBe(BUNDLED_FRONT);
    expect(await sees('/privacy-policy/')).toBe('Privacy Policy');
    expect(await sees('/about/')).toBe('missing');
  });

  test('a wrong address, where something else answers: the bundled pages', async () => {
    wordpress.plays.clear();
    wordpress.plays.set('*', html);
    expect(await sees('/')).toBe(BUNDLED_FRONT);
  });

  test('an address that does not exist: the bundled pages', async () => {
    await restart({ url: 'http://nowhere.invalid' });
    expect(await sees('/')).toBe(BUNDLED_FRONT);
  });

  test('a wrong key: the bundled pages, and a log that says so without the key', async () => {
    wordpress.plays.clear();
    wordpress.plays.set('*', json({ code: 'gusto_rest_authentication_error' }, 401));
    expect(await sees('/')).toBe(BUNDLED_FRONT);
    expect(JSON.stringify(events)).toContain('401');
    expect(JSON.stringify(events)).not.toMatch(/ck_a|cs_a/);
  });

  const faults: [string, Play][] = [
    ['hangs', hang],
    ['answers HTML', html],
    ['answers 500', json({}, 500)],
    ['answers 429', json({}, 429)],
    ['answers half a page', truncated],
    ['answers ten megabytes', huge(10_000_000)],
    ['redirects', redirect('http://127.0.0.1:9/')],
    ['answers of the wrong type', json('hello')],
    ['answers null', json(null)],
  ];

  test.each(faults)('WordPress %s and never did better: the bundled pages', async (_, play) => {
    wordpress.plays.clear();
    wordpress.plays.set('*', play);
    expect(await sees('/')).toBe(BUNDLED_FRONT);
    expect(await sees('/privacy-policy/')).toBe('Privacy Policy');
  });

  test.each(faults)('WordPress %s after a restart: what it last said', async (_, play) => {
    await visit('/');
    wordpress.plays.clear();
    wordpress.plays.set('*', play);
    await restart();
    const { shell, resolved, ms } = await visit('/');
    expect([shell.strings.brand, titleOf(resolved)]).toEqual(['LIVE', 'Page 1']);
    expect(ms).toBeLessThan(LONGEST_MS);
  });

  test('every call hangs in turn: one page waits 1.5 s in all', async () => {
    for (const path of [MENUS, STRINGS, pagePath(1), formPath(1)]) wordpress.plays.set(path, hang);
    const late: Play = (response, request) => setTimeout(json([route(1, '/')]), 1000, response, request);
    wordpress.plays.set(ROUTES, late);
    expect(await sees('/')).toBe(BUNDLED_FRONT);
  });

  test('a page WordPress cannot show and the bundle does not have is unavailable, not missing', async () => {
    wordpress.plays.set(pagePath(2), json({ code: 'broken' }, 500));
    expect(await sees('/about/')).toBe('unavailable');
  });

  test('an answer too late for its visitor is there for the next one', async () => {
    wordpress.plays.set(ROUTES, (response, request) =>
      setTimeout(json([route(1, '/'), route(2, '/about/')]), 800, response, request),
    );
    wordpress.plays.set(pagePath(2), (response, request) => setTimeout(json(page(2)), 1000, response, request));
    expect(await sees('/about/')).toBe('unavailable');
    await expect.poll(() => sees('/about/'), { timeout: 3000 }).toBe('Page 2');
  });

  test('a string of the wrong type: its default, the rest as written', async () => {
    wordpress.plays.set(STRINGS, json({ brand: 'LIVE', footer: { colophon: 42 }, labels: { join: ['a'] } }));
    const { strings } = await content.shell('en');
    expect(strings.footer.colophon).toBe('All Rights Reserved | LIVE Inc. VAT');
    expect([strings.brand, strings.labels.join]).toEqual(['LIVE', 'Join The Ride']);
  });

  test('R26: a menu of null: an empty menu, not the bundled one', async () => {
    wordpress.plays.set(MENUS, json(null));
    const none = { items: [] };
    expect((await content.shell('en')).menus).toEqual({ main_menu: none, social_menu: none, legals_menu: none });
  });

  test('a route to nowhere: unavailable, and the other pages stand', async () => {
    wordpress.plays.set(ROUTES, json([route(1, '/'), route(99, '/ghost/')]));
    expect(await sees('/ghost/')).toBe('unavailable');
    expect(await sees('/')).toBe('Page 1');
  });

  test('a page with 500 blocks: all of them', async () => {
    const block = (index: number) =>
      index % 2
        ? { type: 'statement', heading: `S ${index}`, facts: [] }
        : { type: 'rich-text', html: `<p>${index}</p>` };
    wordpress.plays.set(
      pagePath(2),
      json(page(2, { sections: Array.from({ length: 500 }, (_, index) => block(index)) })),
    );
    expect(await sees('/about/')).toBe('Page 2');
    expect(pageIn(await content.resolve('/about/', 'en')).sections).toHaveLength(500);
  });

  test('javascript: addresses anywhere: gone', async () => {
    const bad = 'javascript:alert(1)';
    const items = [{ title: 'Bad', url: bad }];
    wordpress.plays.set(MENUS, json({ main_menu: { items }, social_menu: { items }, legals_menu: { items } }));
    wordpress.plays.set(
      STRINGS,
      json({
        links: { privacy: bad },
        audio: { url: bad },
        fourohfour: { link: { url: bad } },
        logo: `<svg viewBox="0 0 1 1"><a href="${bad}"><path d="M0 0"/></a></svg>`,
      }),
    );
    const sections = [{ type: 'rich-text', html: `<a href="${bad}">a</a><img src="${bad}"><iframe src="${bad}">` }];
    wordpress.plays.set(pagePath(2), json(page(2, { sections })));
    const seen = await visit('/about/');
    expect(JSON.stringify(seen)).not.toContain('javascript:');
    expect(seen.shell.strings.links).toEqual({});
  });

  test('a title full of markup: its words', async () => {
    wordpress.plays.set(pagePath(2), json(page(2, { title: { rendered: '<img src=x onerror=alert(1)>A <b>b</b>' } })));
    expect(await sees('/about/')).toBe('A b');
  });

  test('R2: an unknown theme: the default', async () => {
    wordpress.plays.set(pagePath(2), json(page(2, { acf: { theme: '"><script>' } })));
    expect(pageIn(await content.resolve('/about/', 'en')).theme).toBe('dark');
  });

  test('R2: an unknown template: rich text and one warning naming page and template', async () => {
    wordpress.plays.set(ROUTES, json([route(2, '/about/', { template: 'carousel' })]));
    for (let visits = 0; visits < 3; visits += 1)
      expect(pageIn(await content.resolve('/about/', 'en')).template).toBeNull();
    expect(events.filter(([event]) => event === 'content.template-unknown')).toEqual([
      ['content.template-unknown', { page: '/about/', template: 'carousel' }],
    ]);
  });

  test('a landing page without a section we know: still title, content and form', async () => {
    const sections = [{ type: 'rich-text', html: '<p>Text</p>' }, { type: 'carousel' }];
    wordpress.plays.set(pagePath(1), json(page(1, { sections })));
    const shown = pageIn(await content.resolve('/', 'en')).sections;
    expect(shown).toMatchObject([
      { type: 'hero', heading: [{ text: 'Page 1', mark: null }] },
      { type: 'rich-text', html: '<p>Text</p>' },
      { type: 'sign-up', form: { title: 'Join' } },
    ]);
  });

  test('a landing page of sections without a hero is what it is: its template opens it with the title', async () => {
    wordpress.plays.set(pagePath(1), json(page(1, { sections: [{ type: 'statement', heading: 'Here' }] })));
    const { title, sections } = pageIn(await content.resolve('/', 'en'));
    expect([title, ...sections.map(({ type }) => type)]).toEqual(['Page 1', 'statement']);
  });

  test('a form nobody can read: the page without it', async () => {
    wordpress.plays.set(formPath(7), json({ code: 'gf_not_found' }, 500));
    wordpress.plays.set(pagePath(1), json(page(1, { sections: [{ type: 'sign-up', form_id: 7 }] })));
    expect(pageIn(await content.resolve('/', 'en')).sections).toMatchObject([{ type: 'sign-up', form: null }]);
  });
});

test('WordPress goes by another address than it is called under: links to both are ours', async () => {
  wordpress.plays.set('/wp-json/', json({ home: 'https://www.brand.example', url: 'https://www.brand.example/wp' }));
  const items = [
    { title: 'A', url: 'https://www.brand.example/about/' },
    { title: 'B', url: `${wordpress.url}/about/` },
  ];
  wordpress.plays.set(MENUS, json({ main_menu: { items } }));
  wordpress.plays.set(STRINGS, json({ audio: { url: 'https://www.brand.example/wp/wp-content/uploads/a.mp3' } }));
  const { menus, strings } = await content.shell('en');
  expect(menus.main_menu.items.map(({ url }) => url)).toEqual(['/about/', '/about/']);
  expect(strings.audio.url).toBe('/media/a.mp3');
});

test('WordPress never there and no bundle either: a shell of defaults, and pages that are missing', async () => {
  await wordpress.stop();
  await restart({ bundleDirectory: join(directory, 'none') });
  const { shell, resolved } = await visit('/');
  expect(resolved).toEqual({ kind: 'missing' });
  expect(shell.strings.labels.join).toBe('Join The Ride');
  expect(shell.menus.legals_menu.items.map(({ title }) => title)).toEqual([
    'Terms & Conditions',
    'Privacy Policy',
    'Cookie Policy',
  ]);
  expect(await content.ready()).toBe(false);
});

test('R19: a bundle without a legal menu shows the default one', async () => {
  const bundleDirectory = join(directory, 'bundle');
  await cp(BUNDLE, bundleDirectory, { recursive: true });
  await rm(join(bundleDirectory, 'en/menus.json'));
  await restart({ source: 'bundled', bundleDirectory });
  expect((await content.shell('en')).menus.legals_menu.items).toHaveLength(3);
});

test.each([0, -1, 1.5, Number.NaN, 1e300])('a form of number %d is not even asked for', async (id) => {
  expect(await content.form(id, 'en')).toBeNull();
  expect(wordpress.requests).toEqual([]);
});

test('R24: bundled content asks nobody', async () => {
  await restart({ source: 'bundled' });
  wordpress.requests.length = 0;
  const { resolved, shell } = await visit('/');
  expect([pageIn(resolved).template, shell.strings.brand]).toEqual(['landing', 'LOWSUN']);
  expect(await content.ready()).toBe(true);
  expect(wordpress.requests).toEqual([]);
});
