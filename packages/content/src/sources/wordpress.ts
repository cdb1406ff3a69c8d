import { createLimit, QueueFull, type Rank } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { withoutRequestId } from '@pillion/lib/request-id.ts';
import { LRUCache } from 'lru-cache';
import { DiskCache } from '../cache/disk-cache.ts';
import { type Read, recordRead } from '../cache/reads.ts';
import { type ReadValue, StaleStore, type Validity } from '../cache/stale-store.ts';
import { FORM_FORMAT } from '../forms/format.ts';
import type { ContentMetrics } from '../metrics.ts';
import { type Budget, createBudget, type Urgency } from '../wordpress/budget.ts';
import { type CallOptions, type Client, createClient, type Download } from '../wordpress/client.ts';
import { type Endpoint, endpointPath, nameOf } from '../wordpress/endpoints.ts';
import { FIRST_REQUESTED } from '../wordpress/languages.ts';
import { type ContentError, failure, type Result, success, type Warn } from '../wordpress/result.ts';
import { siteSchema } from '../wordpress/schemas.ts';
import { fetchUpload } from '../wordpress/uploads.ts';
import { repair } from './repair.ts';
import { accept, createSource, type Reader, type Source } from './source.ts';

export interface WordpressOptions {
  url: string;
  key: string;
  secret: string;
  /** Timeout in milliseconds of a call that a visitor waits for, such as a search; 0: no timeout. */
  timeoutMs: number;
  /** Folder of the stored responses. */
  cacheDirectory: string;
  log: Log;
  /** Called with every path under `/media/` in WordPress' responses. */
  onMedia?: (path: string) => void;
  warn: Warn;
  metrics?: ContentMetrics | undefined;
}

export interface WordpressConnection {
  source: Source;
  client: Client;
  /** Reads responses of WordPress, or stored ones. */
  read: Reader;
  /** Fetches an upload. @param name As returned by `mediaName`. */
  upload: (name: string, options: CallOptions) => Promise<Result<Download>>;
  /**
   * Makes content stale after a change.
   * @param tags As in `tagsOf`; `null` for all.
   * @param at Time of the change, in epoch milliseconds. Default: now.
   */
  invalidate: (tags: string[] | null, at?: number) => void;
  /** Whether WordPress has responded since the last change of the content that the endpoint depends on. */
  isCurrent: (endpoint: Endpoint) => boolean;
  /** Incremented on every stored response and every change. While it is the same, earlier reads are valid. */
  generation: () => number;
  close: () => Promise<void>;
}

/** Timeout of one call. Visitors wait a shorter time (`Budget`); a late response is stored for the next one. */
const READ_TIMEOUT_MS = 30_000;

/** Timeout of a call for content that a visitor named by a number, so that a hanging call soon frees its place. */
const VISITOR_TIMEOUT_MS = 5_000;

/** The store's deadline is this much later than the call's, so that the call's error is reported. */
const DEADLINE_MARGIN_MS = 250;

/**
 * Interval at which the server checks whether the content of every page is fresh. Stale content is then fetched once a
 * minute, so that the first visitor after a quiet hour does not see an old menu.
 */
const REFRESH_INTERVAL_MS = 2500;

/** Content of every page, whose age the metrics show. */
const MEASURED_ENDPOINTS = new Set<Endpoint['name']>(['routes', 'menus', 'strings']);

/** Content that the server reads for itself, before all other calls. It is refreshed in the background. */
const SITE_ENDPOINTS = new Set<Endpoint['name']>([...MEASURED_ENDPOINTS, 'redirects', 'site']);

/** Largest number of concurrent calls, so that a cold start leaves WordPress some workers. */
const CONCURRENCY = 8;

/**
 * In this order: content of every page; content that a visitor waits for; background reads; content that a visitor
 * named by a number. If a queue is full, further calls are rejected.
 */
const RANKS: readonly Rank[] = [
  { concurrency: CONCURRENCY, queueSize: 1000 },
  { concurrency: 6, queueSize: 1000 },
  { concurrency: 1, queueSize: 4 },
  { concurrency: 2, queueSize: 8 },
];
const RANK_OF: Record<Urgency, number> = { page: 1, background: 2, visitor: 3 };

/** @returns Index into `RANKS`. */
const rankFor = ({ name }: Endpoint, urgency: Urgency) => (SITE_ENDPOINTS.has(name) ? 0 : RANK_OF[urgency]);

/** A route takes some 250 bytes, so this fits twice the pages of one sitemap. */
const MAX_ROUTES_BYTES = 32_000_000;

/**
 * If a path is not in the routes and they are older than this, they are read again, since the report of a new page may
 * be missing. So invented paths cause one read in this time.
 */
