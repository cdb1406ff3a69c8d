import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error It brings no types.
import Validator from '@adobe/structured-data-validator';
import { json, page, pagePath, picture, ROUTES, route, STRINGS } from '@pillion/content/testing/fake-wordpress.ts';
import { compareTags, type NamedTag, readHeadTags } from '@pillion/tests/head-tags.ts';
import { createPng } from '@pillion/tests/png.ts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import openGraph from 'open-graph-scraper';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { SITE } from './testing/start-app.ts';
import { startAppForEach } from './testing/start-app-for-each.ts';

const app = startAppForEach({ setup: { headers: { 'cross-origin-resource-policy': 'same-origin' } }, isClosed: true });
beforeEach(() => app.open({ source: 'bundled' }));

const warnings = () => app.lines.filter(({ level }) => level !== 'info').map(({ event }) => event);

/** Without a full read of WordPress a page is 503 after 1.5 s, so a slow machine may need several visits. */
async function get(address: string): Promise<Response> {
  const answer = await app.request(new URL(address, SITE).href);
  return answer.status === 503 ? get(address) : answer;
}
const textOf = async (path: string) => (await get(path)).text();

/** The preview of a shared link, read by a library that works like those of the networks. */
async function sharedAs(path: string) {
  const { error, result } = await openGraph({ html: await textOf(path) });
  expect(error).toBe(false);
  const [image] = result.ogImage ?? [];
  return { ...result, image };
}

async function drawnOf(address: string) {
  const answer = await get(address);
  expect([answer.status, answer.headers.get('content-type')], address).toEqual([200, 'image/jpeg']);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { bytes, headers: answer.headers, ...(await sharp(bytes).metadata()) };
}

const kept = () => readdir(join(app.directory, 'share')).catch(() => []);

interface Sitemap {
  urlset: { url: { loc: string; lastmod?: string }[] };
}

async function sitemap(): Promise<{ loc: string; lastmod?: string }[]> {
  const xml = await textOf('/sitemap.xml');
  expect(XMLValidator.validate(xml)).toBe(true);
  return (new XMLParser({ isArray: (name) => name === 'url' }).parse(xml) as Sitemap).urlset.url;
}

test('every page has its own title and description, and a picture that matches its metadata', async () => {
  const pages = await sitemap();
  expect(pages.length).toBeGreaterThan(4);
  const descriptions = new Set<string | undefined>();
  for (const { loc } of pages) {
    const { ogTitle, ogDescription, ogUrl, twitterCard, image } = await sharedAs(loc);
    expect([ogUrl, twitterCard, Boolean(ogTitle)], loc).toEqual([loc, 'summary_large_image', true]);
    descriptions.add(ogDescription);
    expect(image?.alt, loc).toBeTruthy();
    const { width, height, format, headers } = await drawnOf(image?.url ?? '');
    expect({ width: String(width), height: String(height), type: `image/${format}` }, loc).toEqual({
      ...{ width: image?.width, height: image?.height, type: image?.type },
    });
    expect([width, height]).toEqual([1200, 630]);
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('cache-control')).toContain('immutable');
  }
  expect(descriptions.size).toBe(pages.length);
});

