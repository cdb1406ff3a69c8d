import { CACHE } from '@pillion/lib/cache-control.ts';
import { isSameOrigin } from '@pillion/sign-ups/same-origin.ts';
import type { Context, Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { type Metrics, routeKindOf } from '../../metrics/metrics.ts';
import { parseJson, readBody } from '../body.ts';
import { type BrowserReport, parseReports } from '../browser-report.ts';
import { networkOf, type Proxies } from '../network.ts';
import { remoteAddress } from '../requests.ts';
import { REPORTS_PATH } from '../security-headers.ts';
import { parseOwnAddress } from '../sign-ups/origin.ts';

/** One report has about 1 KB. */
const MAX_BODY_BYTES = 65_536;

/** A network counts once for each kind of report in this time, in milliseconds. */
const COUNT_ONCE_MS = 3_600_000;

/** Maximum number of remembered pairs of network and kind. They take about 2 MB. */
const MAX_COUNTED_PAIRS = 10_000;

interface Options {
  siteUrl: string;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  proxies: Proxies;
  metrics: Pick<Metrics, 'reported'>;
}

/**
 * `POST /api/reports`: browsers report what the content policy refused, crashes, deprecations and interventions
 * (Reporting API), and the entry reports its first uncaught error with an empty body. The server only counts, by kind and
 * per network and hour, so that a client cannot raise them at will.
 */
export function reportRoutes(app: Hono, { siteUrl, proxies, metrics }: Options): void {
  const countedPairs = new LRUCache<string, true>({
    max: MAX_COUNTED_PAIRS,
    ttl: COUNT_ONCE_MS,
    perf: { now: () => performance.now() },
  });

  /** Counts a report, unless its network has sent one of the same kind within `COUNT_ONCE_MS`. */
  function count(network: string, { type, directive, blocked }: BrowserReport, { pathname }: URL): void {
    const kind = { type, directive, blocked, route: routeKindOf(pathname) };
    const key = JSON.stringify([network, ...Object.values(kind)]);
    if (countedPairs.has(key)) return;
    countedPairs.set(key, true);
    metrics.reported(kind);
  }

  /** An error of the entry has no body, so that it takes few bytes of script. `Referer` names its page. */
  const errorReport = (c: Context): BrowserReport => ({
    ...{ type: 'error', directive: '', blocked: '' },
    page: c.req.header('referer') ?? '',
  });

  app.post(REPORTS_PATH, async (c) => {
    if (!isSameOrigin(c.req.raw, siteUrl)) return c.text('This site accepts only reports of its own pages.\n', 403);
    const body = await readBody(c, MAX_BODY_BYTES);
    if (body === null) return c.text('The report is larger than 64 KB.\n', 413);
    // The client disconnected. A report without a body would say something else.
    const isAborted = body.length === 0 && Number(c.req.header('content-length') ?? 0) > 0;
    if (isAborted) return c.body(null, 204, CACHE.never);
    const network = networkOf(proxies.visitorOf(remoteAddress(c), c.req.header('x-forwarded-for') ?? null));
    for (const report of body.length === 0 ? [errorReport(c)] : parseReports(parseJson(body))) {
      const page = parseOwnAddress(report.page, c.req.raw, siteUrl);
      if (page) count(network, report, page);
    }
    return c.body(null, 204, CACHE.never);
  });
}
