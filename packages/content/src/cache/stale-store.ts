import { QueueFull } from '@pillion/lib/limit.ts';
import { firstOf, valueWithin, withTimeout } from '@pillion/lib/timeout.ts';
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

interface Held extends Entry {
  /** Sequence number of this value. A response equal to the last one keeps its number and its value object. */
  edition: number;
}

/** A value that was read. `check` says whether reading it again would give the same. */
export interface Seen {
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

/** An entry as read from the shelf. */
export interface Shelved extends Entry {
  /** Length of the text that was read, in characters: about the length of the value as JSON. */
  length?: number;
}

/** Stores entries permanently. If a call fails or hangs, the store continues without the shelf. */
export interface Shelf {
  read: (key: string) => Promise<Shelved | null>;
  write: (key: string, entry: Entry) => Promise<void>;
}

export interface StaleStoreOptions {
  shelf: Shelf;
  /**
   * Longest time of one fetch. After it the fetch is aborted and counts as failed. Callers wait a shorter time
   * (`Asked.waitMs`). Default: 30 s.
   */
  deadlineMs?: number;
  onFetched?: (key: string) => void;
  onError?: (what: 'fetch' | 'shelf read' | 'shelf write', key: string, error: unknown) => void;
}

export interface Asked {
  /** Longest wait for a response, in milliseconds. A later response is stored for the next caller. */
  waitMs: number;
  /** A stored response of another version is fetched again before use, if the source responds in time. */
  version?: string | undefined;
  /** A stored response older than this (milliseconds) is fetched again before use, even if it is fresh for others. */
  freshMs?: number | undefined;
  tags?: string[];
}

/** Requests the value from the source. It may reject, hang or ignore its signal. */
export type Make = (signal: AbortSignal) => Promise<unknown>;

/** An entry is fresh for this long. Times in milliseconds. */
const FRESH_MS = 60_000;
/** Older entries are never used. */
const GRACE_MS = 30 * 86_400_000;
/** Longest time to read or write one entry of the shelf. */
const SHELF_CALL_MS = 1_500;
/** Time to wait for the shelf before the source is requested as well. */
const SHELF_WAIT_MS = 150;
/** Pause after a failed fetch. Every further failure doubles it, up to the longest. */
const BACKOFF_MS = 5_000;
const LONGEST_BACKOFF_MS = 20_000;
/** Largest number of entries in memory, and largest size of all of them, in characters of JSON. */
const MOST_ENTRIES = 1_000;
const MOST_CHARACTERS = 64_000_000;

/** Largest number of keys with a pause after a failed fetch. */
const RESTING_KEYS = 1000;

/** A time that is further ahead of the clock than this shows that the clock was set back. */
const LONGEST_BURST_MS = 1000;

const isOutdated = (entry: Entry, { version }: Pick<Asked, 'version'>) =>
  version !== undefined && version !== entry.version;

/**
 * Stores responses of a source. A fresh entry is used; a stale one is used while it is fetched again in the background;
 * a missing one is fetched. No method rejects: if the source or shelf fails, stored entries are still used.
 */
export class StaleStore {
  #options: Required<StaleStoreOptions>;
  #memory: LRUCache<string, Held>;
  #fetching = new Map<string, Pick<Entry, 'born' | 'tags'> & { answer: Promise<Held> }>();
  #opening = new Map<string, Promise<Held | null>>();
  /** Writes to the shelf in progress, by key. Writes of one key run in order, so that the newest entry remains. */
  #writing = new Map<string, Promise<void>>();
  #resting: LRUCache<string, { until: number; pauseMs: number }>;
  /** Time of the last change, by tag. Entries requested before it are stale. */
  #voided = new Map<string, number>();
  #allVoided = 0;
  #lastTick = 0;
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
    this.#memory = new LRUCache({ max: MOST_ENTRIES, maxSize: MOST_CHARACTERS });
    this.#resting = new LRUCache({ max: RESTING_KEYS });
  }

  /** Incremented whenever a stored value may change. While it is the same, `check` depends only on time. */
  get generation(): number {
    return this.#generation;
  }

