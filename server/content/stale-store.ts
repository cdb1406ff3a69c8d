import { LRUCache } from 'lru-cache';
import { patiently } from './patiently.ts';

/** What is kept of one answer. */
export interface Entry {
  value: unknown;
  /** When it was asked for, in epoch milliseconds: a change made while it was on its way makes it stale. */
  born: number;
  /** The version its caller asked for, `null` where callers know of none. */
  version: string | null;
  tags: string[];
}

/** Where entries outlive the process. Calls may fail, hang or answer late: the store bounds and absorbs that. */
export interface Shelf {
  read: (key: string) => Promise<Entry | null>;
  write: (key: string, entry: Entry) => Promise<void>;
}

export interface StaleStoreOptions {
  shelf: Shelf;
  /** An entry is fresh for so long. Default: 60 s (architecture, *Caching and failing*). */
  freshMs?: number;
  /** An older entry is not used at all. Default: 30 days (ibid.). */
  graceMs?: number;
  /** One fetch takes this long at most; beyond, it is told to stop and counts as failed. Default: 1.5 s. */
  deadlineMs?: number;
  /** The source is asked when the shelf has not answered for so long. Default: 150 ms. */
  shelfDeadlineMs?: number;
  /** Pause after a failed fetch. It doubles with every further failure, up to `backoffMaxMs`. Default: 5 s. */
  backoffMs?: number;
  /** Default: 20 s (ibid.). */
  backoffMaxMs?: number;
  /** Entries held in memory. Default: 1000. */
  maxEntries?: number;
  /** Size of all entries in memory, in characters of JSON. Default: 64 million. */
  maxLength?: number;
  onFetched?: (key: string) => void;
  onError?: (what: 'fetch' | 'shelf read' | 'shelf write', key: string, error: unknown) => void;
}

export interface Asked {
  /** Waits this long at most for an answer that is not kept, in milliseconds. A later one is kept all the same. */
  waitMs: number;
  /** A kept answer of another version is fetched anew before it is used, if the source answers in time. */
  version?: string | undefined;
  /** The same for a kept answer that is no longer fresh. */
  isFresh?: boolean | undefined;
  tags?: string[];
}

/** Asks the source. May reject, hang or ignore its signal. */
export type Make = (signal: AbortSignal) => Promise<unknown>;

/** Keys whose failures are remembered; a flood of other keys pushes them out. */
const RESTING_KEYS = 1000;

/** No burst of fetches runs so far ahead of the clock. */
const LONGEST_BURST_MS = 1000;

/** Settles with the work or rejects at the deadline. The work is told through its signal and never waited for. */
function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      const late = new DOMException(`no answer within ${ms} ms`, 'TimeoutError');
      stop.abort(late);
      reject(late);
    }, ms);
    Promise.resolve()
      .then(() => work(stop.signal))
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** The first of several works that has something; `null` where none has. */
function firstOf<T>(works: (Promise<T | null> | null)[]): Promise<T | null> {
  const found = works.flatMap((work) => work?.then((value) => value ?? Promise.reject(new Error('nothing'))) ?? []);
  return Promise.any(found).catch(() => null);
}

const isOutdated = (entry: Entry, { version }: Asked) => version !== undefined && version !== entry.version;

/**
 * Fresh, else what was kept while it is fetched again in the background, else fetched.
 * Nothing here rejects: a source or shelf that fails, hangs or lies costs freshness, never an answer that was kept.
 */
export class StaleStore {
  #options: Required<StaleStoreOptions>;
  #memory: LRUCache<string, Entry>;
  #fetching = new Map<string, Promise<Entry>>();
  #opening = new Map<string, Promise<Entry | null>>();
  #writing = new Set<Promise<void>>();
  #resting: LRUCache<string, { until: number; pauseMs: number }>;
  /** Tag → entries born up to then are stale. */
  #voided = new Map<string, number>();
  #allVoided = 0;
  #lastTick = 0;
  #isClosed = false;

