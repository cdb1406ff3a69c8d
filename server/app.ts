import { Hono } from 'hono';
import type { Config } from './config.ts';
import type { Content } from './content/content.ts';
import { analyticsRoutes } from './http/analytics-routes.ts';
import {
  bareErrorResponse,
  documentResponse,
  jsonResponse,
  pageJsonResponse,
  redirectResponse,
} from './http/answers.ts';
import { foundRoutes } from './http/found-routes.ts';
import type { PageAssets } from './http/manifest.ts';
import type { RenderOptions } from './http/render.tsx';
import { remoteAddress, watchRequests } from './http/requests.ts';
import { revalidateRoutes } from './http/revalidate-routes.ts';
import { shareRoutes } from './http/share-routes.ts';
import { signUpRoutes } from './http/sign-up-routes.ts';
import { localeFrom, localeOf } from './locales.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { answerPath, errorPage } from './pages.ts';
import { requestId } from './request-id.ts';
import type { SharePictures } from './share/pictures.ts';
import { isFromInside } from './sign-ups/guards/network.ts';
import type { SignUps } from './sign-ups/sign-ups.ts';

export interface AppOptions {
  config: Config;
  content: Content;
  signUps: SignUps;
  sharePictures: SharePictures;
  assets: PageAssets;
  /** Sent with every answer. */
  headers: Record<string, string>;
  log: Log;
  metrics?: Metrics;
}

/** Longest path that is looked up, in characters; longer ones name no page of anybody's. */
const LONGEST_PATH = 2_000;

/** The site as one request handler: pages, their JSON, sign-ups, media and health. */
export function createApp(options: AppOptions): Hono {
  const { config, content, signUps, sharePictures, assets, headers, log, metrics = createMetrics() } = options;
  const app = new Hono();
  const render: RenderOptions = {
    assets,
    siteUrl: config.siteUrl,
    env: config.deployEnv,
    debug: config.debug,
    analytics: config.analytics?.script ?? null,
    tagManager: config.gtmId,
    onRendered: metrics.rendered,
  };

  watchRequests(app, { trustProxy: config.trustProxy, metrics, log });
  app.use(async (c, next) => {
    await next();
    // A picture for other sites to show says so itself.
    const isForAll = c.res.headers.has('cross-origin-resource-policy');
    for (const [name, value] of Object.entries(headers))
      if (!isForAll || name !== 'cross-origin-resource-policy') c.res.headers.set(name, value);
  });

  app.get('/healthz', (c) => c.text('ok\n', 200, { 'cache-control': 'no-store' }));
  app.get('/readyz', async (c) => {
    const [hasContent, hasStore] = await Promise.all([content.ready(), signUps.ready()]);
    const missing = [...(hasContent ? [] : ['no content']), ...(hasStore ? [] : ['no store for sign-ups'])].join(', ');
    return c.text(`${missing || 'ready'}\n`, missing ? 503 : 200, { 'cache-control': 'no-store' });
  });

  app.get('/metrics', async (c, next) => {
    // Nobody's business but of those who run it: to everybody else there is no such page.
    if (!isFromInside(remoteAddress(c), c.req.raw.headers, config.trustProxy)) return next();
    return c.text(metrics.render() + (await signUps.metricsText()), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  app.get('/api/shell', async (c) => {
    const shell = await content.shell(localeFrom(c.req.query('lang')));
    return jsonResponse(c.req.raw, shell, 200, { 'pillion-build': assets.build });
  });

  app.get('/api/page', async (c) => {
    const path = c.req.query('path') ?? '/';
    const { pathname, search } = partsOf(path);
    if (!path.startsWith('/') || pathname.length > LONGEST_PATH)
      return jsonResponse(c.req.raw, { error: 'path must begin with / and have at most 2000 characters' }, 400);
    const answered = await answerPath(content, pathname, search);
    return pageJsonResponse(c.req.raw, withSearch(answered, search), assets);
  });

  signUpRoutes(app, {
    ...{ content, signUps, render, log },
    ...{ trustProxy: config.trustProxy, dataDirectory: config.dataDirectory },
  });
  foundRoutes(app, { config, content });
  // Bundled copies never follow a WordPress, whatever it says.
  const webhookSecret = config.content.source === 'wordpress' ? config.webhookSecret : null;
  revalidateRoutes(app, { content, secret: webhookSecret, log });
  shareRoutes(app, sharePictures);
  const { script, upstream } = config.analytics ?? {};
  if (script && upstream) analyticsRoutes(app, { script, upstream, log });

  app.get('/media/*', async (c, next) => {
    const found = await content.media(new URL(c.req.url).pathname, c.req.raw);
    return found ?? next();
  });

  app.get('*', async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const { answer, shell } = withSearch(await answerPath(content, pathname.slice(0, LONGEST_PATH), search), search);
    if ('location' in answer) return redirectResponse(answer);
    return documentResponse(c.req.raw, answer.page, shell, render);
  });

  app.notFound((c) => c.text('Nothing here takes that method.\n', 405, { allow: 'GET, HEAD' }));

  app.onError(async (error, c) => {
    const { pathname } = new URL(c.req.url);
    log('error', 'request failed', { path: pathname, error });
    const sendable = await lastResort(c.req.raw, pathname).catch((cause: unknown) => {
      log('error', 'error page failed', { path: pathname, error: cause });
      return bareErrorResponse(requestId());
    });
    for (const [name, value] of Object.entries(headers)) sendable.headers.set(name, value);
    return sendable;
  });

  async function lastResort(request: Request, pathname: string): Promise<Response> {
    const shell = await content.shell(localeOf(pathname));
    const page = errorPage(pathname, shell, 500);
    return pathname.startsWith('/api/')
      ? jsonResponse(request, { status: 500, page }, 500)
      : documentResponse(request, page, shell, render);
  }

  return app;
}

/** Path and query of an address on this site. Not read as a URL, which would take `//x` for a host. */
function partsOf(address: string): { pathname: string; search: string } {
  const [withoutHash = ''] = address.split('#', 1);
  const [pathname = ''] = withoutHash.split('?', 1);
  return { pathname, search: withoutHash.slice(pathname.length) };
}

/** A redirect keeps the query that was asked with, behind the one its target has. */
function withSearch<T extends Awaited<ReturnType<typeof answerPath>>>(answered: T, search: string): T {
  const { answer } = answered;
  if (!('location' in answer) || search.length < 2) return answered;
  const [address = '', hash] = answer.location.split('#', 2);
  const asked = address.includes('?') ? `&${search.slice(1)}` : search;
  const location = address + asked + (hash === undefined ? '' : `#${hash}`);
  return { ...answered, answer: { ...answer, location } };
}
