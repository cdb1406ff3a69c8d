import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Route, routesOf, translationOf } from '../pages/routes.ts';
import { type FakeWordpress, json, page, route, startFakeWordpress } from '../testing/fake-wordpress.ts';
import { createBudget } from '../wordpress/budget.ts';
import { type Endpoint, endpointPath, fileOf } from '../wordpress/endpoints.ts';
import type { Result } from '../wordpress/result.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { createBundle } from './bundle.ts';
import type { Source } from './source.ts';
import { createWordpressConnection } from './wordpress.ts';

/** A source of content that a test can fill: a WordPress on loopback or a folder of files. */
interface Origin {
  /** Start of the addresses of its pictures and pages. */
  url: string;
  source: Source;
  put: (endpoint: Endpoint, answer: unknown) => Promise<void>;
  close: () => Promise<void>;
}

type Warnings = [string, Record<string, unknown>][];

async function openWordpress(warnings: Warnings): Promise<Origin> {
  const wordpress: FakeWordpress = await startFakeWordpress();
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'pillion-source-'));
  wordpress.plays.set('/wp-json/', json({ home: wordpress.url, url: wordpress.url }));
  const { source, close } = createWordpressConnection({
    ...{ url: wordpress.url, key: 'ck_a', secret: 'cs_a', timeoutMs: 1500, cacheDirectory },
    log: () => {},
    warn: (event, details) => warnings.push([event, details]),
  });
  return {
    url: wordpress.url,
    source,
    put: async (endpoint, answer) => void wordpress.plays.set(endpointPath(endpoint).replace(/\?.*/, ''), json(answer)),
    close: async () => {
      await close();
      await wordpress.stop();
      await rm(cacheDirectory, { recursive: true });
    },
  };
}

async function openBundle(warnings: Warnings): Promise<Origin> {
  const directory = await mkdtemp(join(tmpdir(), 'pillion-bundle-'));
  return {
    url: '',
    source: createBundle(directory, (event, details) => warnings.push([event, details])),
    put: async (endpoint, answer) => {
      const file = join(directory, fileOf(endpoint));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(answer));
    },
    close: () => rm(directory, { recursive: true }),
  };
}

