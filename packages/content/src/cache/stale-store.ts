import { QueueFull } from '@pillion/lib/limit.ts';
import { firstNonNull, valueWithin, withTimeout } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';

/** A stored response of the source. */
export interface Entry {
  value: unknown;
  /** Time of the request, in epoch milliseconds. A change during the request makes the entry stale. */
  born: number;
  /** The version that the caller requested; `null` if the content has no versions. */
  version: string | null;
  tags: string[];
}

interface CachedEntry extends Entry {
  /** Sequence number of this value. A response equal to the last one keeps its number and its value object. */
  edition: number;
}

/** A value that was read. `check` says whether reading it again would give the same. */
export interface ReadValue {
  key: string;
  /** `null` if nothing was read. */
  edition: number | null;
  born: number;
  tags: string[];
  version: string | undefined;
  freshMs: number | undefined;
}

/**
 * Result of reading a value again, ordered from best to worst. `same`: the same value. `aged`: the same value, while a
 * new one is fetched in the background. `changed`: another value. `due`: the reader would wait for the source.
 */
export const STANDINGS = ['same', 'aged', 'changed', 'due'] as const;
export type Standing = (typeof STANDINGS)[number];

export interface Validity {
  standing: Standing;
  /** The result is valid until then, in epoch milliseconds, unless the store changes. */
  until: number;
}

/** An entry as read from the disk. */
export interface StoredEntry extends Entry {
  /** Length of the text that was read, in characters: about the length of the value as JSON. */
  length?: number;
}

/** Stores entries permanently. If a call fails or hangs, the store continues without the disk. */
export interface PersistentStore {
  read: (key: string) => Promise<StoredEntry | null>;
  write: (key: string, entry: Entry) => Promise<void>;
}

export interface StaleStoreOptions {
  disk: PersistentStore;
  /**
   * Longest time of one fetch. After it the fetch is aborted and counts as failed. Callers wait a shorter time
   * (`GetOptions.waitMs`). Default: 30 s.
   */
  deadlineMs?: number;
  onFetched?: (key: string) => void;
  onError?: (what: 'fetch' | 'disk read' | 'disk write', key: string, error: unknown) => void;
}

export interface GetOptions {
  /** Longest wait for a response, in milliseconds. A later response is stored for the next caller. */
  waitMs: number;
  /** A stored response of another version is fetched again before use, if the source responds in time. */
  version?: string | undefined;
  /** A stored response older than this (milliseconds) is fetched again before use, even if it is fresh for others. */
  freshMs?: number | undefined;
  tags?: string[];
}

/** Requests the value from the source. It may reject, hang or ignore its signal. */
export type Fetch = (signal: AbortSignal) => Promise<unknown>;

/** An entry is fresh for this long. Times in milliseconds. */
const FRESH_MS = 60_000;
/** Older entries on the disk are never used. */
export const GRACE_MS = 30 * 86_400_000;
/** Longest time to read or write one entry on the disk. */
const DISK_TIMEOUT_MS = 1_500;
/** Time to wait for the disk before the source is requested as well. */
const DISK_WAIT_MS = 150;
/** Pause after a failed fetch. Every further failure doubles it, up to the longest. */
const BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 20_000;
/** Largest number of entries in memory, and largest size of all of them, in characters of JSON. */
const MAX_ENTRIES = 1_000;
const MAX_CHARACTERS = 64_000_000;
/** Largest number of keys with a pause after a failed fetch. */
const MAX_BACKOFF_KEYS = 1_000;

/** A time that is further ahead of the clock than this shows that the clock was set back. */
const CLOCK_TOLERANCE_MS = 1000;

/** Whether the caller knows of another version, such as a page's time of change in the routes. */
const isOutdated = (entry: Entry, { version }: Pick<GetOptions, 'version'>) =>
  version !== undefined && version !== entry.version;

/**
 * Stores responses of a source. A fresh entry is used; a stale one is used while it is fetched again in the background;
 * a missing one is fetched. No method rejects: if the source or disk fails, stored entries are still used.
 */