const MIN_ROUTES_AGE_MS = 5_000;

/** Slow routes are read again after this many times the duration: a long list is expensive for WordPress. */
const ROUTES_AGE_FACTOR = 5;

/** Older routes are always read again: content is fresh for 60 s (docs/how-to/operators.md). */
const MAX_ROUTES_AGE_MS = 60_000;

/** Longest time without a whole list of routes, while WordPress says that nothing has changed. */
const FULL_ROUTES_INTERVAL_MS = 600_000;

const PRUNE_INTERVAL_MS = 86_400_000;
/** The first prune is delayed, so that it does not slow the first requests after the start. */
const FIRST_PRUNE_DELAY_MS = 10_000;

/** Largest number of remembered failing calls, so that each is logged once. */
const MAX_FAILING_CALLS = 1000;

/** Carries a typed error through the store, which passes on only rejections. */
class CallFailed extends Error {
  readonly error: ContentError;
  /**
   * Not logged: a visitor named the content by a number, which may be invented, or this WordPress does not have the
   * endpoint.
   */
  readonly isExpected: boolean;
  constructor(error: ContentError, isExpected: boolean) {
    super(error.message);
    this.error = error;
    this.isExpected = isExpected;
  }
}

const tagsOf = (endpoint: Endpoint) => [
  endpoint.name,
  ...('id' in endpoint ? [`${endpoint.name}:${endpoint.id}`] : []),
];

/**
 * @returns The most specific tag, by which caches in front of the site purge pages with this content. None for `site`,
 * whose changes WordPress does not report.
 */
const purgeTagOf = (endpoint: Endpoint): Pick<Read, 'tag'> => {
  const tag = endpoint.name === 'site' ? undefined : tagsOf(endpoint).at(-1);
  return tag === undefined ? {} : { tag };
};

/** Whether WordPress does not have the endpoint: an older plugin has no redirects, which is not an error. */
const isEndpointAbsent = ({ name }: Endpoint, { status }: ContentError) => name === 'redirects' && status === 404;

/** Reads WordPress' content, and keeps the last valid responses in memory and on disk. */
export function createWordpressConnection({
  cacheDirectory,
  log,
  warn,
  onMedia,
  metrics,
  ...options
}: WordpressOptions): WordpressConnection {
  const client = createClient({
    ...options,
    baseUrl: options.url.replace(/\/+$/, ''),
    ...(metrics && { onCalled: metrics.called }),
  });
  const diskCache = new DiskCache({ directory: cacheDirectory, reduce: FORM_FORMAT.withoutRecipients });
  const failureLog = createFailureLog(log);
  const store = new StaleStore({
    disk: diskCache,
    deadlineMs: READ_TIMEOUT_MS + DEADLINE_MARGIN_MS,
    onFetched: failureLog.recovered,
    onError: (what, key, error) =>
      what === 'fetch'
        ? failureLog.failed(key, error)
        : warn(`content.${what.replace(' ', '-')}-failed`, { key, error: String(error) }),
  });
  const { read, refreshStale } = createReader({ client, store, warn, metrics });
  const refreshTimer = setInterval(refreshStale, REFRESH_INTERVAL_MS).unref();
  const stopPruning = startPruning(diskCache, warn);

  return {
    source: createSource({ read, home: options.url, ...(onMedia && { onMedia }), warn }),
    client,
    read,
    async upload(name, callOptions) {
      // Waits only if no response is stored: with a guessed upload folder, existing files would seem missing.
      const site = await read({ name: 'site' }, { budget: createBudget(READ_TIMEOUT_MS) });
      return fetchUpload(
        client,
        options.url,
        siteSchema.safeParse(site.ok ? site.data : null).data ?? null,
        name,
        callOptions,
      );
    },
    invalidate: (tags, at) => store.invalidate(tags ?? undefined, at),
    isCurrent: (endpoint) => store.isCurrent(endpointPath(endpoint)),
    generation: () => store.generation,
    async close() {
      clearInterval(refreshTimer);
      client.close();
      await Promise.all([store.close(), stopPruning()]);
    },
  };
}

interface FetchOptions extends Pick<WordpressOptions, 'warn' | 'metrics'> {
  client: Client;
  store: StaleStore;
}

/** Content of a language that is refreshed in the background. */
const refreshedEndpoints = (lang: string, mayBeEmpty: boolean): Endpoint[] => [
  { name: 'routes', lang, mayBeEmpty },
  { name: 'menus', lang },
  { name: 'strings', lang },
  { name: 'redirects', lang, page: 1 },
];

const LANGUAGE_LIST: Endpoint = { name: 'strings', lang: FIRST_REQUESTED };