describe.each([
  ['WordPress', openWordpress],
  ['the bundle', openBundle],
])('content from %s', (_, open) => {
  const lang = 'en';
  const wanted = { budget: createBudget(60_000) };
  let warnings: Warnings;
  let origin: Origin;
  beforeEach(async () => {
    warnings = [];
    origin = await open(warnings);
  });
  afterEach(() => origin.close());

  const [about] = routesOf([route(2, '/about/')], lang, createRewriter([]), () => {}) as [Route];
  const putPage = (more: object) => origin.put({ name: 'page', lang, restBase: 'pages', id: 2 }, page(2, { ...more }));
  const readPage = async () => {
    const read = await origin.source.page(about, lang, wanted);
    if (!read.ok) throw new Error(read.error.message);
    return read.data;
  };
  /** Puts an answer and reads it. */
  const menusFrom = async (answer: unknown) => {
    await origin.put({ name: 'menus', lang }, answer);
    return origin.source.menus(lang, wanted);
  };
  const routesFrom = async (answer: unknown) => {
    await origin.put({ name: 'routes', lang }, answer);
    return origin.source.routes(lang, wanted);
  };
  const stringsFrom = async (answer: unknown) => {
    await origin.put({ name: 'strings', lang }, answer);
    return origin.source.strings(lang, wanted);
  };
  const errorOf = (read: Result<unknown>) => (read.ok ? null : read.error.message);

  test('R29: the routes say which pages exist', async () => {
    const read = await routesFrom([route(2, '/about/', { theme: 'light', title: 'Us &amp; them' })]);
    expect(read).toMatchObject({ ok: true, data: [{ id: 2, path: '/about/', theme: 'light', title: 'Us & them' }] });
  });

  test('an invalid route is dropped, and the others stay', async () => {
    const read = await routesFrom([{ id: 'x' }, null, route(2, '/about/'), route(3, '/a/%zz/')]);
    expect(read.ok && read.data.map(({ path }) => path)).toEqual(['/about/']);
    expect(warnings.map(([event]) => event)).toEqual(Array(3).fill('content.route-dropped'));
  });

  test('R29: of several entries at one path the front page applies, then a page, then the first entry', async () => {
    const post = (id: number, path: string, more = {}) =>
      route(id, path, { type: 'post', rest_base: 'posts', ...more });
    const read = await routesFrom([
      post(2, '/about/'),
      route(3, '/about/'),
      route(4, '/about/'),
      post(5, '/'),
      post(6, '/', { is_front: true }),
      route(7, '/', { is_front: true }),
      post(8, '/log/'),
      post(9, '/log/'),
    ]);
    expect(read.ok && read.data.map(({ id }) => id).sort()).toEqual([3, 7, 8]);
  });

  test('R28: the translation of a page is a page, never a post of the same group', () => {
    const read = (items: unknown[]) => routesOf(items, 'de', createRewriter([]), () => {});
    const [original] = read([route(2, '/about/', { group: 2 })]) as [Route];
    const german = read([
      route(3, '/de/mein/', { type: 'post', rest_base: 'posts', group: 2 }),
      route(4, '/de/ueber/', { group: 2 }),
    ]);
    expect(translationOf(original, german)?.id).toBe(4);
    expect(translationOf(original, german.slice(0, 1))).toBeNull();
  });

  test.each([[[]], ['nothing'], [{ code: 'x' }], [null]])('routes of %j are an error', async (answer) => {
    expect(errorOf(await routesFrom(answer))).not.toBeNull();
  });

  test('R17: menus are read by location, with networks by class and links to the site as paths', async () => {
    const read = await menusFrom({
      main_menu: [{ title: 'About', url: `${origin.url}/about/` }],
      social_menu: {
        items: [
          { title: 'Post', url: 'https://x.com/', target: '_blank', classes: ['icon', 'twitter'] },
          { title: 'Mastodon', url: 'https://example.org/', classes: ['mastodon'] },
        ],
      },
      legals_menu: { items: [{ title: 'Terms &#038; Conditions', url: `${origin.url}/terms/`, target: '_blank' }] },
    });
    expect(read.ok && read.data).toEqual({
      main_menu: { items: [{ title: 'About', url: '/about/', target: '', network: null }] },
      social_menu: {
        items: [
          { title: 'Post', url: 'https://x.com/', target: '_blank', network: 'twitter' },
          { title: 'Mastodon', url: 'https://example.org/', target: '', network: null },
        ],
      },
      legals_menu: { items: [{ title: 'Terms & Conditions', url: '/terms/', target: '_blank', network: null }] },
    });
  });

  test.each([
    ['null', null],
    ['an empty list', []],
    ['locations of null', { main_menu: null, social_menu: null, legals_menu: null }],
  ])('R26: %s is an empty menu', async (_name, answer) => {
    const none = { items: [] };
    const expected = { main_menu: none, social_menu: none, legals_menu: none };
    expect(await menusFrom(answer)).toEqual({ ok: true, data: expected });
  });

  test('R26: menus are an error if none is valid', async () => {
    for (const absurd of [
      { main_menu: 'nope', social_menu: 5, legals_menu: [[]] },
      { main_menu: 'About', legals_menu: 7 },
      { legals_menu: { items: [5, null] } },
      { code: 'blocked', message: 'Request blocked' },
    ]) {
      expect(errorOf(await menusFrom(absurd)), JSON.stringify(absurd)).toContain('menu-locations');
    }
  });

  test('R19, R26: an invalid legal menu is the default one if another menu is valid', async () => {
    const read = await menusFrom({ main_menu: null, social_menu: 5, legals_menu: [[]] });
    expect(read.ok && [read.data.legals_menu.items.length, read.data.social_menu.items.length]).toEqual([3, 0]);
  });

  test('R17: items of submenus follow their parent, and an item that only opens a submenu is left out', async () => {
    const item = (title: string, url: string, children: unknown[] = []) => ({ title, url, children });
    const items = [
      item('About', '/about/', [
        item('Team', '/about/team/', [item('Ada', '/about/team/ada/')]),
        item('Bad', 'javascript:x'),
      ]),
      item('More', '#', [item('Tour', '/tour/')]),
      item('Top', '#'),
    ];
    const read = await menusFrom({ main_menu: { items } });
    const titles = read.ok && read.data.main_menu.items.map(({ title }) => title);
    expect(titles).toEqual(['About', 'Team', 'Ada', 'Tour', 'Top']);
  });

  test('a menu item without a valid address or title is dropped, and the others stay', async () => {
    const items = [
      { title: 'Run', url: 'javascript:alert(1)' },
      { title: '', url: '/empty/' },
      { url: 4 },
      { title: 'About', url: '/about/' },
    ];
    const read = await menusFrom({ main_menu: { items } });
    expect(read.ok && read.data.main_menu.items.map(({ title }) => title)).toEqual(['About']);
    expect(warnings).toHaveLength(3);
  });

  test('strings without any known text are an error that names its endpoint', async () => {
    for (const absurd of ['hello', { code: 'blocked', message: 'Request blocked' }, { error: 'forbidden' }])
      expect(errorOf(await stringsFrom(absurd))).toContain('options');
  });

  test('without the companion plugin a page is one section of rich text', async () => {
    await putPage({ content: { rendered: `<h1>A</h1><p><a href="${origin.url}/privacy/">b</a></p>` } });
    expect((await readPage()).sections).toEqual([
      { type: 'rich-text', html: '<h2>A</h2><p><a href="/privacy/">b</a></p>' },
    ]);
  });

  test('a title loses its markup', async () => {
    await putPage({ title: { rendered: '<b onclick="x()">Us</b> &#038; <script>alert(1)</script>them &lt;3' } });
    expect((await readPage()).title).toBe('Us & them <3');
  });

  test('R2: an unknown theme or section is ignored with a warning that names the page', async () => {
    await putPage({ acf: { theme: 'neon' }, sections: [{ type: 'carousel' }, { type: 'wordmark' }] });
    expect(await readPage()).toMatchObject({ theme: null, sections: [{ type: 'wordmark' }] });
    expect(warnings).toContainEqual(['content.theme-unknown', { page: '/about/', theme: 'neon' }]);
    expect(warnings).toContainEqual(['content.section-dropped', expect.objectContaining({ page: '/about/' })]);
  });

  test.each([{ status: 'draft' }, { status: 'private' }, { content: { rendered: '', protected: true } }])(
    'a page with %j is not public',
    async (more) => {
      await putPage(more);
      expect((await readPage()).isPublic).toBe(false);
    },
  );

  test('an invalid page is an error that names its endpoint', async () => {
    await putPage({ title: 'Us' });
    expect(errorOf(await origin.source.page(about, lang, wanted))).toMatch(/pages\/2/);
  });
});
