import type { Content } from '@pillion/content/content.ts';
import { MEDIA_PREFIX } from '@pillion/content/wordpress/rewrite.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import type { Log } from '@pillion/lib/log.ts';
import { mediaName } from '@pillion/lib/media-types.ts';
import { createProxies, isFromInside } from '@pillion/lib/network.ts';
import { requestId } from '@pillion/lib/request-id.ts';
import type { SignUps } from '@pillion/sign-ups/sign-ups.ts';
import { type Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Purge } from './cdn/purge.ts';
import { createTagHeaders, mediaTag } from './cdn/tags.ts';
import type { Config } from './config/config.ts';
import { createBodyBudget } from './http/body-budget.ts';
import { shellAnswerOf } from './http/document.ts';
import { createDraining, type Draining } from './http/draining.ts';
import type { PageAssets } from './http/manifest.ts';
import { asOwn, errorPage, type PathResponse, resolvePath, withQuery } from './http/page-responses.ts';
import { createQuestionJudge } from './http/question-signatures.ts';
import { createReady, type Kind, type Ready } from './http/ready.ts';
import { createRefusals } from './http/refusals.ts';
import type { RenderOptions } from './http/render.tsx';
import { remoteAddress, watchRequests } from './http/requests.ts';
import {
  bareErrorResponse,
  blankResponse,
  documentResponse,
  jsonResponse,
  pageJsonResponse,
  redirectResponse,
} from './http/responses.ts';
import { analyticsRoutes } from './http/routes/analytics.ts';
import { doctorRoutes } from './http/routes/doctor.ts';
import { previewRoutes } from './http/routes/preview.ts';
import { revalidateRoutes } from './http/routes/revalidate.ts';
import { seoRoutes } from './http/routes/seo.ts';
import { shareRoutes } from './http/routes/share.ts';
import { troubleRoutes } from './http/routes/sign-up-troubles.ts';
import { signUpRoutes } from './http/routes/sign-ups.ts';
import { framedHeaders } from './http/security-headers.ts';
import type { QuestionOptions } from './http/signed-questions.ts';
import { createWebhook } from './http/webhook.ts';
import { aloneWith, type Instances } from './instances/instances.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createTokens } from './preview/tokens.ts';
import type { SharePictures } from './share/pictures.ts';

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
  /** The servers that show the same site. Default: this one alone. */
  instances?: Instances;
  draining?: Draining;
  /** Who else keeps pages and is told of changes. Default: nobody. */
  purge?: Purge | null;
  /** Whether pages are kept ready. Default: yes; not where their code changes under them. */
  isKeeping?: boolean;
}

/** A response may say these itself: a picture for other sites to show, a preview whose address nobody should be told. */
const SAID_BY_RESPONSES = new Set(['cross-origin-resource-policy', 'referrer-policy']);

/** Longest path that is looked up, in characters; longer ones name no page of anybody's. */
const LONGEST_PATH = 2_000;

export interface App {
  /** The site as one request handler: pages, their JSON, sign-ups, media and health. */
  app: Hono;
  /** What can be sent before `app` is asked; `null` where every page is made anew. */
  ready: Ready | null;
}