/** The languages that were read since the start. Their content is refreshed in the background. */
function createReadLanguages() {
  /** Whether the routes of a language may be empty, by tag. */
  const mayBeEmptyIn = new Map<string, boolean>();
  return {
    record(endpoint: Endpoint): void {
      // The list of languages comes with the texts of a language that may not be in it.
      if (!('lang' in endpoint) || endpoint.name === 'strings') return;
      const mayBeEmpty = endpoint.name === 'routes' && endpoint.mayBeEmpty === true;
      mayBeEmptyIn.set(endpoint.lang, mayBeEmpty || mayBeEmptyIn.get(endpoint.lang) === true);
    },
    /** @returns Empty before the first read. */
    endpoints(): Endpoint[] {
      const endpoints = [...mayBeEmptyIn].flatMap(([lang, mayBeEmpty]) => refreshedEndpoints(lang, mayBeEmpty));
      return endpoints.length > 0 ? [...endpoints, LANGUAGE_LIST, { name: 'site' }] : [];
    },
  };
}

/** Reads through the store, a fresh response or the last valid one, and records what the rendered page depends on. */
function createReader({ client, store, warn, metrics }: FetchOptions) {
  const { absent, routesAgeMs, fetchResponse } = createFetch({ client, store, warn, metrics });
  const languages = createReadLanguages();
  /** Waits for nothing: returns what is stored, and starts a fetch if that is stale. */
  const backgroundOptions = { budget: createBudget(0) };

  /** 0 for an endpoint that was missing last time. Its late response is stored for the next reader. */
  const waitMsFor = (key: string, { remainingMs, callMs = Number.POSITIVE_INFINITY }: Budget): number =>
    absent.has(key) ? 0 : Math.min(remainingMs(), callMs);

  /** Whether a page that contains this value is still valid. */
  function validityOf(readValue: ReadValue): Validity {
    const validity = store.check(readValue);
    const isStillAbsent = readValue.edition === null && absent.has(readValue.key) && !store.has(readValue.key);
    // With `due` the page would be rendered again, but this WordPress does not have the endpoint: a retry is enough.
    return validity.standing === 'due' && isStillAbsent ? { ...validity, standing: 'aged' } : validity;
  }

  /** Makes the value a dependency of the page that is being rendered. */
  function recordDependency(endpoint: Endpoint, readValue: ReadValue): void {
    const { version } = readValue;
    const renewOptions = version === undefined ? backgroundOptions : { ...backgroundOptions, version };
    recordRead(() => ({
      ...purgeTagOf(endpoint),
      check: () => validityOf(readValue),
      renew: () => void withoutRequestId(() => read(endpoint, renewOptions)),
    }));
  }

  const missingFailure = (endpoint: Endpoint, key: string) =>
    absent.has(key)
      ? failure('bad request', `${nameOf(endpoint)}: not in this WordPress`, 404)
      : failure('timeout', `${nameOf(endpoint)}: nothing cached and no answer in time`);

  const read: Reader = async (endpoint, { budget, version, isFresh }) => {
    languages.record(endpoint);
    const key = endpointPath(endpoint);
    // Only routes are read with `isFresh`.
    const conditions = { version, freshMs: isFresh ? routesAgeMs(key) : undefined, tags: tagsOf(endpoint) };
    const fetch = (signal: AbortSignal) => fetchResponse(endpoint, signal, budget.urgency);
    const stored = await store.get(key, fetch, { ...conditions, waitMs: waitMsFor(key, budget) });
    // Also without a value: then the page depends on its absence.
    recordDependency(endpoint, { ...conditions, key, edition: stored?.edition ?? null, born: stored?.born ?? 0 });
    if (!stored) return missingFailure(endpoint, key);
    if (MEASURED_ENDPOINTS.has(endpoint.name)) metrics?.shown(endpoint.name, stored.born);
    return success(stored.value);
  };

  return {
    read,
    /** Fetches the stale content of all languages that were read. */
    refreshStale() {
      for (const endpoint of languages.endpoints()) void read(endpoint, backgroundOptions);
    },
  };
}