  /** @returns The stored or fetched value of `key`; `null` if nothing is stored and no response came in time. */
  async get(key: string, make: Make, asked: Asked): Promise<Pick<Held, 'value' | 'born' | 'edition'> | null> {
    this.#watchClock();
    const inMemory = this.#memory.get(key) ?? null;
    const opening = inMemory ? null : this.#open(key);
    const entry = inMemory ?? (opening && (await valueWithin(SHELF_WAIT_MS, opening)));
    const isUsable = entry !== null && !isOutdated(entry, asked) && !this.#isVoided(entry);
    if (isUsable && !this.#isStale(entry, asked.freshMs)) return entry;
    const fetching = this.#isQuiet(key) ? null : this.#fetch(key, make, asked);
    // An entry that is only old is used while it is fetched again, unless the caller needs a fresh one.
    if (isUsable && asked.freshMs === undefined) return entry;
    // The shelf may be late and still faster than the source.
    const first = entry ? fetching : firstOf([fetching, opening && this.#unvoided(opening)]);
    return (first && (await valueWithin(asked.waitMs, first))) ?? this.#memory.get(key) ?? entry;
  }

  /**
   * Makes entries stale. The next caller waits for the source, unlike for entries that are only old, because editors
   * want to see their change.
   * @param tags Entries with one of these tags; default: all entries.
   * @param at Epoch milliseconds. Entries requested later stay valid.
   */
  invalidate(tags?: string[], at = this.#tick()): void {
    this.#watchClock();
    // A change reported late must not undo a later one.
    if (tags) for (const tag of tags) this.#voided.set(tag, Math.max(at, this.#voided.get(tag) ?? 0));
    else this.#allVoided = Math.max(at, this.#allVoided);
    this.#resting.clear();
    this.#generation += 1;
  }

  /** Returns what `get` would give now for a value read earlier. Sends no request. Updates `seen.born`. */
  check(seen: Seen): Validity {
    this.#watchClock();
    const now = Date.now();
    const entry = this.#memory.get(seen.key);
    const quietUntil = this.#quietUntil(seen.key);
    const isQuiet = quietUntil > now;
    if (!entry && seen.edition === null && isQuiet) return { standing: 'same', until: quietUntil };
    if (!entry || entry.edition !== seen.edition)
      return { standing: seen.edition === null || this.#isVoided(seen) ? 'due' : 'changed', until: now };
    seen.born = entry.born;
    const isStale = this.#isStale(entry, seen.freshMs);
    if (!isStale && !isOutdated(entry, seen))
      return { standing: 'same', until: entry.born + (seen.freshMs ?? FRESH_MS) };
    if (isQuiet) return { standing: 'same', until: quietUntil };
    if (this.#isVoided(entry) || (isStale && seen.freshMs !== undefined)) return { standing: 'due', until: now };
    return { standing: isOutdated(entry, seen) ? 'changed' : 'aged', until: now };
  }

  /** Whether memory contains an entry for `key`. */
  holds(key: string): boolean {
    return this.#memory.has(key);
  }

  /** @returns The last valid value of any age; `null` if nothing is stored. Sends no request. */
  async kept(key: string): Promise<unknown> {
    const entry = this.#memory.get(key) ?? (await this.#open(key));
    return entry?.value ?? null;
  }

  /** Whether the entry of `key` was requested after the last change of the content that it depends on. */
  isCurrent(key: string): boolean {
    this.#watchClock();
    const entry = this.#memory.get(key);
    return entry !== undefined && !this.#isVoided(entry);
  }

  /** Stops fetching; stored entries are still returned. Resolves when all writes to the shelf are finished. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#generation += 1;
    await Promise.all([...this.#fetching.values()].map(({ answer }) => answer.catch(() => {})));
    await Promise.all(this.#writing.values());
  }

  /**
   * Returns the time in epoch milliseconds, never the same value twice, so that a change and a fetch within one
   * millisecond differ. If the clock was set back, the new time counts.
   */
  #tick(): number {
    const now = Date.now();
    const isAhead = this.#lastTick >= now && this.#lastTick - now < LONGEST_BURST_MS;
    this.#lastTick = isAhead ? this.#lastTick + 0.001 : now;
    return this.#lastTick;
  }

  /** If the clock was set back, stored changes and pauses would be in the future, so they are set back too. */
  #watchClock(): void {
    const now = Date.now();
    if (now < this.#lastNow - LONGEST_BURST_MS) {
      this.#allVoided = Math.min(this.#allVoided, now - 1);
      for (const [tag, at] of this.#voided) this.#voided.set(tag, Math.min(at, now - 1));
      this.#resting.clear();
      this.#generation += 1;
    }
    this.#lastNow = now;
  }

  /** Whether the clock was set back after the entry was requested. Its age is then unknown. */
  #isFromFuture({ born }: Pick<Entry, 'born'>): boolean {
    return born > Date.now() + LONGEST_BURST_MS;
  }

  #isStale(entry: Entry, freshMs = FRESH_MS): boolean {
    return Date.now() - entry.born > freshMs || this.#isFromFuture(entry) || this.#isVoided(entry);
  }

  #isVoided(entry: Pick<Entry, 'born' | 'tags'>): boolean {
    let at = this.#allVoided;
    for (const tag of entry.tags) at = Math.max(at, this.#voided.get(tag) ?? 0);
    // An entry from the future cannot be compared with a change. It counts as older.
    return entry.born <= at || (at > 0 && this.#isFromFuture(entry));
  }

  /** Time until which no fetch begins: always after the close, else the end of the pause after a failed fetch. */
  #quietUntil(key: string): number {
    if (this.#isClosed) return Number.POSITIVE_INFINITY;
    return this.#fetching.has(key) ? 0 : (this.#resting.get(key)?.until ?? 0);
  }

  #isQuiet(key: string): boolean {
    return this.#quietUntil(key) > Date.now();
  }

  /** Begins the pause, which reduces the load of a source that is down. */
  #rest(key: string): void {
    const last = this.#resting.get(key)?.pauseMs ?? BACKOFF_MS / 2;
    const pauseMs = Math.min(last * 2, LONGEST_BACKOFF_MS);
    this.#resting.set(key, { until: Date.now() + pauseMs, pauseMs });
  }

  #keep(key: string, { length, ...entry }: Shelved): Held {
    const last = this.#memory.get(key);
    // Serializing 10,000 routes only for their length would take a tenth of the start.
    const text = last === undefined && length !== undefined ? null : JSON.stringify(entry.value);
    // The same value object lets callers reuse what they derived from it.
    const isSame = last !== undefined && text === JSON.stringify(last.value);
    if (!isSame) this.#lastEdition += 1;
    const held = isSame
      ? { ...entry, value: last.value, edition: last.edition }
      : { ...entry, edition: this.#lastEdition };
    this.#memory.set(key, held, { size: Math.max(1, text?.length ?? length ?? 1) });
    this.#generation += 1;
    return held;
  }

  /** Returns `null` for an entry older than the last change, so that the caller waits for the source. */
  async #unvoided(opening: Promise<Held | null>): Promise<Held | null> {
    const entry = await opening;
    return entry && this.#isVoided(entry) ? null : entry;
  }

