import type { ContentErrorKind } from '../content/result.ts';
import { createProcessMetrics } from './process.ts';
import { createHistogram, type Histogram, labelled, metric } from './text.ts';

/** What a request was for. A path itself is no label: anybody can make up as many as he likes. */
const ROUTES = [
  ['/api/page', 'page-data'],
  ['/api/shell', 'shell'],
  ['/api/sign-ups', 'sign-up'],
  ['/api/revalidate', 'revalidate'],
  ['/api/', 'api'],
  ['/media/', 'media'],
  ['/search', 'search'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/metrics', 'metrics'],
] as const;

export type RouteKind = (typeof ROUTES)[number][1] | 'page' | 'file';

/** @param pathname As in the address. */
export const routeKindOf = (pathname: string): RouteKind =>
  ROUTES.find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? (/\.[a-z\d]{2,11}$/i.test(pathname) ? 'file' : 'page');

/** Parts of WordPress' interface, by how their addresses begin. */
const ENDPOINTS = [
  ['/wp-json/gusto/routes', 'routes'],
  ['/wp-json/gusto/options', 'strings'],
  ['/wp-json/gusto/nav', 'menus'],
  ['/wp-json/gf/', 'forms'],
  ['/wp-json/wp/v2/search', 'search'],
  ['/wp-json/wp/v2/', 'pages'],
  ['/wp-content/', 'media'],
] as const;

const endpointOf = (path: string) => ENDPOINTS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'other';

/** What became of a call: an answer, one of the errors, or an answer that its schema did not accept. */
export type CallOutcome = 'ok' | ContentErrorKind | 'rejected';

/** Told of every call to WordPress, by the path it was made to. */
export interface ContentMetrics {
  called: (path: string, outcome: CallOutcome) => void;
  /** What is shown of `name` was asked for at `born`, in epoch milliseconds. */
  shown: (name: string, born: number) => void;
}

type Counts = Map<string, number>;
const raise = (counts: Counts, name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Counts since the start of this process. Labels are of a few values, whatever is asked for. */
export function createMetrics(now: () => number = Date.now) {
  const requests: Counts = new Map();
  const durations = new Map<RouteKind, Histogram>();
  const renders = createHistogram();
  const calls: Counts = new Map();
  const ages = new Map<string, number>();
  const ofProcess = createProcessMetrics();
  let assets = 0;

  const requestCounts = (): [string, number][] => [
    ...requests,
    ...(assets > 0 ? [[`{route="asset",status="200"}`, assets] as [string, number]] : []),
  ];

  const histogram = (name: string, help: string, samples: string) =>
    `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${samples}`;

  const content = () => [
    metric('pillion_content_calls_total', 'counter', 'Calls to WordPress by what became of them.', [...calls]),
    metric(
      'pillion_content_age_seconds',
      'gauge',
      'Age of the last good answer that is shown; over 120: WordPress does not answer.',
      labelled(
        'content',
        [...ages].map(([name, born]) => [name, Math.max(0, (now() - born) / 1000)]),
      ),
    ),
  ];

  return {
    /** A file of the build, answered from memory: its own count, since nothing on that way should cost anything. */
    asset: () => void assets++,
    /** @param seconds Until the answer was made; sending it depends on the visitor's line. */
    request(route: RouteKind, status: number, seconds: number) {
      raise(requests, `{route="${route}",status="${status}"}`);
      const histogram = durations.get(route) ?? createHistogram();
      durations.set(route, histogram);
      histogram.observe(seconds);
    },
    rendered: renders.observe,
    content: {
      called: (path, outcome) =>
        raise(calls, `{endpoint="${endpointOf(path)}",outcome="${outcome.replaceAll(' ', '-')}"}`),
      shown: (name, born) => void ages.set(name, born),
    } satisfies ContentMetrics as ContentMetrics,
    /** @returns Prometheus' text format. */
    render: (): string =>
      [
        metric(
          'pillion_requests_total',
          'counter',
          'Requests by what they were for and how answered.',
          requestCounts(),
        ),
        histogram(
          'pillion_request_duration_seconds',
          'Time until a request was answered, files of the build aside.',
          [...durations]
            .map(([route, one]) => one.samples('pillion_request_duration_seconds', `route="${route}"`))
            .join(''),
        ),
        histogram(
          'pillion_render_duration_seconds',
          'Time to render one page to a document.',
          renders.samples('pillion_render_duration_seconds'),
        ),
        ...content(),
        ofProcess.render(),
      ].join(''),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
