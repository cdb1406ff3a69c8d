import { Readable } from 'node:stream';
import icons from 'virtual:pillion/icons';
import type { Content, Route } from '@pillion/content/content.ts';
import { canonicalFor, translationOf } from '@pillion/content/pages/routes.ts';
import { languageNamed } from '@pillion/content/wordpress/languages.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { escapeMarkup } from '@pillion/lib/escape.ts';
import type { Hono } from 'hono';
import type { Config } from '../../config/config.ts';
import { LOOK_PATH } from '../../look.ts';
import { prepareBlankPage } from '../blank.tsx';
import { uncompressedResponse } from '../responses.ts';

interface Options {
  config: Config;
  content: Content;
}

/** Icons of the web app manifest that the site has. */
const APP_ICONS = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
].filter(({ src }) => icons.includes(src.slice(1)));

/** Most addresses of a sitemap (sitemaps.org, protocol 0.9). */
const MAX_ADDRESSES = 50_000;

/** Addresses in one chunk of the response. */
const CHUNK_ADDRESSES = 1000;

/** WordPress sends GMT without a zone. Invalid times are omitted, as the protocol allows. */
const lastmod = (modified: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(modified) ? `<lastmod>${modified}+00:00</lastmod>` : '';

const loc = (path: string, siteUrl: string) => `<loc>${escapeMarkup(new URL(path, siteUrl).href)}</loc>`;

const SITEMAP_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const XHTML_NAMESPACE = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"';
const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

interface ListedPage extends Pick<Route, 'path' | 'modified'> {
  /** Paths of the page in all languages by tag, its own included; empty on a site with one language. */
  translations: Map<string, string>;
}

/** As in the document's head: links to all translations, itself included; `x-default` is the default language. */
function alternates({ translations }: ListedPage, defaultTag: string, siteUrl: string): string {
  if (translations.size < 2) return '';
  const defaultPath = translations.get(defaultTag);
  const links = [...translations, ...(defaultPath === undefined ? [] : [['x-default', defaultPath] as const])];
  return links
    .map(([tag, path]) => {
      const href = escapeMarkup(new URL(path, siteUrl).href);
      return `<xhtml:link rel="alternate" hreflang="${tag}" href="${href}"/>`;
    })
    .join('');
}

/** Generates a sitemap in chunks, since a long one has several megabytes. */
function* sitemap(pages: ListedPage[], defaultTag: string, siteUrl: string): Generator<string> {
  const isTranslated = pages.some(({ translations }) => translations.size > 1);
  yield `${XML_DECLARATION}<urlset ${SITEMAP_NAMESPACE}${isTranslated ? XHTML_NAMESPACE : ''}>\n`;
  for (let from = 0; from < pages.length; from += CHUNK_ADDRESSES)
    yield pages
      .slice(from, from + CHUNK_ADDRESSES)
      .map(
        (page) =>
          `<url>${loc(page.path, siteUrl)}${lastmod(page.modified)}${alternates(page, defaultTag, siteUrl)}</url>\n`,
      )
      .join('');
  yield '</urlset>\n';
}

function* sitemapIndex(parts: number, siteUrl: string): Generator<string> {
  yield `${XML_DECLARATION}<sitemapindex ${SITEMAP_NAMESPACE}>\n`;
  for (let part = 1; part <= parts; part++) yield `<sitemap>${loc(`/sitemap-${part}.xml`, siteUrl)}</sitemap>\n`;
  yield '</sitemapindex>\n';
}

/** Streams the chunks at the speed at which the client reads them. */
const xmlResponse = (chunks: Generator<string>) =>
  new Response(Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream<Uint8Array>, {
    headers: { 'content-type': 'application/xml; charset=utf-8', ...CACHE.wellKnown },
  });

/** Well-known files for search engines and browsers: sitemap, robots.txt, web manifest. */
export function seoRoutes(app: Hono, { config, content }: Options): void {
  const { siteUrl } = config;
  /** Only pages that are their own canonical page are listed. */
  const isListed = (route: Route, routes: Route[]) =>
    !route.noindex &&
    new URL(canonicalFor(routes, route, route.canonical), siteUrl).href === new URL(route.path, siteUrl).href;
  /** All pages of all languages that the sitemap lists. */
  const listPages = async (): Promise<ListedPage[]> => {
    const languages = await content.languages();
    const routesByTag = new Map(
      await Promise.all(
        languages.map(async ({ tag }) => {
          const routes = (await content.routes(tag)) ?? [];
          return [tag, routes.filter((route) => isListed(route, routes))] as const;
        }),
      ),
    );
    const translationsOf = (route: Route, lang: string) =>
      new Map(
        [...routesByTag].flatMap(([tag, routes]) => {
          const translation = tag === lang ? route : translationOf(route, routes);
          return translation ? [[tag, translation.path] as const] : [];
        }),
      );
    return [...routesByTag].flatMap(([tag, routes]) =>
      routes.map((route) => ({
        path: route.path,
        modified: route.modified,
        translations: languages.length < 2 ? new Map<string, string>() : translationsOf(route, tag),
      })),
    );
  };

  app.get('/sitemap.xml', async () => {
    // With an empty sitemap, search engines would drop every page.
    const budget = content.budget();
    const [{ tag: defaultTag }] = await content.languages(budget);
    if ((await content.routes(defaultTag, budget)) === null) return uncompressedResponse(prepareBlankPage());
    const pages = await listPages();
    if (pages.length <= MAX_ADDRESSES) return xmlResponse(sitemap(pages, defaultTag, siteUrl));
    return xmlResponse(sitemapIndex(Math.ceil(pages.length / MAX_ADDRESSES), siteUrl));
  });

  app.get('/:name{sitemap-[1-9][0-9]{0,3}\\.xml}', async (c, next) => {
    const part = Number.parseInt(c.req.param('name').slice('sitemap-'.length), 10);
    const [{ tag: defaultTag }] = await content.languages();
    const pages = (await listPages()).slice((part - 1) * MAX_ADDRESSES, part * MAX_ADDRESSES);
    return pages.length > 0 ? xmlResponse(sitemap(pages, defaultTag, siteUrl)) : next();
  });

  // Addresses of the sitemaps of WordPress and Yoast SEO, which search engines may know from an earlier site.
  app.get('/:name{(?:wp-sitemap(?:-[\\w-]+)?|sitemap_index|[\\w-]+-sitemap[0-9]*)\\.xml}', (c) =>
    c.redirect('/sitemap.xml', 301),
  );

  app.get('/robots.txt', async (c) => {
    // `$` ends the path (RFC 9309, 2.2.3), so that a page such as `/search-party/` is allowed.
    const searches = (await content.languages())
      .map(({ home }) => `Disallow: ${home}search$\nDisallow: ${home}search?\n`)
      .join('');
    // Search engines render pages, so they may read the editors' colours. They must not index a test deployment.
    const rules =
      config.deployEnv === 'production'
        ? `Allow: ${LOOK_PATH}\nDisallow: /api/\n${searches}\nSitemap: ${new URL('/sitemap.xml', siteUrl).href}`
        : 'Disallow: /';
    return c.text(`User-agent: *\n${rules}\n`, 200, CACHE.wellKnown);
  });

  app.get('/site.webmanifest', async (c) => {
    const budget = content.budget();
    const languages = await content.languages(budget);
    const { tag, dir, home } = languageNamed(languages, c.req.query('lang'));
    const { brand, description } = (await content.shell(tag, budget)).strings;
    if (await content.isBlank(tag)) return uncompressedResponse(prepareBlankPage());
    const manifest = {
      ...(languages.length > 1 ? { lang: tag, dir } : {}),
      name: brand,
      short_name: brand,
      ...(description ? { description } : {}),
      start_url: home,
      display: 'browser',
      icons: APP_ICONS,
    };
    return new Response(JSON.stringify(manifest), {
      headers: { 'content-type': 'application/manifest+json', ...CACHE.wellKnown },
    });
  });
}