/** Sends requests to WordPress, a limited number at a time, and accepts only valid responses. */
function createFetch({ client, store, warn, metrics }: FetchOptions) {
  const limit = createLimit(CONCURRENCY, RANKS);

  /** Addresses of endpoints that this WordPress does not have. Stored responses are still used. */
  const absent = new Set<string>();

  /** Duration of the last successful call of each address of routes, in milliseconds. */
  const durations = new Map<string, number>();
  const routesAgeMs = (address: string) =>
    Math.min(MAX_ROUTES_AGE_MS, Math.max(MIN_ROUTES_AGE_MS, ROUTES_AGE_FACTOR * (durations.get(address) ?? 0)));

  /** ETags of the last whole routes, and when they came, by address. */
  const etags = new Map<string, { etag: string; at: number }>();

  async function fetchResponse(endpoint: Endpoint, signal: AbortSignal, urgency: Urgency): Promise<unknown> {
    const address = endpointPath(endpoint);
    const isRoutes = endpoint.name === 'routes';
    const isVisitorCall = urgency === 'visitor';
    const condition = isRoutes ? await conditionFor(address) : null;
    const timeoutMs = isVisitorCall ? VISITOR_TIMEOUT_MS : READ_TIMEOUT_MS;
    const options = { signal, timeoutMs, ...(isRoutes && { maxBytes: MAX_ROUTES_BYTES }) };
    const call = async () => {
      const startedAt = performance.now();
      const response = await client.getChanged(address, condition?.etag ?? null, options);
      if (response.ok && isRoutes) durations.set(address, performance.now() - startedAt);
      return response;
    };
    const response = await limit.run(call, signal, rankFor(endpoint, urgency));
    if (!response.ok) {
      const isAbsent = isEndpointAbsent(endpoint, response.error);
      if (isAbsent) absent.add(address);
      throw new CallFailed(response.error, isVisitorCall || isAbsent);
    }
    const { data, etag } = response.data;
    if (condition && data === undefined) return condition.value;
    const accepted = accept(endpoint, data);
    if (!accepted.ok) {
      metrics?.called(address, 'rejected');
      throw new CallFailed(accepted.error, isVisitorCall);
    }
    absent.delete(address);
    if (isRoutes && etag !== null) etags.set(address, { etag, at: Date.now() });
    else etags.delete(address);
    return repairWithLast(endpoint, accepted.data);
  }

  /**
   * ETag and value of the last routes; `null`: WordPress must send them all, because it has reported a change, or because
   * they are `FULL_ROUTES_INTERVAL_MS` old, as no hook notes some changes.
   */
  async function conditionFor(address: string): Promise<{ etag: string; value: unknown } | null> {
    const last = etags.get(address);
    if (!last || Math.abs(Date.now() - last.at) > FULL_ROUTES_INTERVAL_MS || !store.isCurrent(address)) return null;
    const value = await store.lastValid(address);
    return value === null ? null : { etag: last.etag, value };
  }

  /**
   * Replaces the unreadable parts of a response with those of the last valid one. Without one, the response
   * is unchanged: its readers leave those parts out or use defaults.
   */
  async function repairWithLast(endpoint: Endpoint, response: unknown): Promise<unknown> {
    // Checked first without the last response, because most responses have no unreadable part.
    if (repair(endpoint, response, null).unreadable.length === 0) return response;
    const lastGood = await store.lastValid(endpointPath(endpoint));
    if (lastGood === null) return response;
    const repaired = repair(endpoint, response, lastGood);
    warn('content.unreadable', { call: nameOf(endpoint), members: repaired.unreadable.join(', ') });
    return repaired.response;
  }

  return { absent, routesAgeMs, fetchResponse };
}

/** @returns A function that stops it and waits for a running prune. */
function startPruning(diskCache: DiskCache, warn: Warn): () => Promise<void> {
  let pruning: Promise<void> = Promise.resolve();
  const prune = () => {
    pruning = diskCache.prune().catch((error: unknown) => warn('content.prune-failed', { error: String(error) }));
  };
  const firstPrune = setTimeout(prune, FIRST_PRUNE_DELAY_MS).unref();
  const laterPrunes = setInterval(prune, PRUNE_INTERVAL_MS).unref();
  return () => {
    clearTimeout(firstPrune);
    clearInterval(laterPrunes);
    return pruning;
  };
}

/** Logs only the first failure of a call and its recovery. */
function createFailureLog(log: Log) {
  // Limited, since visitors choose the numbers of forms.
  const failing = new LRUCache<string, string>({ max: MAX_FAILING_CALLS });
  return {
    failed(key: string, error: unknown) {
      if (error instanceof QueueFull || (error instanceof CallFailed && error.isExpected)) return;
      const kind = error instanceof CallFailed ? error.error.kind : 'timeout';
      if (kind === 'cancelled' || failing.get(key) === kind) return;
      failing.set(key, kind);
      log('warn', 'content.fetch-failed', {
        call: key,
        kind,
        message: error instanceof Error ? error.message : String(error),
      });
    },
    recovered(key: string) {
      if (failing.delete(key)) log('info', 'content.fetch-recovered', { call: key });
    },
  };
}
