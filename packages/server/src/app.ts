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
import { formatOf, type Kind, PageCache } from './http/page-cache.ts';
import { createPages, errorPage, type Pages, withOwnReference } from './http/page-responses.ts';
import { createQuestionVerifier } from './http/question-signatures.ts';
import { createRefusals } from './http/refusals.ts';
import { watchRequests } from './http/requests.ts';
import { bareErrorResponse, compressResponse, jsonResponse, type PreparedResponse } from './http/responses.ts';
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
import { framableHeaders } from './http/security-headers.ts';
import type { QuestionOptions } from './http/signed-questions.ts';
import { createWebhookVerifier } from './http/webhook.ts';
import { type Instances, singleInstance } from './instances/instances.ts';
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
  isCaching?: boolean;
}

/**
 * Headers that a response may set itself: pictures for other sites, previews, whose address must stay secret, and pages
 * with videos of other sites.
 */
const RESPONSE_HEADERS_ALLOWED = new Set([
  'content-security-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
]);

/** Longest path of a page, in characters. */
const MAX_PATH_LENGTH = 2_000;

export interface App {
  /** The site as one request handler: pages, their JSON, sign-ups, media and health. */
  app: Hono;
  /** Cache of responses that are sent without `app`; `null`: every page is rendered again. */
  pageCache: PageCache | null;
}

export function createApp(options: AppOptions): App {
  const { config, content, signUps, sharePictures, headers, log, metrics = createMetrics() } = options;
  const { instances = singleInstance(content), draining = createDraining(), isCaching = true, purge = null } = options;
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
  const pageCache = isCaching ? new PageCache({ content, pages, render, headers, tags }) : null;
  if (pageCache) metrics.watchPageCache(pageCache.figures);
  if (instances.figures) metrics.watchInstances(instances.figures);

  const proxies = createProxies(config.trustProxy);
  // A site with bundled content ignores messages of WordPress.
  const webhookSecret = config.content.source === 'wordpress' ? config.webhookSecret : null;
  const tokens = webhookSecret === null ? null : createPreviewTokens(webhookSecret);
  const reportRefusal = createRefusals(log, metrics);
  const questions: QuestionOptions = {
    verifierFor: (path) => (webhookSecret === null ? null : createQuestionVerifier(webhookSecret, path, instances)),
    bodies: createBodyBudget(),
    reportRefusal,
  };

  const app = new Hono();
  watchRequests(app, { proxies, metrics, log });
  addHeaders(app, headers);
  healthRoutes(app, { content, signUps, draining, proxies, metrics });
  dataRoutes(app, { content, pages, pageCache });
  signUpRoutes(app, {
    ...{ content, signUps, render, tokens, log },
    ...{ proxies, dataDirectory: config.dataDirectory, uploadsPerHour: config.uploadsPerHour },
    accounts: instances.accounts,
  });
  seoRoutes(app, { config, content });
  revalidateRoutes(app, {
    ...{ content, instances, purge, reportRefusal, log },
    verifyWebhook: webhookSecret === null ? null : createWebhookVerifier(webhookSecret, instances),
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
    // This route and the middleware have the path `/*`. Any other route has passed the request on to this one.
    const isPassedOn = matchedRoutes(c).some(({ path }) => path !== '/*');
    const kind = isPassedOn ? 'passed-on' : 'document';
    return respond(c, { pages, pageCache }, { kind, subject: pathname.slice(0, MAX_PATH_LENGTH), search });
  });
  app.notFound((c) => c.text('This method is not allowed here.\n', 405, { allow: 'GET, HEAD' }));
  addErrorHandler(app, { content, pages, log });
  return { app, pageCache };
}

type Responding = Pick<App, 'pageCache'> & { pages: Pages };

/**
 * Responds from the cache, or renders the response for this request if it cannot be cached. The cache may have resolved
 * its path already, for several requests at once.
 */
