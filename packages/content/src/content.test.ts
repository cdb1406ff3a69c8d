import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_RESPONSE_MS, pass, startVirtualTime } from '@pillion/lib/testing/virtual-time.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordReads } from './cache/reads.ts';
import { ANYTHING, type Change } from './change.ts';
import type { Content, ContentOptions, Resolved } from './content.ts';
import { ACCESS, BUNDLE, type FakeSite, openContent, startFakeSite } from './testing/fake-site.ts';
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
  truncated,
} from './testing/fake-wordpress.ts';
import { markedBundle } from './testing/own-bundle.ts';

let site: FakeSite;
let wordpress: FakeWordpress;
let directory: string;
let content: Content;
/** The bundled copies, pulled from this WordPress. */
let ownBundle: string;
let events: [string, Record<string, unknown>][];
/** Paths that were requested from WordPress and whose response was read. */
let answered: string[];

const open = ({ url = wordpress.url, ...more }: { url?: string } & Partial<ContentOptions> = {}) =>
  openContent(site, {
    wordpress: { url, ...ACCESS, timeoutMs: 1500 },
    bundleDirectory: ownBundle,
    log: (_, event, details = {}) => events.push([event, details]),
    metrics: { called: (path) => answered.push(path), shown: () => {} },
    ...more,
  });

/** The visitor's view of `path`, with shell and page requested in parallel, as the server does. */
async function visit(path: string) {
  const begun = performance.now();
  const [shell, resolved] = await Promise.all([content.shell('en'), content.resolve(path, 'en')]);
  return { shell, resolved, ms: performance.now() - begun };
}

function pageIn(resolved: Resolved) {
  if (resolved.kind !== 'page') throw new Error(`expected a page, got ${resolved.kind}`);
  return resolved.page;
}

/** The parts of a page that show where it came from. */
const titleOf = (resolved: Resolved) => (resolved.kind === 'page' ? resolved.page.title : resolved.kind);

async function restart(options: Parameters<typeof open>[0] = {}) {
  await content.close();
  content = open(options);
}

beforeEach(async () => {
  events = [];
  answered = [];
  site = await startFakeSite();
  ({ directory, wordpress } = site);
  ownBundle = markedBundle(join(directory, 'own-bundle'), wordpress.url);
  startVirtualTime();
  content = open();
});
afterEach(async () => {
  await content.close();
  await site.stop();
});

test('unchanged routes are not sent again, except after a report of a change and every ten minutes', async () => {
  const ROUTES_PATH = '/wp-json/gusto/routes';
  const play = wordpress.plays.get(ROUTES_PATH);
  wordpress.plays.set(ROUTES_PATH, (response, request) => {
    if (request.headers['if-none-match'] === '"seven"') return void response.writeHead(304, { etag: '"seven"' }).end();
    response.setHeader('etag', '"seven"');
    play?.(response, request);
  });
  const conditions = () =>
    wordpress.requests.filter(({ url }) => url.startsWith(ROUTES_PATH)).map(({ headers }) => headers['if-none-match']);
  /** The pages of the routes, when they are stale, and again when they were read. */
  const read = async () => {
    const before = conditions().length;
    await content.resolve('/about/', 'en');
    await expect.poll(() => conditions().length).toBeGreaterThan(before);
    expect(pageIn(await content.resolve('/about/team/', 'en'))).toMatchObject({ title: 'Page 3' });
    return conditions().slice(before);
  };
  expect(await read()).toEqual([undefined]);
  pass(61);
  expect(await read()).toEqual(['"seven"']);
  await content.refresh({ type: 'page', id: 3, path: '/about/team/', status: 'publish' });
  expect(conditions().at(-1)).toBeUndefined();
  pass(601);
  expect(await read()).toEqual([undefined]);
});

test('pages with other dates stay valid together, and are shown again without a request', async () => {
  const readAll = () =>
    recordReads(async () => {
      for (const path of ['/', '/about/', '/about/team/']) await content.resolve(path, 'en');
    });
  await readAll();
  wordpress.requests.length = 0;
  const { reads } = await readAll();
  expect(wordpress.requests).toEqual([]);
  expect(new Set(reads.map(({ check }) => check().standing))).toEqual(new Set(['same']));
});

