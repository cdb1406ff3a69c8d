import { createLimit, QueueFull, type Rank } from '@pillion/lib/limit.ts';
import type { Log } from '@pillion/lib/log.ts';
import { ofNoRequest } from '@pillion/lib/request-id.ts';
import { LRUCache } from 'lru-cache';
import { FileShelf } from '../cache/file-shelf.ts';
import { noteRead, type Read } from '../cache/reads.ts';
import { type Seen, StaleStore, type Validity } from '../cache/stale-store.ts';
import { FORM_FORMAT } from '../forms/format.ts';
import type { ContentMetrics } from '../metrics.ts';
import { type Budget, createBudget, type Urgency } from '../wordpress/budget.ts';
import { type CallOptions, type Client, createClient, type Download } from '../wordpress/client.ts';
import { type Endpoint, endpointPath, nameOf, PREFIXES } from '../wordpress/endpoints.ts';
import { FIRST_ASKED } from '../wordpress/languages.ts';
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
  shelfDirectory: string;
  log: Log;
  /** Called with every path under `/media/` in WordPress' responses. */
  onMedia?: (path: string) => void;
  warn: Warn;
  metrics?: ContentMetrics | undefined;
}

export interface Wordpress {
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
const READING_MS = 30_000;

/** Timeout of a call for content that a visitor named by a number, so that a hanging call soon frees its place. */
const VISITORS_MS = 5_000;

/** The store's deadline is this much later than the call's, so that the call's error is reported. */
const DEADLINE_MARGIN_MS = 250;

/**
 * Interval at which the server checks whether the content of every page is fresh. Stale content is then fetched once a
 * minute, so that the first visitor after a quiet hour does not see an old menu.
 */
const PULSE_MS = 2500;

/** Content of every page, whose age the metrics show. */
const MEASURED = new Set<Endpoint['name']>(['routes', 'menus', 'strings']);

/** Content that the server reads for itself, before all other calls. The pulse keeps it fresh. */
const OWN = new Set<Endpoint['name']>([...MEASURED, 'redirects', 'site']);

const rankOf = ({ name }: Endpoint, urgency: Urgency) => (OWN.has(name) ? 0 : RANK_OF[urgency]);

/** Largest number of concurrent calls, so that a cold start leaves WordPress some workers. */
const PARALLEL_CALLS = 8;

/**
 * In this order: content of every page; content that a visitor waits for; background reads; content that a visitor
 * named by a number. If a queue is full, further calls are rejected.
 */
const RANKS: readonly Rank[] = [
  { concurrency: PARALLEL_CALLS, queueSize: 1000 },
  { concurrency: 6, queueSize: 1000 },
  { concurrency: 1, queueSize: 4 },
  { concurrency: 2, queueSize: 8 },
];
const RANK_OF: Record<Urgency, number> = { page: 1, background: 2, visitor: 3 };

/** A route takes some 250 bytes, so this fits twice the pages of one sitemap. */
const ROUTES_MAX_BYTES = 32_000_000;

/**
 * If a path is not in the routes and they are older than this, they are read again, since the report of a new page may
 * be missing. So invented paths cause one read in this time.
 */
const MISSED_MS = 5_000;

/** Slow routes are read again after this many times the duration: a long list is expensive for WordPress. */
const MISSED_PAUSE = 5;

/** Older routes are always read again: content is fresh for 60 s (docs/how-to/operators.md). */
const MISSED_AT_MOST_MS = 60_000;

/** Longest time without a whole list of routes, while WordPress says that nothing has changed. */
const WHOLE_MS = 600_000;

const PRUNE_MS = 86_400_000;
/** The first prune is delayed, so that it does not slow the first requests after the start. */
const FIRST_PRUNE_MS = 10_000;

/** Largest number of remembered failing calls, so that each is logged once. */
const FAILING_CALLS = 1000;

/** Carries a typed error through the store, which passes on only rejections. */
class CallFailed extends Error {
  readonly error: ContentError;
  /** Whether a visitor named the content by a number, which may be invented. Such errors are not logged. */
  readonly isVisitors: boolean;
  constructor(error: ContentError, isVisitors = false) {
    super(error.message);
    this.error = error;
    this.isVisitors = isVisitors;
  }
}

const tagsOf = (endpoint: Endpoint) => [
  endpoint.name,
  ...('id' in endpoint ? [`${endpoint.name}:${endpoint.id}`] : []),
];

/** Endpoints without change reports. */
const UNTAGGED = new Set<Endpoint['name']>(['site']);

const purgeTagOf = (endpoint: Endpoint): Pick<Read, 'tag'> => {
  const tag = UNTAGGED.has(endpoint.name) ? undefined : tagsOf(endpoint).at(-1);
  return tag === undefined ? {} : { tag };
};

/** Whether the endpoint may be missing: an older plugin has no redirects, which is not an error. */
const isOptional = (address: string) => address.startsWith(PREFIXES.redirects);

const isAbsent = (endpoint: Endpoint, { status }: ContentError) => isOptional(endpointPath(endpoint)) && status === 404;

/** Reads WordPress' content, and keeps the last valid responses in memory and on disk. */
export function createWordpress({
  shelfDirectory,
  log,
  warn,
  onMedia,
  metrics,
  ...options
}: WordpressOptions): Wordpress {
  const client = createClient({
    ...options,
    baseUrl: options.url.replace(/\/+$/, ''),
    ...(metrics && { onCalled: metrics.called }),
  });
  const shelf = new FileShelf({ directory: shelfDirectory, keep: FORM_FORMAT.withoutRecipients });
  const troubles = createTroubles(log);
  const store = new StaleStore({
    shelf,
    deadlineMs: READING_MS + DEADLINE_MARGIN_MS,
    onFetched: troubles.over,
    onError: (what, key, error) =>
      what === 'fetch'
        ? troubles.note(key, error)
        : warn(`content.${what.replace(' ', '-')}-failed`, { key, error: String(error) }),
  });
  const { read, refresh } = createReader({ client, store, warn, metrics });
  const pulse = setInterval(refresh, PULSE_MS).unref();
  const stopPruning = startPruning(shelf, warn);

  return {
    source: createSource({ read, home: options.url, ...(onMedia && { onMedia }), warn }),
    client,
    read,
    async upload(name, asked) {
      // Waits only if no response is stored: with a guessed upload folder, existing files would seem missing.
      const site = await read({ name: 'site' }, { budget: createBudget(READING_MS) });
      return fetchUpload(
        client,
        options.url,
        siteSchema.safeParse(site.ok ? site.data : null).data ?? null,
        name,
        asked,
      );
    },
    invalidate: (tags, at) => store.invalidate(tags ?? undefined, at),
    isCurrent: (endpoint) => store.isCurrent(endpointPath(endpoint)),
    generation: () => store.generation,
    async close() {
      clearInterval(pulse);
      client.close();
      await Promise.all([store.close(), stopPruning()]);
    },
  };
}

interface FetchOptions extends Pick<WordpressOptions, 'warn' | 'metrics'> {
  client: Client;
  store: StaleStore;
}

/** What the pulse keeps fresh in each language. */
const keptFresh = (lang: string, mayBeEmpty: boolean): Endpoint[] => [
  { name: 'routes', lang, mayBeEmpty },
  { name: 'menus', lang },
  { name: 'strings', lang },
  { name: 'redirects', lang, page: 1 },
];

const LIST_OF_LANGUAGES: Endpoint = { name: 'strings', lang: FIRST_ASKED };

/** The languages that were read since the start. The pulse keeps their content fresh. */
function createReadLanguages() {
  /** Whether the routes of a language may be empty, by tag. */
  const mayBeEmptyIn = new Map<string, boolean>();
  return {
    note(endpoint: Endpoint): void {
      // The list of languages comes with the texts of a language that may not be in it.
      if (!('lang' in endpoint) || endpoint.name === 'strings') return;
      const mayBeEmpty = endpoint.name === 'routes' && endpoint.mayBeEmpty === true;
      mayBeEmptyIn.set(endpoint.lang, mayBeEmpty || mayBeEmptyIn.get(endpoint.lang) === true);
    },
    /** @returns Empty before the first read. */
    endpoints(): Endpoint[] {
      const ofLanguages = [...mayBeEmptyIn].flatMap(([lang, mayBeEmpty]) => keptFresh(lang, mayBeEmpty));
      return ofLanguages.length > 0 ? [...ofLanguages, LIST_OF_LANGUAGES, { name: 'site' }] : [];
    },
  };
}

/** Reads through the store: a fresh response, or the last valid one. */
function createReader({ client, store, warn, metrics }: FetchOptions) {
  const { absent, missedMs, fetchResponse } = createFetch({ client, store, warn, metrics });
  const languages = createReadLanguages();
  /** Waits for nothing: returns what is stored, and starts a fetch if that is stale. */
  const inBackground = { budget: createBudget(0) };

  /** A page does not wait for an endpoint that was missing last time. A late response is stored for the next reader. */
  const waitFor = (key: string, { left, callMs = Number.POSITIVE_INFINITY }: Budget): number =>
    absent.has(key) ? 0 : Math.min(left(), callMs);

  /** Whether a page that contains this value is still valid. */
  function check(seen: Seen): Validity {
    const validity = store.check(seen);
    const isStillAbsent = seen.edition === null && absent.has(seen.key) && !store.holds(seen.key);
    // With `due` the page would wait for an endpoint that this WordPress does not have.
    return validity.standing === 'due' && isStillAbsent ? { ...validity, standing: 'aged' } : validity;
  }

  /** Makes the value a dependency of the page that is being rendered. */
  function recordDependency(endpoint: Endpoint, seen: Seen): void {
    const { version } = seen;
    const again = version === undefined ? inBackground : { ...inBackground, version };
    noteRead(() => ({
      ...purgeTagOf(endpoint),
      check: () => check(seen),
      renew: () => void ofNoRequest(() => read(endpoint, again)),
    }));
  }

  const nothingStored = (endpoint: Endpoint, key: string) =>
    absent.has(key)
      ? failure('bad request', `${nameOf(endpoint)}: not in this WordPress`, 404)
      : failure('timeout', `${nameOf(endpoint)}: nothing cached and no answer in time`);

  const read: Reader = async (endpoint, { budget, version, isFresh }) => {
    languages.note(endpoint);
    const key = endpointPath(endpoint);
    const conditions = { version, freshMs: isFresh ? missedMs(key) : undefined, tags: tagsOf(endpoint) };
    const fetch = (signal: AbortSignal) => fetchResponse(endpoint, signal, budget.urgency);
    const stored = await store.get(key, fetch, { ...conditions, waitMs: waitFor(key, budget) });
    // Also without a value: then the page depends on its absence.
    recordDependency(endpoint, { ...conditions, key, edition: stored?.edition ?? null, born: stored?.born ?? 0 });
    if (!stored) return nothingStored(endpoint, key);
    if (MEASURED.has(endpoint.name)) metrics?.shown(endpoint.name, stored.born);
    return success(stored.value);
  };

  return {
    read,
    /** Fetches what the pulse keeps fresh, if it is stale. */
    refresh() {
      for (const endpoint of languages.endpoints()) void read(endpoint, inBackground);
    },
  };
}

/** Sends requests to WordPress, a limited number at a time, and accepts only valid responses. */
function createFetch({ client, store, warn, metrics }: FetchOptions) {
  const limit = createLimit(PARALLEL_CALLS, RANKS);

  /** Addresses of endpoints that this WordPress does not have. Stored responses are still used. */
  const absent = new Set<string>();

  /** Duration of the last successful call of each address of routes, in milliseconds. */
  const durations = new Map<string, number>();
  const missedMs = (address: string) =>
    Math.min(MISSED_AT_MOST_MS, Math.max(MISSED_MS, MISSED_PAUSE * (durations.get(address) ?? 0)));

  /** ETags of the last whole routes, and when they came, by address. */
  const etags = new Map<string, { etag: string; at: number }>();

  async function fetchResponse(endpoint: Endpoint, signal: AbortSignal, urgency: Urgency): Promise<unknown> {
    const address = endpointPath(endpoint);
    const isRoutes = endpoint.name === 'routes';
    const isVisitors = urgency === 'visitor';
    const condition = isRoutes ? await conditionFor(address) : null;
    const timeoutMs = isVisitors ? VISITORS_MS : READING_MS;
    const options = { signal, timeoutMs, ...(isRoutes && { maxBytes: ROUTES_MAX_BYTES }) };
    const call = async () => {
      const begun = performance.now();
      const response = await client.getChanged(address, condition?.etag ?? null, options);
      if (response.ok && isRoutes) durations.set(address, performance.now() - begun);
      return response;
    };
    const response = await limit.run(call, signal, rankOf(endpoint, urgency));
    if (!response.ok) {
      if (isAbsent(endpoint, response.error)) absent.add(address);
      throw new CallFailed(response.error, isVisitors);
    }
    const { data, etag } = response.data;
    if (condition && data === undefined) return condition.value;
    const accepted = accept(endpoint, data);
    if (!accepted.ok) {
      metrics?.called(address, 'rejected');
      throw new CallFailed(accepted.error, isVisitors);
    }
    absent.delete(address);
    if (isRoutes && etag !== null) etags.set(address, { etag, at: Date.now() });
    else etags.delete(address);
    return repairedByLast(endpoint, accepted.data);
  }

  /**
   * ETag and value of the last routes; `null`: WordPress must send them all, because it has reported a change, or because
   * they are `WHOLE_MS` old, as no hook notes some changes.
   */
  async function conditionFor(address: string): Promise<{ etag: string; value: unknown } | null> {
    const known = etags.get(address);
    if (!known || Math.abs(Date.now() - known.at) > WHOLE_MS || !store.isCurrent(address)) return null;
    const value = await store.kept(address);
    return value === null ? null : { etag: known.etag, value };
  }

  /** Replaces the unreadable parts of a response with those of the last valid one. */
  async function repairedByLast(endpoint: Endpoint, response: unknown): Promise<unknown> {
    if (repair(endpoint, response, null).unreadable.length === 0) return response;
    const lastGood = await store.kept(endpointPath(endpoint));
    if (lastGood === null) return response;
    const repaired = repair(endpoint, response, lastGood);
    warn('content.unreadable', { call: nameOf(endpoint), members: repaired.unreadable.join(', ') });
    return repaired.response;
  }

  return { absent, missedMs, fetchResponse };
}

/** @returns A function that stops it and waits for a running prune. */
function startPruning(shelf: FileShelf, warn: Warn): () => Promise<void> {
  let pruned: Promise<void> = Promise.resolve();
  const prune = () => {
    pruned = shelf.prune().catch((error: unknown) => warn('content.prune-failed', { error: String(error) }));
  };
  const first = setTimeout(prune, FIRST_PRUNE_MS).unref();
  const later = setInterval(prune, PRUNE_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(later);
    return pruned;
  };
}

/** Logs only the first failure of a call and its recovery. */
function createTroubles(log: Log) {
  // Limited, since visitors choose the numbers of forms.
  const failing = new LRUCache<string, string>({ max: FAILING_CALLS });
  return {
    note(key: string, error: unknown) {
      if (error instanceof QueueFull || (error instanceof CallFailed && error.isVisitors)) return;
      const kind = error instanceof CallFailed ? error.error.kind : 'timeout';
      if (error instanceof CallFailed && isOptional(key) && error.error.status === 404) return;
      if (kind === 'cancelled' || failing.get(key) === kind) return;
      failing.set(key, kind);
      log('warn', 'content.fetch-failed', {
        call: key,
        kind,
        message: error instanceof Error ? error.message : String(error),
      });
    },
    over(key: string) {
      if (failing.delete(key)) log('info', 'content.fetch-recovered', { call: key });
    },
  };
}