  constructor(options: StaleStoreOptions) {
    this.#options = {
      freshMs: 60_000,
      graceMs: 30 * 86_400_000,
      deadlineMs: 1500,
      shelfDeadlineMs: 150,
      backoffMs: 5000,
      backoffMaxMs: 20_000,
      maxEntries: 1000,
      maxLength: 64_000_000,
      onFetched: () => {},
      onError: () => {},
      ...options,
    };
    this.#memory = new LRUCache({ max: this.#options.maxEntries, maxSize: this.#options.maxLength });
    this.#resting = new LRUCache({ max: RESTING_KEYS });
  }

  /** @returns The value kept or fetched under `key`; `null` where nothing was kept and nothing came in time. */
  async get(key: string, make: Make, asked: Asked): Promise<Pick<Entry, 'value' | 'born'> | null> {
    const inMemory = this.#memory.get(key) ?? null;
    const opening = inMemory ? null : this.#open(key);
    const entry = inMemory ?? (opening && (await patiently(this.#options.shelfDeadlineMs, opening)));
    if (entry && !this.#isStale(entry) && !isOutdated(entry, asked)) return entry;
    const fetching = this.#isClosed || this.#isResting(key) ? null : this.#fetch(key, make, asked);
    if (entry && !asked.isFresh && !isOutdated(entry, asked) && !this.#isVoided(entry)) return entry;
    // A shelf slower than its deadline may still be faster than the source.
    const first = entry ? fetching : firstOf([fetching, opening]);
    return (first && (await patiently(asked.waitMs, first))) ?? this.#memory.get(key) ?? entry;
  }

  /**
   * Makes entries stale, so that their next reader has them fetched again and, if the source answers in time, waits for
   * it: whoever says that something has changed wants to see it.
   * @param tags Those with one of these tags; without it, all.
   * @param at Epoch milliseconds: entries asked for later are left alone.
   */
  invalidate(tags?: string[], at = this.#tick()): void {
    if (tags) for (const tag of tags) this.#voided.set(tag, at);
    else this.#allVoided = at;
    this.#resting.clear();
  }

  /** Whether what is kept under `key` was asked for after the last change it depends on. */
  isCurrent(key: string): boolean {
    const entry = this.#memory.get(key);
    return entry !== undefined && !this.#isVoided(entry);
  }

  /** Fetches nothing more; what is kept is still answered. @returns When what was being written is on the shelf. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#fetching.values()].map((fetching) => fetching.catch(() => {})));
    await Promise.all(this.#writing);
  }

  /**
   * Epoch milliseconds, and what comes within one keeps its order: an answer asked for right after a change is not taken
   * for one of before. A clock that was set back is followed.
   */
  #tick(): number {
    const now = Date.now();
    const isAhead = this.#lastTick >= now && this.#lastTick - now < LONGEST_BURST_MS;
    this.#lastTick = isAhead ? this.#lastTick + 0.001 : now;
    return this.#lastTick;
  }

  #isStale(entry: Entry): boolean {
    return Date.now() - entry.born > this.#options.freshMs || this.#isVoided(entry);
  }

  #isVoided({ born, tags }: Entry): boolean {
    return born <= Math.max(this.#allVoided, ...tags.map((tag) => this.#voided.get(tag) ?? 0));
  }

  /** A fetch in the pause after a failure would fail too, and hit a source that is down already. */
  #isResting(key: string): boolean {
    return !this.#fetching.has(key) && (this.#resting.get(key)?.until ?? 0) > Date.now();
  }

  #rest(key: string): void {
    const last = this.#resting.get(key)?.pauseMs ?? this.#options.backoffMs / 2;
    const pauseMs = Math.min(last * 2, this.#options.backoffMaxMs);
    this.#resting.set(key, { until: Date.now() + pauseMs, pauseMs });
  }

  #keep(key: string, entry: Entry): void {
    this.#memory.set(key, entry, { size: Math.max(1, JSON.stringify(entry.value).length) });
  }

  /** Reads the shelf, once for however many ask. */
  #open(key: string): Promise<Entry | null> {
    const known = this.#opening.get(key);
    if (known) return known;
    const { shelf, deadlineMs, graceMs, onError } = this.#options;
    const opening = within(deadlineMs, () => shelf.read(key))
      .then((entry) => {
        if (entry === null || Date.now() - entry.born > graceMs) return null;
        if (!this.#memory.has(key)) this.#keep(key, entry);
        return this.#memory.get(key) ?? entry;
      })
      .catch((error: unknown) => {
        onError('shelf read', key, error);
        return null;
      })
      .finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** Fetches, once for however many ask. */
  #fetch(key: string, make: Make, asked: Asked): Promise<Entry> {
    const known = this.#fetching.get(key);
    if (known) return known;
    const born = this.#tick();
    const fetching = within(this.#options.deadlineMs, make)
      .then(
        (value) => this.#land(key, { value, born, version: asked.version ?? null, tags: asked.tags ?? [] }),
        (error: unknown) => {
          this.#rest(key);
          this.#options.onError('fetch', key, error);
          throw error;
        },
      )
      .finally(() => this.#fetching.delete(key));
    fetching.catch(() => {}); // those who wait hear of it; nobody may be waiting
    this.#fetching.set(key, fetching);
    return fetching;
  }

  #land(key: string, entry: Entry): Entry {
    const { shelf, deadlineMs, onError, onFetched } = this.#options;
    this.#keep(key, entry);
    this.#resting.delete(key);
    onFetched(key);
    const writing = within(deadlineMs, () => shelf.write(key, entry))
      .catch((error: unknown) => onError('shelf write', key, error))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return entry;
  }
}
