import icons from 'virtual:pillion/icons';
import type { Content, Route } from '@pillion/content/content.ts';
import { canonicalFor, translationOf } from '@pillion/content/pages/routes.ts';
import { languageNamed } from '@pillion/content/wordpress/languages.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { escapeMarkup } from '@pillion/lib/escape.ts';
import type { Hono } from 'hono';
import type { Config } from '../../config/config.ts';
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
const MOST_ADDRESSES = 50_000;

/** Addresses in one chunk: the server streams a long sitemap. */
const CHUNK = 1000;

/** WordPress sends GMT without a zone. Invalid times are omitted, as the protocol allows. */
const lastmod = (modified: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(modified) ? `<lastmod>${modified}+00:00</lastmod>` : '';

const address = (path: string, siteUrl: string) => `<loc>${escapeMarkup(new URL(path, siteUrl).href)}</loc>`;

const SITEMAPS_ORG = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A page with its translations by language tag, itself included; empty on a site with one language. */
interface Listed extends Pick<Route, 'path' | 'modified'> {
  translations: Map<string, string>;
}

/** As in the document's head: links to all translations, itself included; `x-default` is the default language. */
function alternates({ translations }: Listed, standard: string, siteUrl: string): string {
  if (translations.size < 2) return '';
  const everybody = translations.get(standard);
  const named = [...translations, ...(everybody === undefined ? [] : [['x-default', everybody] as const])];
  return named
    .map(([tag, path]) => {
      const href = escapeMarkup(new URL(path, siteUrl).href);
      return `<xhtml:link rel="alternate" hreflang="${tag}" href="${href}"/>`;
    })
    .join('');
}

function* sitemap(routes: Listed[], standard: string, siteUrl: string): Generator<string> {
  const isTranslated = routes.some(({ translations }) => translations.size > 1);
  yield `${XML}<urlset ${SITEMAPS_ORG}${isTranslated ? XHTML : ''}>\n`;
  for (let from = 0; from < routes.length; from += CHUNK)
    yield routes
      .slice(from, from + CHUNK)
      .map(
        (listed) =>
          `<url>${address(listed.path, siteUrl)}${lastmod(listed.modified)}${alternates(listed, standard, siteUrl)}</url>\n`,
      )
      .join('');
  yield '</urlset>\n';
}

function* sitemapIndex(parts: number, siteUrl: string): Generator<string> {
  yield `${XML}<sitemapindex ${SITEMAPS_ORG}>\n`;
  for (let part = 1; part <= parts; part++) yield `<sitemap>${address(`/sitemap-${part}.xml`, siteUrl)}</sitemap>\n`;
  yield '</sitemapindex>\n';
}

const encoder = new TextEncoder();

/** Streams text at the speed at which the client reads it. */
const stream = (chunks: Generator<string>) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });

const xmlResponse = (chunks: Generator<string>) =>
  new Response(stream(chunks), { headers: { 'content-type': 'application/xml; charset=utf-8', ...CACHE.wellKnown } });

/** Well-known files for search engines and browsers: sitemap, robots.txt, web manifest. */
export function seoRoutes(app: Hono, { config, content }: Options): void {
  const { siteUrl } = config;
  /** Only pages that are their own canonical page are listed. */
  const isListed = (route: Route, routes: Route[]) =>
    !route.noindex &&
    new URL(canonicalFor(routes, route, route.canonical), siteUrl).href === new URL(route.path, siteUrl).href;
  const allRoutes = async (): Promise<Listed[]> => {
    const languages = await content.languages();
    const byTag = new Map(
      await Promise.all(
        languages.map(async ({ tag }) => {
          const routes = (await content.routes(tag)) ?? [];
          return [tag, routes.filter((route) => isListed(route, routes))] as const;
        }),
      ),
    );
    const translationsOf = (route: Route, lang: string) =>
      new Map(
        [...byTag].flatMap(([tag, routes]) => {
          const there = tag === lang ? route : translationOf(route, routes);
          return there ? [[tag, there.path] as const] : [];
        }),
      );
    return [...byTag].flatMap(([tag, routes]) =>
      routes.map((route) => ({
        path: route.path,
        modified: route.modified,
        translations: languages.length < 2 ? new Map<string, string>() : translationsOf(route, tag),
      })),
    );
  };

  app.get('/sitemap.xml', async () => {
    // With an empty sitemap, search engines would drop every page.
    const left = content.budget();
    const [{ tag: standard }] = await content.languages(left);
    if ((await content.routes(standard, left)) === null) return uncompressedResponse(prepareBlankPage());
    const routes = await allRoutes();
    if (routes.length <= MOST_ADDRESSES) return xmlResponse(sitemap(routes, standard, siteUrl));
    return xmlResponse(sitemapIndex(Math.ceil(routes.length / MOST_ADDRESSES), siteUrl));
  });

  app.get('/:name{sitemap-[1-9][0-9]{0,3}\\.xml}', async (c, next) => {
    const part = Number(/\d+/.exec(c.req.param('name')));
    const [{ tag: standard }] = await content.languages();
    const routes = (await allRoutes()).slice((part - 1) * MOST_ADDRESSES, part * MOST_ADDRESSES);
    return routes.length > 0 ? xmlResponse(sitemap(routes, standard, siteUrl)) : next();
  });

  // Addresses of the sitemaps of WordPress and Yoast SEO, which search engines may know from an earlier site.
  app.get('/:name{(?:wp-sitemap(?:-[\\w-]+)?|sitemap_index|[\\w-]+-sitemap[0-9]*)\\.xml}', (c) =>
    c.redirect(new URL('/sitemap.xml', siteUrl).pathname, 301),
  );

  app.get('/robots.txt', async (c) => {
    // `$` ends the path (RFC 9309, 2.2.3), so that a page such as `/search-party/` is allowed.
    const searches = (await content.languages())
      .map(({ home }) => `Disallow: ${home}search$\nDisallow: ${home}search?\n`)
      .join('');
    // Search engines must not index a test deployment.
    const rules =
      config.deployEnv === 'production'
        ? `Disallow: /api/\n${searches}\nSitemap: ${new URL('/sitemap.xml', siteUrl).href}`
        : 'Disallow: /';
    return c.text(`User-agent: *\n${rules}\n`, 200, CACHE.wellKnown);
  });

  app.get('/site.webmanifest', async (c) => {
    const left = content.budget();
    const languages = await content.languages(left);
    const { tag, dir, home } = languageNamed(languages, c.req.query('lang'));
    const { brand, description } = (await content.shell(tag, left)).strings;
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