describe('with WordPress', () => {
  beforeEach(() => app.reopen());

  const put = (id: number, more: object) => app.wordpress.plays.set(pagePath(id), json(page(id, more)));
  const upload = async (name: string, bytes: Buffer, type: string) =>
    app.wordpress.plays.set(`/wp-content/uploads/${name}`, (response) =>
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes),
    );
  const webp = (background: string) =>
    sharp({ create: { width: 1920, height: 1200, channels: 3, background } })
      .webp()
      .toBuffer();

  test.each([
    ['markup', '&lt;script&gt;alert(1)&lt;/script&gt;&lt;/svg&gt; &quot;twice&quot; &amp; again'],
    ['emoji', 'Read 🏍️ home 👩‍🚀 🇫🇷 👍🏽'],
    ['Arabic', 'مرحبا بكم في الضوء الأخير'],
    ['a script without a typeface', '夕日の道'],
    ['control and direction characters', 'Read \u202eevil\u202c\u0007 on'],
    ['no text', ''],
  ])('a title with %s is drawn', async (_, rendered) => {
    put(2, { title: { rendered } });
    const { image } = await sharedAs('/about/');
    const { width, height } = await drawnOf(image?.url ?? '');
    expect([width, height]).toEqual([1200, 630]);
    expect(warnings()).not.toContain('share.drawing-failed');
  });

  test('a change of the picture changes its address, and the old one redirects to the new', async () => {
    put(2, { title: { rendered: 'Before' } });
    const before = (await sharedAs('/about/')).image?.url ?? '';
    put(2, { title: { rendered: 'After' } });
    await app.content.refresh({ type: 'page', id: 2, path: null, status: null });
    const after = (await sharedAs('/about/')).image?.url ?? '';
    expect(after).not.toBe(before);
    const moved = await get(before);
    expect([moved.status, new URL(moved.headers.get('location') ?? '', SITE).href]).toEqual([302, after]);
  });

  test('an invented address causes no drawing', async () => {
    const hash = '0123456789abcdef';
    for (const path of ['/no-such-page.jpg', '/..%2f..%2fetc/passwd.jpg', '/%00.jpg', '//about.jpg', '/.jpg'])
      expect((await get(`/share/${hash}${path}`)).status, path).toBe(404);
    for (let i = 0; i < 50; i++)
      expect((await get(`/share/${i.toString(16).padStart(16, '0')}/about.jpg`)).status).toBe(302);
    expect((await get('/share/x/about.jpg')).status).toBe(404);
    expect(await kept()).toEqual([]);
  });

  test('a picture is drawn once for parallel requests, and the cache is limited', async () => {
    const { image } = await sharedAs('/about/');
    await Promise.all(Array.from({ length: 20 }, () => drawnOf(image?.url ?? '')));
    expect(await kept()).toHaveLength(1);
    await app.reopen();
    await drawnOf(image?.url ?? '');
    expect(await kept()).toHaveLength(1);
    await app.reopen({ shareBytes: 1 });
    await drawnOf((await sharedAs('/about/team/')).image?.url ?? '').catch(() => {});
    expect(await kept()).toHaveLength(0);
  });

  test('the page’s picture is drawn under its title', async () => {
    await upload('hero.webp', await webp('#ff0000'), 'image/webp');
    const { bytes } = await drawnOf((await sharedAs('/')).image?.url ?? '');
    const { channels } = await sharp(bytes).stats();
    expect(channels[0]?.mean ?? 0).toBeGreaterThan(3 * (channels[2]?.mean ?? 255));
  });

  test('instead of a picture that cannot be used, the site’s is shown; without one and an icon, none', async () => {
    await upload('hero.webp', Buffer.from('no picture at all'), 'image/webp');
    const { image } = await sharedAs('/');
    const answer = await get(image?.url ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(answer.headers.get('cache-control')).not.toContain('immutable');
    await answer.body?.cancel();
    expect(warnings()).toContain('share.drawing-failed');
    app.wordpress.plays.delete('/wp-content/uploads/hero.webp');
    await rm(join(app.directory, 'media'), { recursive: true, force: true });
    put(1, {
      sections: [{ type: 'hero', heading: 'New', picture: picture(app.wordpress.url, 'gone'), portrait: null }],
    });
    await app.content.refresh({ type: 'page', id: 1, path: null, status: null });
    const icon = await get((await sharedAs('/')).image?.url ?? '');
    expect(icon.status).toBe(404);
  });

  test('a page keeps its chosen picture, as it is or converted to JPEG for networks that need it', async () => {
    await upload('chosen.png', await createPng(1200, 630), 'image/png');
    const chosen = {
      ...picture(app.wordpress.url, 'chosen'),
      url: `${app.wordpress.url}/wp-content/uploads/chosen.png`,
    };
    put(2, { found: { title: '', description: '', noindex: false, picture: chosen } });
    expect((await sharedAs('/about/')).image).toMatchObject({ url: `${SITE}/media/chosen.png`, type: 'image/png' });
    await upload('green.webp', await webp('#00ff00'), 'image/webp');
    put(3, { picture: { ...picture(app.wordpress.url, 'green'), sizes: [] } });
    const { bytes } = await drawnOf((await sharedAs('/about/team/')).image?.url ?? '');
    const { channels } = await sharp(bytes).stats();
    // No text is drawn on it: it has one colour everywhere.
    expect(channels.map(({ min, max }) => max - min < 4)).toEqual([true, true, true]);
  });

  /** Responses of WordPress with the real plugin, and its own head: `RECORD_YOAST=1 npm run test:plugins`. */
  interface Recording {
    plugin: string;
    home: string;
    pages: { path: string; head: NamedTag[]; page: { id: number }; route: { rest_base: string } }[];
  }

  async function serveRecording(): Promise<Recording> {
    const text = await readFile(fileURLToPath(import.meta.resolve('@pillion/content/testing/yoast.json')), 'utf8');
    const { home } = JSON.parse(text) as Recording;
    const recording: Recording = JSON.parse(
      text.replaceAll('https://www.brand.example', SITE).replaceAll(home, app.wordpress.url),
    );
    app.wordpress.plays.set(ROUTES, json(recording.pages.map(({ route }) => route)));
    for (const { page, route } of recording.pages)
      app.wordpress.plays.set(`/wp-json/wp/v2/${route.rest_base}/${page.id}`, json(page));
    return recording;
  }

  test('with Yoast SEO 28.4 the tags of ten pages equal those of WordPress’ own head', async () => {
    const { pages, plugin } = await serveRecording();
    expect([plugin, pages.length]).toEqual(['Yoast SEO 28.4-RC1', 10]);
    for (const { path, head } of pages) {
      const html = await textOf(path);
      const compared = compareTags(head, readHeadTags(html));
      expect(
        compared.filter(({ verdict }) => verdict === 'WRONG'),
        path,
      ).toEqual([]);
      expect(html.split('</head>', 1)[0], path).not.toContain(new URL(app.wordpress.url).host);
    }
  });

  test('with Yoast SEO 28.4 the sitemap lists only canonical pages', async () => {
    await serveRecording();
    const listed = (await sitemap()).map(({ loc }) => new URL(loc).pathname);
    expect(listed).toEqual(
      expect.arrayContaining(['/', '/paper-notes/', '/seo-plain/', '/seo-robots/', '/seo-article/']),
    );
    for (const path of ['/seo-hidden/', '/seo-elsewhere/', '/seo-copy/']) expect(listed).not.toContain(path);
  });

  test('a copy of another site’s page says so in head and linked data', async () => {
    await serveRecording();
    const there = 'https://elsewhere.example/there/?a=1';
    expect(readHeadTags(await textOf('/seo-elsewhere/'))).toEqual(
      expect.arrayContaining([
        ['canonical', there],
        ['og:url', there],
      ]),
    );
    const page = (await graphOf('/seo-elsewhere/')).find((node) => node['@type'] === 'WebPage');
    expect(page).toMatchObject({ '@id': `${SITE}/seo-elsewhere/`, url: there });
  });

  test('an invalid share picture or one without dimensions affects only itself', async () => {
    const png = `${app.wordpress.url}/wp-content/uploads/yoast.png`;
    await upload('yoast.png', await createPng(1200, 630), 'image/png');
    put(2, { yoast_head_json: { og_image: [{ url: 5 }, { url: png, width: '', height: '', type: '' }] } });
    expect((await sharedAs('/about/')).image).toMatchObject({ url: `${SITE}/media/yoast.png` });
  });

  test('no tag links to WordPress, and those that would are omitted', async () => {
    const inside = `${app.wordpress.url}/wp-admin/profile.php`;
    put(2, {
      yoast_head_json: {
        ...{ article_author: inside, article_publisher: `${app.wordpress.url}/about/`, canonical: inside },
        ...{ twitter_image: `${app.wordpress.url}/wp-content/plugins/x/logo.png`, article_tag: ['a', 'b'] },
        schema: { '@graph': [{ '@type': 'Person', url: inside, sameAs: [inside, 'https://elsewhere.example/'] }] },
      },
    });
    const html = await textOf('/about/');
    expect(html.split('</head>', 1)[0]).not.toContain(new URL(app.wordpress.url).host);
    const tags = readHeadTags(html);
    expect(tags).toContainEqual(['article:publisher', `${SITE}/about/`]);
    expect(tags.filter(([name]) => name === 'article:tag')).toEqual([
      ['article:tag', 'a'],
      ['article:tag', 'b'],
    ]);
    expect(tags).toContainEqual(['canonical', `${SITE}/about/`]);
  });

  test.each([
    '/sitemap_index.xml',
    '/page-sitemap.xml',
    '/post-sitemap2.xml',
    '/wp-sitemap.xml',
    '/wp-sitemap-posts-page-1.xml',
  ])('%s, a known path for sitemaps, redirects to the site’s', async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/sitemap.xml']);
  });

  test('an SEO plugin’s linked data is merged with the site’s, with its addresses and no script', async () => {
    const { url } = app.wordpress;
    const target = { '@type': 'EntryPoint', urlTemplate: `${url}/?s={search_term_string}` };
    const nodes = [
      {
        '@type': 'AboutPage',
        '@id': `${url}/about/`,
        isPartOf: { '@id': `${url}/#website` },
        datePublished: '2026-01-01',
      },
      { '@type': 'WebSite', '@id': `${url}/#website`, potentialAction: [{ '@type': 'SearchAction', target }] },
      { '@type': 'Article', '@id': `${url}/about/#article`, headline: '</script><script>alert(1)</script>' },
    ];
    put(2, { yoast_head_json: { schema: { '@context': 'https://schema.org', '@graph': nodes } } });
    const html = await textOf('/about/');
    expect(html).not.toContain(url);
    expect(html).not.toContain('<script>alert(1)');
    const graph = await graphOf('/about/');
    const of = (type: string) => graph.find((node) => node['@type'] === type);
    expect(of('AboutPage')).toMatchObject({ isPartOf: { '@id': `${SITE}/#website` }, datePublished: '2026-01-01' });
    expect(JSON.stringify(of('WebSite'))).toContain(`${SITE}/search?q={search_term_string}`);
    expect(of('Article')).toMatchObject({ '@id': `${SITE}/about/#article` });
    expect(of('BreadcrumbList')).toBeDefined();
    // This site has no icons.
    expect(JSON.stringify(graph)).not.toContain('"logo"');
  });

  test('the editor’s texts override an SEO plugin’s', async () => {
    const robots = { index: 'index', follow: 'follow', 'max-snippet': 'max-snippet:-1' };
    const theirs = { title: 'Theirs', description: 'Theirs.', og_title: 'Theirs', robots };
    const schema = { '@graph': [{ '@type': 'AboutPage', '@id': `${app.wordpress.url}/about/`, name: 'Theirs' }] };
    const found = { title: 'Mine', description: 'My words.', noindex: true, picture: null };
    put(2, { yoast_head_json: { ...theirs, schema }, found });
    const html = await textOf('/about/');
    expect(html).toContain('<title>Mine</title>');
    expect(html).toContain('<meta name="description" content="My words.">');
    expect(html).toContain('<meta name="robots" content="noindex, follow, max-snippet:-1">');
    expect(html).not.toContain('application/ld+json');
    expect((await sharedAs('/about/')).ogTitle).toBe('Mine');
  });

  test('a page without a description uses its first text', async () => {
    put(2, { content: { rendered: `<p>Begins so. ${'More words. '.repeat(40)}</p>` }, excerpt: { rendered: '' } });
    const { ogDescription } = await sharedAs('/about/');
    expect(ogDescription).toMatch(/^Begins so\. More words\..*…$/);
    expect(ogDescription?.length).toBeLessThanOrEqual(161);
  });

  test('the sitemap omits pages that are not indexed, and has the dates of the others', async () => {
    const hidden = route(3, '/hidden/', { noindex: true });
    app.wordpress.plays.set(ROUTES, json([route(1, '/'), route(2, '/a&b/', { modified: 'yesterday' }), hidden]));
    expect(await sitemap()).toEqual([
      { loc: `${SITE}/`, lastmod: '2026-11-20T10:00:01+00:00' },
      { loc: `${SITE}/a%26b/` },
    ]);
  });

  test('titles with any characters are unchanged in linked data', async () => {
    for (const title of ['“Quoted” \\ "twice"', '</script><script>', 'נסיעה ‏אל', '🏍️👩‍🚀', 'first\u2028line']) {
      put(2, { yoast_head_json: { title } });
      await app.content.refresh({ type: 'page', id: 2, path: null, status: null });
      const graph = (await graphOf('/about/')) as { '@type': string; name: string }[];
      const written = title === '</script><script>' ? 'Page 2 | LIVE' : title.replace('\u2028', ' ');
      expect(graph.find((node) => node['@type'] === 'WebPage')?.name).toBe(written);
    }
  });

  test('pictures show the brand’s name if it has no logo, with any characters', async () => {
    app.wordpress.plays.set(STRINGS, json({ brand: 'Ω “Read” & <b>Co</b> 🏍', logo: '' }));
    await drawnOf((await sharedAs('/about/')).image?.url ?? '');
    expect(warnings()).not.toContain('share.drawing-failed');
  });
});

/** The block of linked data, as the library reads it. */
async function graphOf(path: string): Promise<Record<string, unknown>[]> {
  const [block] = (await sharedAs(path)).jsonLD as [{ '@graph': Record<string, unknown>[] }];
  return block['@graph'];
}

/** The front page of each of the demo's languages, which has no breadcrumb. */
const HOMES = ['/', '/de/', '/ar/'].map((path) => SITE + path);

test('linked data names organization, site with search, page and breadcrumb, without errors', async () => {
  for (const { loc } of await sitemap()) {
    const graph = await graphOf(loc);
    const types = graph.map((node) => node['@type']);
    const breadcrumb = HOMES.includes(loc) ? [] : ['BreadcrumbList'];
    expect(types, loc).toEqual(['Organization', 'WebSite', 'WebPage', ...breadcrumb]);
    const jsonld = Object.groupBy(graph, (node) => String(node['@type']));
    const faults = await new Validator().validate({ jsonld, microdata: {}, rdfa: {}, errors: [], metatags: {} });
    expect(
      faults.filter(({ severity }: { severity: string }) => severity === 'ERROR'),
      loc,
    ).toEqual([]);
  }
});