test('R28: on a site without English the server keeps fresh only what its language needs', async () => {
  wordpress.plays.set(STRINGS, json({ brand: 'LIVE', languages: [{ tag: 'de', name: 'Deutsch', dir: 'ltr' }] }));
  await content.begin();
  await content.resolve('/', 'de');
  wordpress.requests.length = 0;
  pass(61);
  const asked = () => [...new Set(wordpress.requests.map(({ url }) => url.replace(/.*(?=\/)/, '')))].sort();
  await expect
    .poll(asked)
    .toEqual([
      '/?_fields=home,url,pillion_uploads',
      ...['/menu-locations?lang=de', '/options?lang=de', '/options?lang=en'],
      ...['/redirects?page=1&lang=de', '/routes?lang=de'],
    ]);
});

describe('a page of WordPress', () => {
  test('R29: is found by its path, including nested ones', async () => {
    expect(pageIn(await content.resolve('/', 'en'))).toMatchObject({ path: '/', template: 'landing', status: 200 });
    expect(pageIn(await content.resolve('/about/', 'en'))).toMatchObject({ title: 'Page 2', template: null });
    expect(pageIn(await content.resolve('/about/team/', 'en'))).toMatchObject({ title: 'Page 3', theme: 'light' });
  });

  test.each([
    ['/about', '/about/'],
    ['//about//', '/about/'],
    ['/about/team', '/about/team/'],
    ['/%61bout/', '/about/'],
  ])('R29: %s redirects to its canonical form', async (path, location) => {
    expect(await content.resolve(path, 'en')).toEqual({ kind: 'redirect', status: 301, location });
  });

  test.each(['/nowhere/', '/About/', '/about/%2e%2e/', '/about%2fteam/', '/%zz/', '//evil.example/', '/page/2/'])(
    'R12: %s is not found',
    async (path) => {
      expect(await content.resolve(path, 'en')).toEqual({ kind: 'missing' });
    },
  );

  test('R23: is requested in the visitor’s language, with menus and strings', async () => {
    await visit('/about/');
    const asked = wordpress.requests.filter(({ url }) => !url.startsWith('/wp-json/?')).map(({ url }) => url);
    expect(asked.length).toBeGreaterThan(3);
    for (const url of asked) expect(url).toMatch(/[?&]lang=en$/);
  });

  test('R30: has the form of its sign-up, or the site’s form if the section names no form', async () => {
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

  test('has metadata for search engines', async () => {
    wordpress.plays.set(pagePath(2), json(page(2, { excerpt: { rendered: '<p>About &amp; more</p>' } })));
    expect(pageIn(await content.resolve('/about/', 'en')).meta).toMatchObject({
      title: 'Page 2 | LIVE',
      description: 'About & more',
      canonical: '/about/',
    });
    expect(pageIn(await content.resolve('/', 'en')).meta).toMatchObject({
      title: 'LIVE | Read on',
      image: { src: expect.stringMatching(/^\/share\/[0-9a-f]{16}\.jpg$/), alt: 'Read on', width: 1200, height: 630 },
    });
  });

  test('R29: published without a message is available a few seconds later', async () => {
    expect(await content.resolve('/new/', 'en')).toEqual({ kind: 'missing' });
    wordpress.plays.set(ROUTES, json([route(1, '/'), route(8, '/new/')]));
    wordpress.plays.set(pagePath(8), json(page(8)));
    pass(6);
    expect(titleOf(await content.resolve('/new/', 'en'))).toBe('Page 8');
  });

  test('R29: from a message is never missing while WordPress’ list of pages loads slowly', async () => {
    await visit('/');
    wordpress.plays.set(ROUTES, hang);
    wordpress.plays.set(pagePath(8), json(page(8)));
    const told = content.refresh({ type: 'page', id: 8, path: '/new/', status: 'publish' });
    expect(await content.resolve('/new/', 'en'), 'while the routes are being read').toEqual({ kind: 'unavailable' });
    expect(titleOf(await content.resolve('/', 'en')), 'known pages stay').toBe('Page 1');
    wordpress.plays.set(ROUTES, json({ code: 'busy' }, 500));
    wordpress.dropAll();
    expect(await told, 'the change is not confirmed').toBe(false);
    expect(await content.resolve('/new/', 'en'), 'after a failed read').toEqual({ kind: 'unavailable' });
    wordpress.plays.set(ROUTES, json([route(1, '/'), route(8, '/new/')]));
    pass(21);
    expect(titleOf(await content.resolve('/new/', 'en'))).toBe('Page 8');
    expect(await content.resolve('/nowhere/', 'en')).toEqual({ kind: 'missing' });
  });

  test('that does not exist causes one request for the routes every few seconds', async () => {
    pass(61);
    for (let visits = 0; visits < 20; visits += 1) await content.resolve(`/nowhere-${visits}/`, 'en');
    expect(wordpress.requests.filter(({ url }) => url.startsWith(ROUTES))).toHaveLength(1);
    wordpress.requests.length = 0;
    pass(6);
    await content.resolve('/nowhere/', 'en');
    expect(wordpress.requests.filter(({ url }) => !url.includes('/redirects?'))).toMatchObject([
      { url: expect.stringContaining(ROUTES) },
    ]);
  });

  test('of another type is found too', async () => {
    wordpress.plays.set(ROUTES, json([route(5, '/news/first/', { type: 'post', rest_base: 'posts' })]));
    wordpress.plays.set('/wp-json/wp/v2/posts/5', json(page(5)));
    expect(titleOf(await content.resolve('/news/first/', 'en'))).toBe('Page 5');
  });

  test('is fetched again when the routes name a change, even if it was just fetched', async () => {
    await content.routes('en');
    pass(50);
    expect(titleOf(await content.resolve('/about/', 'en'))).toBe('Page 2');
    wordpress.plays.set(ROUTES, json([route(2, '/about/', { modified: '2026-11-21T10:00:00' })]));
    wordpress.plays.set(pagePath(2), json(page(2, { title: { rendered: 'New' } })));
    expect(titleOf(await content.resolve('/about/', 'en'))).toBe('Page 2');
    pass(11);
    await expect.poll(async () => (await content.routes('en'))?.length).toBe(1);
    expect(titleOf(await content.resolve('/about/', 'en'))).toBe('New');
  });
});

describe('invalid input', () => {
  const sees = async (path: string) => {
    const { resolved, ms } = await visit(path);
    expect(ms).toBeLessThan(MAX_RESPONSE_MS);
    return titleOf(resolved);
  };

  /** The bundle has only the demo's pages. Without any response from WordPress there are no others. */
  const BUNDLED_FRONT = 'Read the first page';

  test('without WordPress the site shows the bundled pages', async () => {
    await wordpress.stop();
    expect(await sees('/')).toBe(BUNDLED_FRONT);
    expect(await sees('/privacy-policy/')).toBe('Privacy Policy');
    expect(await sees('/about/'), 'it may exist in WordPress').toBe('unavailable');
  });

  test('with a wrong key the site shows the bundled pages, and logs the error without the key', async () => {
    wordpress.plays.clear();
    wordpress.plays.set('*', json({ code: 'gusto_rest_authentication_error' }, 401));
    expect(await sees('/')).toBe(BUNDLED_FRONT);
    expect(JSON.stringify(events)).toContain('401');
    expect(JSON.stringify(events)).not.toMatch(/ck_a|cs_a/);
  });

  /** Responds after this time, in milliseconds. */
  const late =
    (ms: number, value: unknown): Play =>
    (response, request) =>
      setTimeout(json(value), ms, response, request);

  const faults: [string, Play][] = [
    ['hangs', hang],
    ['returns HTML', html],
    ['returns 500', json({}, 500)],
    ['returns 429', json({}, 429)],
    ['returns a truncated response', truncated],
    ['returns ten megabytes', huge(10_000_000)],
    ['redirects', redirect('http://127.0.0.1:9/')],
    ['returns a wrong type', json('hello')],
    ['returns null', json(null)],
  ];

  test.each(faults)('if WordPress %s and never worked, the site shows the bundled pages', async (_, play) => {
    wordpress.plays.clear();
    wordpress.plays.set('*', play);
    expect(await sees('/')).toBe(BUNDLED_FRONT);
    expect(await sees('/privacy-policy/')).toBe('Privacy Policy');
  });

  test.each(faults)('if WordPress %s after a restart, the site shows its last responses', async (_, play) => {
    await visit('/');
    wordpress.plays.clear();
    wordpress.plays.set('*', play);
    await restart();
    const { shell, resolved, ms } = await visit('/');
    expect([shell.strings.brand, titleOf(resolved)]).toEqual(['LIVE', 'Page 1']);
    expect(ms).toBeLessThan(MAX_RESPONSE_MS);
  });

  test('if every call hangs in turn, a page waits 1.5 s in total', async () => {
    for (const path of [MENUS, STRINGS, pagePath(1), formPath(1)]) wordpress.plays.set(path, hang);
    wordpress.plays.set(ROUTES, late(1000, [route(1, '/')]));
    expect(await sees('/')).toBe(BUNDLED_FRONT);
  });

  test('R26: invalid menus keep their last good value, and the others are current, after a restart too', async () => {
    const menu = (...titles: string[]) => ({ items: titles.map((title, id) => ({ id, title, url: `/${title}/` })) });
    const legals_menu = menu('Terms', 'Privacy');
    wordpress.plays.set(MENUS, json({ main_menu: menu('One', 'Two'), social_menu: menu('Three'), legals_menu }));
    await visit('/about/');
    wordpress.plays.set(MENUS, json({ main_menu: menu('Nine'), social_menu: 5, legals_menu: [[]] }));
    const before = answered.length;
    pass(61);
    await visit('/about/');
    await expect.poll(() => answered.slice(before).some((asked) => asked.startsWith(MENUS))).toBe(true);
    await restart(); // By then the data being read is stored.
    const { main_menu, social_menu, legals_menu: legals } = (await content.shell('en')).menus;
    const shown = [main_menu, social_menu, legals].map(({ items }) => items.map(({ title }) => title));
    expect(shown).toEqual([['Nine'], ['Three'], ['Terms', 'Privacy']]);
  });

  test('a WordPress slower than the deadline is slow, not down: its responses serve later visitors', async () => {
    wordpress.plays.set(ROUTES, late(1700, [route(1, '/'), route(2, '/about/')]));
    wordpress.plays.set(STRINGS, late(1700, { brand: 'SLOW' }));
    wordpress.plays.set(pagePath(2), late(1700, page(2)));
    expect((await visit('/about/')).ms).toBeLessThan(MAX_RESPONSE_MS);
    await expect.poll(async () => titleOf((await visit('/about/')).resolved), { timeout: 15_000 }).toBe('Page 2');
    expect((await content.shell('en')).strings.brand).toBe('SLOW');
  });

  test('a change in a slow WordPress is live once WordPress has sent it', async () => {
    await visit('/about/');
    wordpress.plays.set(pagePath(2), late(1700, page(2, { title: { rendered: 'Changed' } })));
    expect(await content.refresh({ type: 'page', id: 2, path: '/about/', status: 'publish' })).toBe(true);
    expect(await sees('/about/')).toBe('Changed');
  });

  test('a route to a missing page is unavailable, and the other pages work', async () => {
    wordpress.plays.set(ROUTES, json([route(1, '/'), route(99, '/ghost/')]));
    expect(await sees('/ghost/')).toBe('unavailable');
    expect(await sees('/')).toBe('Page 1');
  });

  test('R2: an unknown template is rich text, with one warning that names page and template', async () => {
    wordpress.plays.set(ROUTES, json([route(2, '/about/', { template: 'carousel' })]));
    for (let visits = 0; visits < 3; visits += 1)
      expect(pageIn(await content.resolve('/about/', 'en')).template).toBeNull();
    expect(events.filter(([event]) => event === 'content.template-unknown')).toEqual([
      ['content.template-unknown', { page: '/about/', template: 'carousel' }],
    ]);
  });

  test('a landing page without known sections shows its title, content and form', async () => {
    const sections = [{ type: 'rich-text', html: '<p>Text</p>' }, { type: 'carousel' }];
    wordpress.plays.set(pagePath(1), json(page(1, { sections })));
    const shown = pageIn(await content.resolve('/', 'en')).sections;
    expect(shown).toMatchObject([
      { type: 'hero', heading: [{ text: 'Page 1', mark: null }] },
      { type: 'rich-text', html: '<p>Text</p>' },
      { type: 'sign-up', form: { title: 'Join' } },
    ]);
  });

  test('a landing page without a hero gets none if it has other sections', async () => {
    wordpress.plays.set(pagePath(1), json(page(1, { sections: [{ type: 'statement', heading: 'Here' }] })));
    const { title, sections } = pageIn(await content.resolve('/', 'en'));
    expect([title, ...sections.map(({ type }) => type)]).toEqual(['Page 1', 'statement']);
  });

  test('a page whose form is invalid is shown without it', async () => {
    wordpress.plays.set(formPath(7), json({ code: 'gf_not_found' }, 500));
    wordpress.plays.set(pagePath(1), json(page(1, { sections: [{ type: 'sign-up', form_id: 7 }] })));
    expect(pageIn(await content.resolve('/', 'en')).sections).toMatchObject([{ type: 'sign-up', form: null }]);
  });
});

test('with two addresses of WordPress, links to both become the site’s', async () => {
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

test('without WordPress and bundle the shell has defaults, and pages are unavailable', async () => {
  await wordpress.stop();
  await restart({ bundleDirectory: join(directory, 'none') });
  const { shell, resolved } = await visit('/');
  expect(resolved).toEqual({ kind: 'unavailable' });
  expect(shell.strings.labels.join).toBe('Join The Ride');
  expect(shell.menus.legals_menu.items.map(({ title }) => title)).toEqual([
    'Terms & Conditions',
    'Privacy Policy',
    'Cookie Policy',
  ]);
  expect(await content.ready()).toBe(false);
});

test('another site’s bundle is not shown without WordPress, and the start logs a warning', async () => {
  await wordpress.stop();
  await restart({ bundleDirectory: BUNDLE });
  await content.begin();
  for (const path of ['/', '/privacy-policy/', '/about/']) {
    const { shell, resolved } = await visit(path);
    expect(resolved).toEqual({ kind: 'unavailable' });
    expect(JSON.stringify([shell, await content.search('paper', 1, 'en')])).not.toMatch(/Example/);
  }
  const picture = new Request('http://site.test/media/hero.webp');
  expect((await content.media('/media/hero.webp', picture))?.status).toBe(503);
  expect([await content.routes('en'), await content.isBlank('en'), await content.ready()]).toEqual([null, true, false]);
  const [, details] = events.find(([event]) => event === 'content.nothing-to-show') ?? [];
  expect(details?.advice).toMatch(/CONTENT_URL.*npx pillion pull/);
});

test.each([
  ['a missed change', async (change: Change) => content.missed(change, Date.now())],
  ['a reported change', (change: Change) => content.refresh(change)],
])('%s that may affect all content compares each stored picture with the original', async (_, report) => {
  const path = '/media/hero.webp';
  const text = async () => (await content.media(path, new Request(`http://site.test${path}`)))?.text();
  const play =
    (body: string): Play =>
    (response) =>
      response.writeHead(200, { 'content-type': 'image/webp' }).end(body);
  wordpress.plays.set('/wp-content/uploads/hero.webp', play('old'));
  expect(await text()).toBe('old');
  wordpress.plays.set('/wp-content/uploads/hero.webp', play('replaced'));
  await report({ type: 'event', id: 4, path: null, status: 'publish' });
  expect([await text(), await text()], 'a change of another type').toEqual(['old', 'old']);
  content.missed(ANYTHING, Date.now() - 3_600_000);
  expect([await text(), await text()], 'a change before the last check').toEqual(['old', 'old']);
  await report(ANYTHING);
  await expect.poll(text).toBe('replaced');
});

test('with one response from WordPress and another site’s bundle, the rest is unavailable', async () => {
  await restart({ bundleDirectory: BUNDLE });
  await visit('/');
  await wordpress.stop();
  await restart({ bundleDirectory: BUNDLE });
  expect(titleOf((await visit('/')).resolved)).toBe('Page 1');
  expect((await visit('/about/')).resolved).toEqual({ kind: 'unavailable' });
  expect((await visit('/privacy-policy/')).resolved).toEqual({ kind: 'missing' });
  await content.begin();
  expect(events.map(([event]) => event)).not.toContain('content.nothing-to-show');
});

test('R19: a bundle without a legal menu shows the default one', async () => {
  const bundleDirectory = join(directory, 'bundle');
  await cp(BUNDLE, bundleDirectory, { recursive: true });
  await rm(join(bundleDirectory, 'en/menus.json'));
  await restart({ source: 'bundled', bundleDirectory });
  expect((await content.shell('en')).menus.legals_menu.items).toHaveLength(3);
});

test.each([0, -1, 1.5, Number.NaN, 1e300])('no request is sent for a form with the id %d', async (id) => {
  expect(await content.form(id, 'en')).toBeNull();
  expect(wordpress.requests).toEqual([]);
});

test('R28: a page shown in place of a translation links to itself in its own language, without groups too', async () => {
  const languages = [
    { tag: 'en', name: 'English', dir: 'ltr' },
    { tag: 'de', name: 'Deutsch', dir: 'ltr', fallback: 'en' },
  ];
  wordpress.plays.set(STRINGS, json({ brand: 'LIVE', languages }));
  wordpress.plays.set(ROUTES, (response, request) =>
    json(request.url?.includes('lang=de') ? [route(4, '/de/', { is_front: true })] : [route(2, '/about/')])(
      response,
      request,
    ),
  );
  await content.begin();
  expect(pageIn(await content.resolve('/de/about/', 'de'))).toMatchObject({
    standIn: { tag: 'en' },
    translations: { en: { path: '/about/', isSame: true }, de: { path: '/de/about/', isSame: false } },
  });
});

test('R24: bundled content sends no requests', async () => {
  await restart({ source: 'bundled' });
  wordpress.requests.length = 0;
  const { resolved, shell } = await visit('/');
  expect([pageIn(resolved).template, shell.strings.brand]).toEqual(['landing', 'Example']);
  expect(await content.ready()).toBe(true);
  expect(wordpress.requests).toEqual([]);
});
