import type { Content } from '@pillion/content/content.ts';
import { EMPTY_HEAD } from '@pillion/content/pages/page-head.ts';
import { MEDIA_PREFIX } from '@pillion/content/wordpress/rewrite.ts';
import { ClientGone } from '@pillion/lib/fairness.ts';
import type { Log } from '@pillion/lib/log.ts';
import { mediaName } from '@pillion/lib/media-types.ts';
import { requestId } from '@pillion/lib/request-id.ts';
import type { SignUps } from '@pillion/sign-ups/sign-ups.ts';
import { type Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Purge } from './cdn/purge.ts';
import { createTagHeaders, mediaTag, type Tagging } from './cdn/tags.ts';
import type { Config } from './config/config.ts';
import { createBodyBudget } from './http/body-budget.ts';
import type { RenderOptions } from './http/document.tsx';
import { createDraining, type Draining } from './http/draining.ts';
import type { PageAssets } from './http/manifest.ts';
import { createProxies } from './http/network.ts';
import { asOwn, createPages, errorPage, type Pages } from './http/page-responses.ts';
import { createQuestionVerifier } from './http/question-signatures.ts';
import { formatOf, type Kind, Ready } from './http/ready.ts';
import { createRefusals } from './http/refusals.ts';
import { watchRequests } from './http/requests.ts';
import { bareErrorResponse, jsonResponse, type PreparedResponse, packed } from './http/responses.ts';
import { analyticsRoutes } from './http/routes/analytics.ts';
import { doctorRoutes } from './http/routes/doctor.ts';
import { healthRoutes } from './http/routes/health.ts';
import { lookRoutes } from './http/routes/look.ts';
import { previewRoutes } from './http/routes/preview.ts';
import { reportRoutes } from './http/routes/reports.ts';
import { revalidateRoutes } from './http/routes/revalidate.ts';
import { seoRoutes } from './http/routes/seo.ts';
import { shareRoutes } from './http/routes/share.ts';
import { troubleRoutes } from './http/routes/sign-up-troubles.ts';
import { signUpRoutes } from './http/routes/sign-ups.ts';
import { framedHeaders } from './http/security-headers.ts';
import type { QuestionOptions } from './http/signed-questions.ts';
import { createWebhook } from './http/webhook.ts';
import { aloneWith, type Instances } from './instances/instances.ts';
import { createLooks, type Looks } from './look.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createPreviewTokens } from './preview/tokens.ts';
import type { SharePictures } from './share/pictures.ts';

export interface AppOptions {
  config: Config;
  content: Content;
  signUps: SignUps;
  sharePictures: SharePictures;
  assets: PageAssets;
  /** What editors may change in the theme. Default: nothing. */
  looks?: Looks;
  /** Sent with every response. */
  headers: Record<string, string>;
  log: Log;
  metrics?: Metrics;
  /** The servers of the same site. Default: this one alone. */
  instances?: Instances;
  draining?: Draining;
  /** Purges a CDN after changes. Default: no CDN. */
  purge?: Purge | null;
  /** Whether responses are cached. Default: true; false in development, where code changes. */
  isKeeping?: boolean;
}

/**
 * Headers that a response may set itself: pictures for other sites, previews, whose address must stay secret, and pages
 * with videos of other sites.
 */
const SAID_BY_RESPONSES = new Set([
  'content-security-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
]);

/** Longest path of a page, in characters. */
const LONGEST_PATH = 2_000;

export interface App {
  /** The site as one request handler: pages, their JSON, sign-ups, media and health. */
  app: Hono;
  /** Cache of responses that are sent without `app`; `null`: every page is rendered again. */
  ready: Ready | null;
}

export function createApp(options: AppOptions): App {
  const { config, content, signUps, sharePictures, headers, log, metrics = createMetrics() } = options;
  const { instances = aloneWith(content), draining = createDraining(), isKeeping = true, purge = null } = options;
  const { looks = createLooks(undefined) } = options;
  const tags = createTagHeaders(purge !== null);
  const render: RenderOptions = {
    assets: options.assets,
    lookAddress: looks.addressOf,
    siteUrl: config.siteUrl,
    env: config.deployEnv,
    debug: config.debug,
    analytics: config.analytics?.script ?? null,
    tagManager: config.gtmId,
    onRendered: metrics.rendered,
    signUpStep: signUps.numbers.step,
  };
  const pages = createPages(content, render, headers);
  const ready = isKeeping ? new Ready({ content, pages, render, headers, tags }) : null;
  if (ready) metrics.watchReady(ready.figures);
  if (instances.figures) metrics.watchInstances(instances.figures);

  const proxies = createProxies(config.trustProxy);
  // A site with bundled content ignores messages of WordPress.
  const webhookSecret = config.content.source === 'wordpress' ? config.webhookSecret : null;
  const tokens = webhookSecret === null ? null : createPreviewTokens(webhookSecret);
  const refused = createRefusals(log, metrics);
  const questions: QuestionOptions = {
    verifierOf: (path) => (webhookSecret === null ? null : createQuestionVerifier(webhookSecret, path, instances)),
    bodies: createBodyBudget(),
    refused,
  };

  const app = new Hono();
  watchRequests(app, { proxies, metrics, log });
  addHeaders(app, headers);
  healthRoutes(app, { content, signUps, draining, proxies, metrics });
  dataRoutes(app, { content, pages, ready });
  signUpRoutes(app, {
    ...{ content, signUps, render, tokens, log },
    ...{ proxies, dataDirectory: config.dataDirectory, uploadsPerHour: config.uploadsPerHour },
    accounts: instances.accounts,
  });
  seoRoutes(app, { config, content });
  revalidateRoutes(app, {
    ...{ content, instances, purge, refused, log },
    verifyWebhook: webhookSecret === null ? null : createWebhook(webhookSecret, instances),
  });
  troubleRoutes(app, { signUps, questions, log });
  doctorRoutes(app, config, questions);
  lookRoutes(app, { content, looks, tokens, questions });
  reportRoutes(app, { siteUrl: config.siteUrl, proxies, metrics });
  shareRoutes(app, sharePictures, tags);
  previewRoutes(app, { config, content, render, tokens, questions, log });
  const { script, upstream, endpoints = [] } = config.analytics ?? {};
  if (script && upstream) analyticsRoutes(app, { script, upstream, endpoints, log });
  mediaRoute(app, content, tags);
  // The last route: all other paths are pages or missing.
  app.get('*', async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const kind = matchedRoutes(c).every(({ path }) => path === '/*') ? 'document' : 'passed-on';
    return respond(c, { pages, ready }, { kind, rest: pathname.slice(0, LONGEST_PATH), search });
  });
  app.notFound((c) => c.text('This method is not allowed here.\n', 405, { allow: 'GET, HEAD' }));
  answerErrors(app, { content, pages, log });
  return { app, ready };
}

