import type { Hono } from 'hono';
import type { Config } from '../config.ts';
import type { Content, Route } from '../content/content.ts';
import { DEFAULT_LOCALE, LOCALES } from '../locales.ts';

interface Options {
  config: Config;
  content: Content;
}

/** More addresses than this no sitemap may hold (sitemaps.org, protocol 0.9). */
export const MOST_ADDRESSES = 50_000;

/** Addresses written at a time: a long sitemap is sent while it is made. */
const CHUNK = 1000;

const CACHED = { 'cache-control': 'public, max-age=0, s-maxage=60, stale-if-error=86400' };

const XML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? '');

/** WordPress' time is GMT without saying so. A time that is none is left out, as the protocol allows. */
const lastmod = (modified: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(modified) ? `<lastmod>${modified}+00:00</lastmod>` : '';

const address = (path: string, siteUrl: string) => `<loc>${escapeXml(new URL(path, siteUrl).href)}</loc>`;

const SITEMAPS_ORG = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

function* sitemap(routes: Route[], siteUrl: string): Generator<string> {
  yield `${XML}<urlset ${SITEMAPS_ORG}>\n`;
  for (let from = 0; from < routes.length; from += CHUNK)
    yield routes
      .slice(from, from + CHUNK)
      .map(({ path, modified }) => `<url>${address(path, siteUrl)}${lastmod(modified)}</url>\n`)
      .join('');
  yield '</urlset>\n';
}

function* sitemapIndex(parts: number, siteUrl: string): Generator<string> {
  yield `${XML}<sitemapindex ${SITEMAPS_ORG}>\n`;
  for (let part = 1; part <= parts; part++) yield `<sitemap>${address(`/sitemap-${part}.xml`, siteUrl)}</sitemap>\n`;
  yield '</sitemapindex>\n';
}

const encoder = new TextEncoder();

/** Sends text as it is made, no faster than it is taken. */
const stream = (chunks: Generator<string>) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });

const xmlResponse = (chunks: Generator<string>) =>
  new Response(stream(chunks), { headers: { 'content-type': 'application/xml; charset=utf-8', ...CACHED } });

/** What search engines and browsers ask for by a name everybody knows: sitemap, robots, manifest. */
export function foundRoutes(app: Hono, { config, content }: Options): void {
  const { siteUrl } = config;
  const allRoutes = async () =>
    (await Promise.all(LOCALES.map((lang) => content.routes(lang)))).flat().filter(({ noindex }) => !noindex);

  app.get('/sitemap.xml', async () => {
    const routes = await allRoutes();
    if (routes.length <= MOST_ADDRESSES) return xmlResponse(sitemap(routes, siteUrl));
    return xmlResponse(sitemapIndex(Math.ceil(routes.length / MOST_ADDRESSES), siteUrl));
  });

  app.get('/:name{sitemap-[1-9][0-9]{0,3}\\.xml}', async (c, next) => {
    const part = Number(/\d+/.exec(c.req.param('name')));
    const routes = (await allRoutes()).slice((part - 1) * MOST_ADDRESSES, part * MOST_ADDRESSES);
    return routes.length > 0 ? xmlResponse(sitemap(routes, siteUrl)) : next();
  });

  app.get('/robots.txt', (c) => {
    // A copy of the site that people try things out on must not be found beside it.
    const rules =
      config.deployEnv === 'production'
        ? `Disallow: /api/\nDisallow: /search\n\nSitemap: ${new URL('/sitemap.xml', siteUrl).href}`
        : 'Disallow: /';
    return c.text(`User-agent: *\n${rules}\n`, 200, CACHED);
  });

  app.get('/site.webmanifest', async () => {
    const { brand, description } = (await content.shell(DEFAULT_LOCALE)).strings;
    const manifest = {
      name: brand,
      short_name: brand,
      ...(description ? { description } : {}),
      start_url: '/',
      display: 'browser',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    };
    return new Response(JSON.stringify(manifest), {
      headers: { 'content-type': 'application/manifest+json', ...CACHED },
    });
  });
}
