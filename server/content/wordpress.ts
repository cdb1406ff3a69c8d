import { LRUCache } from 'lru-cache';
import type { ContentMetrics } from '../metrics/metrics.ts';
import { type Client, createClient } from './client.ts';
import type { ContentOptions } from './content.ts';
import { addressOf, type Endpoint, nameOf, PREFIXES } from './endpoints.ts';
import { createFileShelf } from './file-shelf.ts';
import { type ContentError, failure, success, type Warn } from './result.ts';
import { accept, createSource, type Reader, type Source } from './source.ts';
import { StaleStore } from './stale-store.ts';
import { createTurns } from './turns.ts';

export interface WordpressOptions {
  url: string;
  key: string;
  secret: string;
  /** Deadline of one call in milliseconds, 0 for none. */
  timeoutMs: number;
  /** Where last good answers are kept. */
  shelfDirectory: string;
  log: ContentOptions['log'];
  warn: Warn;
  metrics?: ContentMetrics | undefined;
}

export interface Wordpress {
  source: Source;
  client: Client;
  /** Makes what is kept of a change stale. @param tags As in `tagsOf`; `null`: all. */
  invalidate: (tags: string[] | null) => void;
  /** Whether WordPress has answered since the last change that this depends on. */
  isCurrent: (endpoint: Endpoint) => boolean;
  close: () => Promise<void>;
}

/** A call without a deadline of its own still must not hold its place in the store for ever. */
const LONGEST_CALL_MS = 30_000;

/** The store's deadline comes after the call's own, so that the error says what happened. */
const DEADLINE_MARGIN_MS = 250;

/**
 * How often what every page needs is looked after without a visitor asking, so that the first one after a quiet hour
 * does not see an hour-old menu. It is fetched when it is no longer fresh, thus once a minute.
 */
const PULSE_MS = 2500;

/** What every page is made of, and looked after by the pulse. */
const EVERYWHERE = new Set<Endpoint['name']>(['routes', 'menus', 'strings']);

/** Answers asked for at once, so that a cold start does not take every worker WordPress has. */
const PARALLEL_CALLS = 8;

/** A route takes some 250 bytes: room for twice the pages that one sitemap holds. */
const ROUTES_MAX_BYTES = 32_000_000;

const PRUNE_MS = 86_400_000;

/** Calls whose failure is remembered, to be told once. */
const FAILING_CALLS = 1000;

/** Carries a typed error through the store, which knows only of rejections. */
class CallFailed extends Error {
  readonly error: ContentError;
  constructor(error: ContentError) {
    super(error.message);
    this.error = error;
  }
}

const tagsOf = (endpoint: Endpoint) => [
  endpoint.name,
  ...('id' in endpoint ? [`${endpoint.name}:${endpoint.id}`] : []),
];

/** An older companion plugin knows no redirects, and that is no trouble. */
const isOptional = (address: string) => address.startsWith(PREFIXES.redirects);

const isAbsent = (endpoint: Endpoint, { status }: ContentError) => isOptional(addressOf(endpoint)) && status === 404;

/** WordPress through the stale store: fresh, else last good, from memory or disk. */
export function createWordpress({ shelfDirectory, log, warn, metrics, ...options }: WordpressOptions): Wordpress {
  const client = createClient({
    ...options,
    baseUrl: options.url.replace(/\/+$/, ''),
    ...(metrics && { onCalled: metrics.called }),
  });
  const shelf = createFileShelf({ directory: shelfDirectory });
  const troubles = createTroubles(log);
  const turns = createTurns(PARALLEL_CALLS);
  const store = new StaleStore({
    shelf,
    deadlineMs: (options.timeoutMs || LONGEST_CALL_MS) + DEADLINE_MARGIN_MS,
    onFetched: troubles.over,
    onError: (what, key, error) =>
      what === 'fetch'
        ? troubles.note(key, error)
        : warn(`content.${what.replace(' ', '-')}-failed`, { key, error: String(error) }),
  });

  /** Calls that this WordPress does not know. What was kept of them from better days is still used. */
  const absent = new Set<string>();

  async function fetchAnswer(endpoint: Endpoint, signal: AbortSignal): Promise<unknown> {
    const limits = endpoint.name === 'routes' ? { maxBytes: ROUTES_MAX_BYTES } : {};
    const answer = await turns.take(() => client.get(addressOf(endpoint), { signal, ...limits }), signal);
    const accepted = answer.ok ? accept(endpoint, answer.data) : answer;
    if (accepted.ok) absent.delete(addressOf(endpoint));
    else if (isAbsent(endpoint, accepted.error)) absent.add(addressOf(endpoint));
    if (answer.ok && !accepted.ok) metrics?.called(addressOf(endpoint), 'rejected');
    if (!accepted.ok) throw new CallFailed(accepted.error);
    return accepted.data;
  }

  const langs = new Set<string>();
  const read: Reader = async (endpoint, { budget, version, isFresh }) => {
    if ('lang' in endpoint) langs.add(endpoint.lang);
    const address = addressOf(endpoint);
    // Nobody waits to hear again what is not there; the answer that it is now is kept all the same.
    const waitMs = absent.has(address) ? 0 : budget.left();
    const asked = { waitMs, version, isFresh, tags: tagsOf(endpoint) };
    const kept = await store.get(address, (signal) => fetchAnswer(endpoint, signal), asked);
    if (kept && EVERYWHERE.has(endpoint.name)) metrics?.shown(endpoint.name, kept.born);
    if (kept) return success(kept.value);
    if (absent.has(address)) return failure('bad request', `${nameOf(endpoint)}: not in this WordPress`, 404);
    return failure('timeout', `${nameOf(endpoint)}: nothing kept and no answer in time`);
  };

  const hurried = { budget: { left: () => 0 } };
  const pulse = setInterval(() => {
    for (const lang of langs) for (const name of ['routes', 'menus', 'strings'] as const) read({ name, lang }, hurried);
    for (const lang of langs) read({ name: 'redirects', lang, page: 1 }, hurried);
    if (langs.size > 0) read({ name: 'site' }, hurried);
  }, PULSE_MS).unref();
  const prune = () => shelf.prune().catch((error: unknown) => warn('content.prune-failed', { error: String(error) }));
  let pruned = prune();
  const pruning = setInterval(() => {
    pruned = prune();
  }, PRUNE_MS).unref();

  return {
    source: createSource({ read, home: options.url, warn }),
    client,
    invalidate: (tags) => (tags ? store.invalidate(tags) : store.invalidate()),
    isCurrent: (endpoint) => store.isCurrent(addressOf(endpoint)),
    async close() {
      clearInterval(pulse);
      clearInterval(pruning);
      client.close();
      await Promise.all([store.close(), pruned]);
    },
  };
}

/** Says once that a call began to fail and once that it is over, instead of with every try. */
function createTroubles(log: ContentOptions['log']) {
  // Bounded: forms are asked for by numbers that come from visitors.
  const failing = new LRUCache<string, string>({ max: FAILING_CALLS });
  return {
    note(key: string, error: unknown) {
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
