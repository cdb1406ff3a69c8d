import type { ContentMetrics } from '@pillion/content/metrics.ts';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { addBrowserReportMetrics } from './browser-reports.ts';
import { addInstanceMetrics, type InstanceFigures } from './instances.ts';
import { addPageCacheMetrics, type PageCacheFigures } from './page-cache.ts';
import { addProcessMetrics } from './process.ts';

/** Routes by the first folders of a path. A label has a route and no path, since clients choose the number of paths. */
const ROUTES = [
  ['/api/page/', 'page-data'],
  ['/api/shell/', 'shell'],
  ['/api/sign-ups/', 'sign-up'],
  ['/api/revalidate/', 'revalidate'],
  ['/api/preview/', 'preview'],
  ['/api/', 'api'],
  ['/preview/', 'preview'],
  ['/media/', 'media'],
  ['/search/', 'search'],
  ['/healthz/', 'health'],
  ['/readyz/', 'health'],
  ['/metrics/', 'metrics'],
] as const;

export type RouteKind = (typeof ROUTES)[number][1] | 'page' | 'file';

/** `/de/search`. The metric does not check that the language exists. */
const SEARCH_OF_LANGUAGE = /^\/[a-z]{2,3}(?:-[a-z\d]+)*\/search\/?$/i;

const FILE = /\.[a-z\d]{2,11}$/i;

/** @param pathname As in the address. */
export function routeKindOf(pathname: string): RouteKind {
  if (SEARCH_OF_LANGUAGE.test(pathname)) return 'search';
  const folder = `${pathname}/`;
  return ROUTES.find(([prefix]) => folder.startsWith(prefix))?.[1] ?? (FILE.test(pathname) ? 'file' : 'page');
}

/** WordPress' endpoints by the prefix of their addresses. */
const ENDPOINTS = [
  ['/wp-json/gusto/routes', 'routes'],
  ['/wp-json/gusto/options', 'strings'],
  ['/wp-json/gusto/nav', 'menus'],
  ['/wp-json/gf/', 'forms'],
  ['/wp-json/wp/v2/search', 'search'],
  ['/wp-json/wp/v2/', 'pages'],
  ['/wp-json/pillion/v1/preview', 'preview'],
  ['/wp-json/pillion/v1/due', 'due'],
  ['/wp-content/', 'media'],
] as const;

const endpointOf = (path: string) => ENDPOINTS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'other';

/** Upper bounds in seconds, from a cached page to one that used the whole time budget (1.5 s) and beyond. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Counts requests, and measures the time until their responses are ready. */
function countRequests(registers: Registry[]) {
  /** Files of the build since the last scrape. A plain number, since a counter with labels costs 7% of such a request. */
  let assets = 0;
  /** The same for other requests, by route and status, since a cached page takes as little time as a file. */
  const counts = new Map<
    string,
    { labels: { route: RouteKind; status: string }; count: number; observe: (seconds: number) => void }
  >();
  new Counter({
    name: 'pillion_requests_total',
    help: 'Requests by kind and status.',
    labelNames: ['route', 'status'],
    registers,
    collect() {
      if (assets > 0) this.inc({ route: 'asset', status: '200' }, assets);
      assets = 0;
      for (const entry of counts.values()) {
        if (entry.count > 0) this.inc(entry.labels, entry.count);
        entry.count = 0;
      }
    },
  });
  const durations = new Histogram({
    name: 'pillion_request_duration_seconds',
    help: 'Time until the response is ready, without files of the build.',
    labelNames: ['route'],
    buckets: BUCKETS,
    registers,
  });

  return {
    /** A file of the build, sent from memory before the app gets the request. */
    asset: () => void assets++,
    /** @param seconds Until the response is ready. Its transfer depends on the visitor's connection. */
    request(route: RouteKind, status: number, seconds: number) {
      const key = `${route} ${status}`;
      let entry = counts.get(key);
      if (!entry) {
        entry = { labels: { route, status: String(status) }, count: 0, observe: durations.labels(route).observe };
        counts.set(key, entry);
      }
      entry.count += 1;
      entry.observe(seconds);
    },
  };
}

/** Counters since the start of this process. Each label has a fixed set of values. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const requests = countRequests(registers);
  const renders = new Histogram({
    name: 'pillion_render_duration_seconds',
    help: 'Time to render one page to a document.',
    buckets: BUCKETS,
    registers,
  });
  const connectionsEnded = new Counter({
    name: 'pillion_connections_ended_total',
    help: 'Connections that the server closed because they were idle or too many.',
    labelNames: ['why'],
    registers,
  });
  const refusals = new Counter({
    name: 'pillion_refused_total',
    help: 'Messages, questions and previews that were refused, by kind and reason.',
    labelNames: ['kind', 'reason'],
    registers,
  });
  const purges = new Counter({
    name: 'pillion_purges_total',
    help: 'Purges sent to the CDN, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const calls = new Counter({
    name: 'pillion_content_calls_total',
    help: 'Calls to WordPress, by outcome.',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  /** Time of the request of each content, in epoch milliseconds. */
  const requestTimes = new Map<string, number>();
  new Gauge({
    name: 'pillion_content_age_seconds',
    help: 'Age of the last valid response. Above 120: WordPress does not answer.',
    labelNames: ['content'],
    registers,
    collect() {
      for (const [content, at] of requestTimes) this.set({ content }, Math.max(0, (Date.now() - at) / 1000));
    },
  });
  addProcessMetrics(registers);

  return {
    /** Source of the page cache's figures. */
    watchPageCache: (figures: () => PageCacheFigures) => addPageCacheMetrics(registers, figures),
    /** Source of the figures of the servers that share a database. */
    watchInstances: (figures: () => InstanceFigures) => addInstanceMetrics(registers, figures),
    ...requests,
    /** A connection that was idle too long, or over the limit. */
    connectionEnded: (why: 'slow' | 'too many') => connectionsEnded.inc({ why: why.replace(' ', '-') }),
    /** @param reason One of a fixed set, as it becomes a label. */
    refused: (kind: string, reason: string) => refusals.inc({ kind, reason: reason.replaceAll(' ', '-') }),
    /** A CDN was purged, or the purge failed. */
    purged: (outcome: 'ok' | 'failed') => purges.inc({ outcome }),
    /** A browser reported a problem of a page. */
    reported: addBrowserReportMetrics(registers),
    rendered: (seconds: number) => renders.observe(seconds),
    content: {
      called: (path, outcome) => calls.inc({ endpoint: endpointOf(path), outcome: outcome.replaceAll(' ', '-') }),
      shown: (name, at) => void requestTimes.set(name, at),
    } satisfies ContentMetrics as ContentMetrics,
    /** @returns The metrics in Prometheus' text format. */
    render: () => registry.metrics(),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