/** Puts the site's routes together. */
export function createApp(options: AppOptions): App {
  const { config, content, signUps, sharePictures, assets, headers, log, metrics = createMetrics() } = options;
  const { instances = aloneWith(content), draining = createDraining(), isKeeping = true, purge = null } = options;
  const tags = createTagHeaders(purge !== null);
  const app = new Hono();
  const render: RenderOptions = {
    assets,
    siteUrl: config.siteUrl,
    env: config.deployEnv,
    debug: config.debug,
    analytics: config.analytics?.script ?? null,
    tagManager: config.gtmId,
    onRendered: metrics.rendered,
    signUpStep: signUps.numbers.step,
  };

  const ready = isKeeping ? createReady({ content, render, headers, tags }) : null;
  if (ready) metrics.watchReady(ready.figures);
  if (instances.figures) metrics.watchInstances(instances.figures);

  const proxies = createProxies(config.trustProxy);
  watchRequests(app, { proxies, metrics, log });
  app.use(async (c, next) => {
    // Also set on what a thrown error is answered with.
    await next();
    const framedBy = c.get('framedBy');
    const own = framedBy === undefined ? headers : framedHeaders(headers, framedBy);
    for (const [name, value] of Object.entries(own))
      if (!SAID_BY_RESPONSES.has(name) || !c.res.headers.has(name)) c.res.headers.set(name, value);
  });

  app.get('/healthz', (c) => {
    draining.asked();
    return c.text('ok\n', 200, CACHE.never);
  });
  const isStaying = async () => (draining.isDraining ? ['this server is about to end'] : []);
  const hasContent = async () => ((await content.ready()) ? [] : ['no content']);
  const hasStore = async () => ((await signUps.ready()) ? [] : ['no store for sign-ups']);
  const readiness =
    (...checks: (() => Promise<string[]>)[]) =>
    async (c: Context) => {
      draining.asked();
      const missing = (await Promise.all([isStaying, ...checks].map((check) => check()))).flat().join(', ');
      return c.text(`${missing || 'ready'}\n`, missing ? 503 : 200, CACHE.never);
    };
  app.get('/readyz', readiness(hasContent, hasStore));
  // For a balancer: a database that is down takes no page away, and a page that is down no sign-up.
  app.get('/readyz/pages', readiness(hasContent));
  app.get('/readyz/sign-ups', readiness(hasStore));

  app.get('/metrics', async (c, next) => {
    // Nobody's business but of those who run it: to everybody else there is no such page.
    if (!isFromInside(remoteAddress(c), c.req.raw.headers, proxies)) return next();
    return c.text((await metrics.render()) + (await signUps.metricsText()), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      ...CACHE.never,
    });
  });

  app.get('/api/shell', async (c) => {
    const lang = await content.languageNamed(c.req.query('lang'));
    const kept = await ready?.respond(c.req.raw, { kind: 'shell', rest: lang });
    if (kept instanceof Response) return kept;
    return jsonResponse(c.req.raw, shellAnswerOf(await content.shell(lang)), 200, { 'pillion-build': assets.build });
  });

  app.get('/api/page', async (c) => {
    const path = c.req.query('path') ?? '/';
    const { pathname, search } = partsOf(path);
    if (!path.startsWith('/') || pathname.length > LONGEST_PATH)
      return jsonResponse(c.req.raw, { error: 'path must begin with / and have at most 2000 characters' }, 400);
    const respond = (resolved: PathResponse) => pageJsonResponse(c.req.raw, withSearch(resolved, search), assets);
    return answerPath(c, { kind: 'data', rest: pathname, search }, respond);
  });

  // Bundled copies never follow a WordPress, whatever it says.
  const webhookSecret = config.content.source === 'wordpress' ? config.webhookSecret : null;
  const tokens = webhookSecret === null ? null : createTokens(webhookSecret);
  const judge = webhookSecret === null ? null : createWebhook(webhookSecret, instances);
  const refused = createRefusals(log, metrics);
  const questions: QuestionOptions = {
    judgeOf: (path) => (webhookSecret === null ? null : createQuestionJudge(webhookSecret, path, instances)),
    bodies: createBodyBudget(),
    refused,
  };

  signUpRoutes(app, {
    ...{ content, signUps, render, tokens, log },
    ...{ proxies, dataDirectory: config.dataDirectory, uploadsPerHour: config.uploadsPerHour },
    accounts: instances.accounts,
  });
  seoRoutes(app, { config, content });
  revalidateRoutes(app, { content, judge, instances, purge, refused, log });
  troubleRoutes(app, { signUps, questions, log });
  doctorRoutes(app, config, questions);
  shareRoutes(app, sharePictures, tags);
  previewRoutes(app, { config, content, render, tokens, questions, log });
  const { script, upstream, endpoints = [] } = config.analytics ?? {};
  if (script && upstream) analyticsRoutes(app, { script, upstream, endpoints, log });

  app.get('/media/*', async (c, next) => {
    const { pathname } = new URL(c.req.url);
    const found = await content.media(pathname, c.req.raw);
    if (!found) return next();
    const name = mediaName(pathname.slice(MEDIA_PREFIX.length));
    for (const [header, value] of Object.entries(name === null ? {} : tags.of([mediaTag(name)])))
      found.headers.set(header, value);
    return found;
  });

  app.get('*', async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const respond = async (resolved: PathResponse) => {
      const { response, head, shell } = withSearch(resolved, search);
      if ('location' in response) return redirectResponse(response);
      if (response.status === 503 && (await content.isBlank(shell.lang))) return blankResponse(assets);
      return documentResponse(c.req.raw, response.page, shell, render, {}, head);
    };
    const kind = matchedRoutes(c).every(({ path }) => path === '/*') ? 'document' : 'passed-on';
    return answerPath(c, { kind, rest: pathname.slice(0, LONGEST_PATH), search }, respond);
  });

  app.notFound((c) => c.text('Nothing here takes that method.\n', 405, { allow: 'GET, HEAD' }));

  app.onError(async (error, c) => {
    const { pathname } = new URL(c.req.url);
    log('error', 'request failed', { path: pathname, error });
    return lastResort(c.req.raw, pathname).catch((cause: unknown) => {
      log('error', 'error page failed', { path: pathname, error: cause });
      return bareErrorResponse(requestId());
    });
  });

  /** From what is ready where it may be kept; else as `respond` says, for this request alone. */
  async function answerPath(
    c: Context,
    asked: { kind: Kind; rest: string; search: string },
    respond: (resolved: PathResponse) => Promise<Response>,
  ): Promise<Response> {
    const kept = await ready?.respond(c.req.raw, asked);
    if (kept instanceof Response) return kept;
    return respond(kept ? asOwn(kept) : await resolvePath(content, asked.rest, asked.search));
  }

  async function lastResort(request: Request, pathname: string): Promise<Response> {
    const shell = await content.shell(await content.languageOf(pathname));
    const page = errorPage(pathname, shell, 500);
    return pathname.startsWith('/api/')
      ? jsonResponse(request, { status: 500, page }, 500)
      : documentResponse(request, page, shell, render);
  }

  return { app, ready };
}

/** Path and query of an address on this site. Not read as a URL, which would take `//x` for a host. */
function partsOf(address: string): { pathname: string; search: string } {
  const [withoutHash = ''] = address.split('#', 1);
  const [pathname = ''] = withoutHash.split('?', 1);
  return { pathname, search: withoutHash.slice(pathname.length) };
}

function withSearch(resolved: PathResponse, search: string): PathResponse {
  const { response } = resolved;
  if (!('location' in response)) return resolved;
  return { ...resolved, response: { ...response, location: withQuery(response.location, search) } };
}