async function respond(
  c: Context,
  { pages, pageCache }: Responding,
  request: { kind: Kind; subject: string; search: string },
): Promise<Response> {
  const result = await pageCache?.respond(c.req.raw, request);
  if (result instanceof Response) return result;
  const resolved = result ? withOwnReference(result) : await pages.resolve(request.subject, request.search);
  return compressResponse(c.req.raw, await pages.prepareResponse(formatOf(request.kind), resolved, request.search));
}

/** Data for page changes in the browser: the next page, and the shell in its language. */
function dataRoutes(app: Hono, { content, pages, pageCache }: Responding & { content: Content }): void {
  app.get('/api/shell', async (c) => {
    const lang = await content.languageNamed(c.req.query('lang'));
    const cached = await pageCache?.respond(c.req.raw, { kind: 'shell', subject: lang });
    return cached instanceof Response ? cached : compressResponse(c.req.raw, await pages.prepareShell(lang));
  });

  app.get('/api/page', async (c) => {
    const path = c.req.query('path') ?? '/';
    const { pathname, search } = splitAddress(path);
    if (!path.startsWith('/') || pathname.length > MAX_PATH_LENGTH)
      return jsonResponse(
        c.req.raw,
        { error: `path must begin with / and have at most ${MAX_PATH_LENGTH} characters` },
        400,
      );
    return respond(c, { pages, pageCache }, { kind: 'data', subject: pathname, search });
  });
}

/** Adds the headers to every response, error responses included. */
function addHeaders(app: Hono, headers: Record<string, string>): void {
  app.use(async (c, next) => {
    await next();
    const framedBy = c.get('framedBy');
    const headersToAdd = framedBy === undefined ? headers : framableHeaders(headers, framedBy);
    for (const [name, value] of Object.entries(headersToAdd))
      if (!RESPONSE_HEADERS_ALLOWED.has(name) || !c.res.headers.has(name)) c.res.headers.set(name, value);
  });
}

/** Uploads of WordPress. A missing one is a page that does not exist. */
function mediaRoute(app: Hono, content: Content, tags: Tagging): void {
  app.get('/media/*', async (c, next) => {
    const { pathname } = new URL(c.req.url);
    const response = await content.media(pathname, c.req.raw);
    if (!response) return next();
    const name = mediaName(pathname.slice(MEDIA_PREFIX.length));
    const tagHeaders = name === null ? {} : tags.tagHeaders([mediaTag(name)]);
    for (const [header, value] of Object.entries(tagHeaders)) response.headers.set(header, value);
    return response;
  });
}

/** A status that nginx defined. Only the metrics use it, as no client reads the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Responds to errors with an error page in the shell, or with plain text if that fails too. */
function addErrorHandler(app: Hono, { content, pages, log }: { content: Content; pages: Pages; log: Log }): void {
  async function prepareErrorResponse(pathname: string): Promise<PreparedResponse> {
    const shell = await content.shell(await content.languageOf(pathname));
    const response = { status: 500 as const, page: errorPage(pathname, shell, 500) };
    const format = pathname.startsWith('/api/') ? 'data' : 'document';
    return pages.prepareResponse(format, { response, head: EMPTY_HEAD, shell });
  }

  app.onError(async (error, c) => {
    if (error instanceof ClientGone) return new Response(null, { status: CLIENT_CLOSED_REQUEST });
    const { pathname } = new URL(c.req.url);
    log('error', 'request failed', { path: pathname, error });
    try {
      return await compressResponse(c.req.raw, await prepareErrorResponse(pathname));
    } catch (cause) {
      log('error', 'error page failed', { path: pathname, error: cause });
      return bareErrorResponse(requestId());
    }
  });
}

/** Path and query of an address on this site. `URL` would read `//x` as a host. */
function splitAddress(address: string): { pathname: string; search: string } {
  const [withoutHash = ''] = address.split('#', 1);
  const [pathname = ''] = withoutHash.split('?', 1);
  return { pathname, search: withoutHash.slice(pathname.length) };
}