export class StaleStore {
  #options: Required<StaleStoreOptions>;
  #memory: LRUCache<string, CachedEntry>;
  #fetching = new Map<string, Pick<Entry, 'born' | 'tags'> & { promise: Promise<CachedEntry> }>();
  #loading = new Map<string, Promise<CachedEntry | null>>();
  /** Writes to the disk in progress, by key. Writes of one key run in order, so that the newest entry remains. */
  #writing = new Map<string, Promise<void>>();
  #backoffs: LRUCache<string, { until: number; pauseMs: number }>;
  /** Time of the last change, by tag. Entries requested before it are stale. */
  #invalidatedAt = new Map<string, number>();
  #allInvalidatedAt = 0;
  #lastUniqueNow = 0;
  /** Last time of the clock. A smaller time means that the clock was set back. */
  #lastNow = 0;
  #isClosed = false;
  #lastEdition = 0;
  #generation = 0;

  constructor(options: StaleStoreOptions) {
    this.#options = {
      deadlineMs: 30_000,
      onFetched: () => {},
      onError: () => {},
      ...options,
    };
    this.#memory = new LRUCache({ max: MAX_ENTRIES, maxSize: MAX_CHARACTERS });
    this.#backoffs = new LRUCache({ max: MAX_BACKOFF_KEYS });
  }

  /** Incremented whenever a stored value may change. While it is the same, `check` depends only on time. */
  get generation(): number {
    return this.#generation;
  }

  /** @returns The stored or fetched value of `key`; `null` if nothing is stored and no response came in time. */
  async get(
    key: string,
    fetch: Fetch,
    options: GetOptions,
  ): Promise<Pick<CachedEntry, 'value' | 'born' | 'edition'> | null> {
    this.#adjustToClock();
    const inMemory = this.#memory.get(key) ?? null;
    const loading = inMemory ? null : this.#loadFromDisk(key);
    const entry = inMemory ?? (loading && (await valueWithin(DISK_WAIT_MS, loading)));
    const isUsable = entry !== null && !isOutdated(entry, options) && !this.#isInvalidated(entry);
    if (isUsable && !this.#isStale(entry, options.freshMs)) return entry;
    const fetching = this.#isBackingOff(key) ? null : this.#fetch(key, fetch, options);
    // An entry that is only old is used while it is fetched again, unless the caller needs a fresh one.
    if (isUsable && options.freshMs === undefined) return entry;
    // The disk may be late and still faster than the source.
    const first = entry ? fetching : firstNonNull([fetching, loading && this.#validEntry(loading)]);
    const received = first && (await valueWithin(options.waitMs, first));
    // Without a response, an older entry is better than none. The disk may have returned one meanwhile.
    return received ?? this.#memory.get(key) ?? entry;
  }

  /**
   * Makes entries stale. The next caller waits for the source, unlike for entries that are only old, because editors
   * want to see their change.
   * @param tags Entries with one of these tags; default: all entries.
   * @param at Epoch milliseconds. Entries requested later stay valid.
   */
  invalidate(tags?: string[], at = this.#uniqueNow()): void {
    this.#adjustToClock();
    // A change reported late must not undo a later one.
    if (tags) for (const tag of tags) this.#invalidatedAt.set(tag, Math.max(at, this.#invalidatedAt.get(tag) ?? 0));
    else this.#allInvalidatedAt = Math.max(at, this.#allInvalidatedAt);
    this.#backoffs.clear();
    this.#generation += 1;
  }

  /** Compares a value read earlier with what `get` would return now. Sends no request. Updates `readValue.born`. */
  check(readValue: ReadValue): Validity {
    this.#adjustToClock();
    const now = Date.now();
    const entry = this.#memory.get(readValue.key);
    const backoffUntil = this.#backoffUntil(readValue.key);
    // No fetch begins until then, so reading again would give the same.
    const isBackingOff = backoffUntil > now;
    const wasMissing = readValue.edition === null;
    if (!entry && wasMissing && isBackingOff) return { standing: 'same', until: backoffUntil };
    if (!entry || entry.edition !== readValue.edition) {
      // The reader must not use its result again: it lacks the value, or shows the content before a change.
      const isUnusable = wasMissing || this.#isInvalidated(readValue);
      return { standing: isUnusable ? 'due' : 'changed', until: now };
    }
    readValue.born = entry.born;
    const isStale = this.#isStale(entry, readValue.freshMs);
    if (!isStale && !isOutdated(entry, readValue))
      return { standing: 'same', until: entry.born + (readValue.freshMs ?? FRESH_MS) };
    if (isBackingOff) return { standing: 'same', until: backoffUntil };
    if (this.#isInvalidated(entry) || (isStale && readValue.freshMs !== undefined))
      return { standing: 'due', until: now };
    return { standing: isOutdated(entry, readValue) ? 'changed' : 'aged', until: now };
  }

  /** Whether memory contains an entry for `key`. */
  has(key: string): boolean {
    return this.#memory.has(key);
  }

  /** @returns The last valid value of any age; `null` if nothing is stored. Sends no request. */
  async lastValid(key: string): Promise<unknown> {
    const entry = this.#memory.get(key) ?? (await this.#loadFromDisk(key));
    return entry?.value ?? null;
  }

  /** Whether the entry of `key` was requested after the last change of the content that it depends on. */
  isCurrent(key: string): boolean {
    this.#adjustToClock();
    const entry = this.#memory.get(key);
    return entry !== undefined && !this.#isInvalidated(entry);
  }

  /** Stops fetching; stored entries are still returned. Resolves when all writes to the disk are finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#generation += 1;
    await Promise.all([...this.#fetching.values()].map(({ promise }) => promise.catch(() => {})));
    await Promise.all(this.#writing.values());
  }

  /**
   * Returns the time in epoch milliseconds, never the same value twice, so that a change and a fetch within one
   * millisecond differ. If the clock was set back, the new time counts.
   */
  #uniqueNow(): number {
    const now = Date.now();
    const isRepeated = this.#lastUniqueNow >= now && this.#lastUniqueNow - now < CLOCK_TOLERANCE_MS;
    this.#lastUniqueNow = isRepeated ? this.#lastUniqueNow + 0.001 : now;
    return this.#lastUniqueNow;
  }

  /** If the clock was set back, stored changes and pauses would be in the future, so they are set back too. */
  #adjustToClock(): void {
    const now = Date.now();
    if (now < this.#lastNow - CLOCK_TOLERANCE_MS) {
      this.#allInvalidatedAt = Math.min(this.#allInvalidatedAt, now - 1);
      for (const [tag, at] of this.#invalidatedAt) this.#invalidatedAt.set(tag, Math.min(at, now - 1));
      this.#backoffs.clear();
      this.#generation += 1;
    }
    this.#lastNow = now;
  }

  /** Whether the clock was set back after the entry was requested. Its age is then unknown. */
  #isInFuture({ born }: Pick<Entry, 'born'>): boolean {
    return born > Date.now() + CLOCK_TOLERANCE_MS;
  }

  #isStale(entry: Entry, freshMs = FRESH_MS): boolean {
    return Date.now() - entry.born > freshMs || this.#isInFuture(entry) || this.#isInvalidated(entry);
  }

  #isInvalidated(entry: Pick<Entry, 'born' | 'tags'>): boolean {
    let at = this.#allInvalidatedAt;
    for (const tag of entry.tags) at = Math.max(at, this.#invalidatedAt.get(tag) ?? 0);
    // An entry from the future cannot be compared with a change. It counts as older.
    return entry.born <= at || (at > 0 && this.#isInFuture(entry));
  }

  /** Until then (epoch milliseconds) no fetch begins. 0: at once, or one is running, which callers can join. */
  #backoffUntil(key: string): number {
    if (this.#isClosed) return Number.POSITIVE_INFINITY;
    return this.#fetching.has(key) ? 0 : (this.#backoffs.get(key)?.until ?? 0);
  }

  #isBackingOff(key: string): boolean {
    return this.#backoffUntil(key) > Date.now();
  }

  /** Begins the pause, which reduces the load of a source that is down. */
  #startBackoff(key: string): void {
    const last = this.#backoffs.get(key)?.pauseMs ?? BACKOFF_MS / 2;
    const pauseMs = Math.min(last * 2, MAX_BACKOFF_MS);
    this.#backoffs.set(key, { until: Date.now() + pauseMs, pauseMs });
  }

  /** Caches an entry in memory. An unchanged value keeps its edition. */
  #cache(key: string, { length, ...stored }: StoredEntry): CachedEntry {
    const last = this.#memory.get(key);
    // Serializing 10,000 routes only for their length would take a tenth of the start.
    const text = last === undefined && length !== undefined ? null : JSON.stringify(stored.value);
    // The same value object lets callers reuse what they derived from it.
    const isSame = last !== undefined && text === JSON.stringify(last.value);
    if (!isSame) this.#lastEdition += 1;
    const entry = isSame
      ? { ...stored, value: last.value, edition: last.edition }
      : { ...stored, edition: this.#lastEdition };
    this.#memory.set(key, entry, { size: Math.max(1, text?.length ?? length ?? 1) });
    this.#generation += 1;
    return entry;
  }

  /** Returns `null` for an entry older than the last change, so that the caller waits for the source. */
  async #validEntry(loading: Promise<CachedEntry | null>): Promise<CachedEntry | null> {
    const entry = await loading;
    return entry && this.#isInvalidated(entry) ? null : entry;
  }

  /** Reads the disk once for all concurrent callers. */
  #loadFromDisk(key: string): Promise<CachedEntry | null> {
    const running = this.#loading.get(key);
    if (running) return running;
    const { disk, onError } = this.#options;
    const loading = withTimeout(DISK_TIMEOUT_MS, () => disk.read(key))
      .then((entry) => {
        if (entry === null || Date.now() - entry.born > GRACE_MS) return null;
        return this.#memory.get(key) ?? this.#cache(key, entry);
      })
      .catch((error: unknown) => {
        onError('disk read', key, error);
        return null;
      })
      .finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** Fetches once for all concurrent callers. A fetch that began before a change is not used for callers after it. */
  #fetch(key: string, fetch: Fetch, options: GetOptions): Promise<CachedEntry> {
    const running = this.#fetching.get(key);
    if (running && !this.#isInvalidated(running)) return running.promise;
    if (running) return this.#fetchAfter(running.promise, key, fetch, options);
    const born = this.#uniqueNow();
    const tags = options.tags ?? [];
    const promise = withTimeout(this.#options.deadlineMs, fetch)
      .then(
        (value) => this.#storeFetched(key, { value, born, version: options.version ?? null, tags }),
        (error: unknown) => {
          // No pause if the fetch never began or a change made it obsolete: neither shows that the source fails.
          if (!(error instanceof QueueFull) && !this.#isInvalidated({ born, tags })) this.#startBackoff(key);
          this.#options.onError('fetch', key, error);
          throw error;
        },
      )
      .finally(() => this.#fetching.delete(key));
    promise.catch(() => {}); // avoids an unhandled rejection if no caller waits
    this.#fetching.set(key, { promise, born, tags });
    return promise;
  }

  /** Waits for a fetch that began before a change, then fetches again unless another caller has. */
  #fetchAfter(running: Promise<unknown>, key: string, fetch: Fetch, options: GetOptions): Promise<CachedEntry> {
    const promise = running
      .catch(() => {})
      .then(() => {
        const entry = this.#memory.get(key);
        if (entry && !this.#isInvalidated(entry)) return entry;
        if (this.#isBackingOff(key)) throw new Error('no newer response');
        return this.#fetch(key, fetch, options);
      });
    promise.catch(() => {});
    return promise;
  }

  /** Caches a response in memory, and writes it to the disk in the background. */
  #storeFetched(key: string, fetched: Entry): CachedEntry {
    const { disk, onError, onFetched } = this.#options;
    const entry = this.#cache(key, fetched);
    this.#backoffs.delete(key);
    onFetched(key);
    const writing = (this.#writing.get(key) ?? Promise.resolve())
      .then(() => withTimeout(DISK_TIMEOUT_MS, () => disk.write(key, fetched)))
      .catch((error: unknown) => onError('disk write', key, error))
      .finally(() => this.#writing.get(key) === writing && this.#writing.delete(key));
    this.#writing.set(key, writing);
    return entry;
  }
}