type Responding = Pick<App, 'ready'> & { pages: Pages };

/** Responds from the cache, or renders the response for this request if it cannot be cached. */
async function respond(
  c: Context,
  { pages, ready }: Responding,
  asked: { kind: Kind; rest: string; search: string },
): Promise<Response> {
  const kept = await ready?.respond(c.req.raw, asked);
  if (kept instanceof Response) return kept;
  const resolved = kept ? asOwn(kept) : await pages.resolve(asked.rest, asked.search);
  return packed(c.req.raw, await pages.answer(formatOf(asked.kind), resolved, asked.search));
}

/** Data for page changes in the browser: the next page, and the shell in its language. */
function dataRoutes(app: Hono, { content, pages, ready }: Responding & { content: Content }): void {
  app.get('/api/shell', async (c) => {
    const lang = await content.languageNamed(c.req.query('lang'));
    const kept = await ready?.respond(c.req.raw, { kind: 'shell', rest: lang });
    return kept instanceof Response ? kept : packed(c.req.raw, await pages.shell(lang));
  });

  app.get('/api/page', async (c) => {
    const path = c.req.query('path') ?? '/';
    const { pathname, search } = partsOf(path);
    if (!path.startsWith('/') || pathname.length > LONGEST_PATH)
      return jsonResponse(c.req.raw, { error: 'path must begin with / and have at most 2000 characters' }, 400);
    return respond(c, { pages, ready }, { kind: 'data', rest: pathname, search });
  });
}

/** Adds the headers to every response, error responses included. */
function addHeaders(app: Hono, headers: Record<string, string>): void {
  app.use(async (c, next) => {
    await next();
    const framedBy = c.get('framedBy');
    const own = framedBy === undefined ? headers : framedHeaders(headers, framedBy);
    for (const [name, value] of Object.entries(own))
      if (!SAID_BY_RESPONSES.has(name) || !c.res.headers.has(name)) c.res.headers.set(name, value);
  });
}

function mediaRoute(app: Hono, content: Content, tags: Tagging): void {
  app.get('/media/*', async (c, next) => {
    const { pathname } = new URL(c.req.url);
    const found = await content.media(pathname, c.req.raw);
    if (!found) return next();
    const name = mediaName(pathname.slice(MEDIA_PREFIX.length));
    for (const [header, value] of Object.entries(name === null ? {} : tags.of([mediaTag(name)])))
      found.headers.set(header, value);
    return found;
  });
}

/** Status of nginx, for the metrics: no client reads the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Responds to errors with an error page in the shell, or with plain text if that fails too. */
function answerErrors(app: Hono, { content, pages, log }: { content: Content; pages: Pages; log: Log }): void {
  async function answerTo(pathname: string): Promise<PreparedResponse> {
    const shell = await content.shell(await content.languageOf(pathname));
    const response = { status: 500 as const, page: errorPage(pathname, shell, 500) };
    return pages.answer(pathname.startsWith('/api/') ? 'data' : 'document', { response, head: EMPTY_HEAD, shell });
  }

  app.onError(async (error, c) => {
    if (error instanceof ClientGone) return new Response(null, { status: CLIENT_CLOSED_REQUEST });
    const { pathname } = new URL(c.req.url);
    log('error', 'request failed', { path: pathname, error });
    try {
      return await packed(c.req.raw, await answerTo(pathname));
    } catch (cause) {
      log('error', 'error page failed', { path: pathname, error: cause });
      return bareErrorResponse(requestId());
    }
  });
}

/** Path and query of an address on this site. `URL` would read `//x` as a host. */
function partsOf(address: string): { pathname: string; search: string } {
  const [withoutHash = ''] = address.split('#', 1);
  const [pathname = ''] = withoutHash.split('?', 1);
  return { pathname, search: withoutHash.slice(pathname.length) };
}