  /** Reads the shelf once for all concurrent callers. */
  #open(key: string): Promise<Held | null> {
    const known = this.#opening.get(key);
    if (known) return known;
    const { shelf, onError } = this.#options;
    const opening = withTimeout(SHELF_CALL_MS, () => shelf.read(key))
      .then((entry) => {
        if (entry === null || Date.now() - entry.born > GRACE_MS) return null;
        return this.#memory.get(key) ?? this.#keep(key, entry);
      })
      .catch((error: unknown) => {
        onError('shelf read', key, error);
        return null;
      })
      .finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** Fetches once for all concurrent callers. A fetch that began before a change is not used for callers after it. */
  #fetch(key: string, make: Make, asked: Asked): Promise<Held> {
    const known = this.#fetching.get(key);
    if (known && !this.#isVoided(known)) return known.answer;
    if (known) return this.#fetchAfter(known.answer, key, make, asked);
    const born = this.#tick();
    const tags = asked.tags ?? [];
    const answer = withTimeout(this.#options.deadlineMs, make)
      .then(
        (value) => this.#land(key, { value, born, version: asked.version ?? null, tags }),
        (error: unknown) => {
          // No pause if the fetch never began or a change made it obsolete: neither shows that the source fails.
          if (!(error instanceof QueueFull) && !this.#isVoided({ born, tags })) this.#rest(key);
          this.#options.onError('fetch', key, error);
          throw error;
        },
      )
      .finally(() => this.#fetching.delete(key));
    answer.catch(() => {}); // avoids an unhandled rejection if no caller waits
    this.#fetching.set(key, { answer, born, tags });
    return answer;
  }

  #fetchAfter(before: Promise<unknown>, key: string, make: Make, asked: Asked): Promise<Held> {
    const answer = before
      .catch(() => {})
      .then(() => {
        const entry = this.#memory.get(key);
        if (entry && !this.#isVoided(entry)) return entry;
        if (this.#isQuiet(key)) throw new Error('no newer response');
        return this.#fetch(key, make, asked);
      });
    answer.catch(() => {});
    return answer;
  }

  #land(key: string, entry: Entry): Held {
    const { shelf, onError, onFetched } = this.#options;
    const held = this.#keep(key, entry);
    this.#resting.delete(key);
    onFetched(key);
    const writing = (this.#writing.get(key) ?? Promise.resolve())
      .then(() => withTimeout(SHELF_CALL_MS, () => shelf.write(key, entry)))
      .catch((error: unknown) => onError('shelf write', key, error))
      .finally(() => this.#writing.get(key) === writing && this.#writing.delete(key));
    this.#writing.set(key, writing);
    return held;
  }
}
