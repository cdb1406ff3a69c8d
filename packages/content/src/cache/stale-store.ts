import { QueueFull } from '@pillion/lib/limit.ts';
import { firstOf, valueWithin, withTimeout } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';

/** One kept answer of the source. */
export interface Entry {
  value: unknown;
  /** When it was asked for, in epoch milliseconds. A change that comes while it is on its way makes it stale. */
  born: number;
  /** The version its caller asked for; `null` where there are no versions. */
  version: string | null;
  tags: string[];
}

/** An entry in memory. */
interface Held extends Entry {
  /** Of this store's answers the how-manieth. One that says the same as the last keeps its number, and its very value. */
  edition: number;
}

/** What somebody has read, so that it can be asked later whether reading it again would give the same. */
export interface Seen {
  key: string;
  /** `null` where nothing came. */
  edition: number | null;
  born: number;
  tags: string[];
  version: string | undefined;
  freshMs: number | undefined;
}

/**
 * What reading again would give, the worst last: the same; the same, while it is fetched behind the reader's back; something
 * else; whatever the source says, which the reader would wait for.
 */
export const STANDINGS = ['same', 'aged', 'changed', 'due'] as const;
export type Standing = (typeof STANDINGS)[number];

export interface Judgement {
  standing: Standing;
  /** While nothing else changes here, it stands until then, in epoch milliseconds. */
  until: number;
}

/** An entry as it was on the shelf. */
export interface Shelved extends Entry {
  /** Characters of what was read for it: about the length of its value as JSON. */
  length?: number;
}

/** Keeps entries when the process ends. Calls may fail or hang: the store waits a bounded time and goes on without it. */
export interface Shelf {
  read: (key: string) => Promise<Shelved | null>;
  write: (key: string, entry: Entry) => Promise<void>;
}

export interface StaleStoreOptions {
  shelf: Shelf;
  /** An entry is fresh for this long. Default: 60 s. */
  freshMs?: number;
  /** An older entry is never used. Default: 30 days. */
  graceMs?: number;
  /**
   * Longest time of one fetch. After it the fetch is told to stop and counts as failed. Callers wait a shorter time of
   * their own (`Asked.waitMs`). Default: 30 s.
   */
  deadlineMs?: number;
  /** Longest time to read or write one entry of the shelf. Default: 1.5 s. */
  shelfCallMs?: number;
  /** A caller waits this long for the shelf before the source is asked too. Default: 150 ms. */
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
  /** Longest wait for an answer that is not kept, in milliseconds. One that comes later is kept for the next caller. */
  waitMs: number;
  /** A kept answer of another version is fetched again before it is used, if the source answers in time. */
  version?: string | undefined;
  /** So is a kept answer older than this, in milliseconds, though it may still be fresh for other callers. */
  freshMs?: number | undefined;
  tags?: string[];
}

/** Asks the source. It may reject, hang or ignore its signal. */
export type Make = (signal: AbortSignal) => Promise<unknown>;

/** How many keys whose fetch failed are remembered. */
const RESTING_KEYS = 1000;

/** A time further ahead of the clock than this was noted before the clock was set back. */
const LONGEST_BURST_MS = 1000;

const isOutdated = (entry: Entry, { version }: Pick<Asked, 'version'>) =>
  version !== undefined && version !== entry.version;

/**
 * Keeps answers of a source. A fresh one is used; a stale one is used while it is fetched again in the background; one
 * that is not kept is fetched. No call rejects: a source or shelf that fails costs freshness, never a kept answer.
 */
export class StaleStore {
  #options: Required<StaleStoreOptions>;
  #memory: LRUCache<string, Held>;
  #fetching = new Map<string, Pick<Entry, 'born' | 'tags'> & { answer: Promise<Held> }>();
  #opening = new Map<string, Promise<Held | null>>();
  /** Entries being written to the shelf, by key. The next of a key waits for the last, so that the newest one stays. */
  #writing = new Map<string, Promise<void>>();
  #resting: LRUCache<string, { until: number; pauseMs: number }>;
  /** Tag → time of its last change. Entries asked for before it are stale. */
  #voided = new Map<string, number>();
  #allVoided = 0;
  #lastTick = 0;
  /** What the clock said last. A smaller time means that it was set back. */
  #lastNow = 0;
  #isClosed = false;
  #lastEdition = 0;
  #generation = 0;

  constructor(options: StaleStoreOptions) {
    this.#options = {
      freshMs: 60_000,
      graceMs: 30 * 86_400_000,
      deadlineMs: 30_000,
      shelfCallMs: 1500,
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

  /** Grows whenever something that is kept may have become another: while it stays, `judge` is bound by time alone. */
  get generation(): number {
    return this.#generation;
  }

  /** @returns The value kept or fetched under `key`; `null` where nothing was kept and nothing came in time. */
  async get(key: string, make: Make, asked: Asked): Promise<Pick<Held, 'value' | 'born' | 'edition'> | null> {
    this.#watchClock();
    const inMemory = this.#memory.get(key) ?? null;
    const opening = inMemory ? null : this.#open(key);
    const entry = inMemory ?? (opening && (await valueWithin(this.#options.shelfDeadlineMs, opening)));
    if (entry && !this.#isStale(entry, asked.freshMs) && !isOutdated(entry, asked)) return entry;
    const fetching = this.#isClosed || this.#isResting(key) ? null : this.#fetch(key, make, asked);
    if (entry && asked.freshMs === undefined && !isOutdated(entry, asked) && !this.#isVoided(entry)) return entry;
    // The shelf may be late and still faster than the source.
    const first = entry ? fetching : firstOf([fetching, opening && this.#unvoided(opening)]);
    return (first && (await valueWithin(asked.waitMs, first))) ?? this.#memory.get(key) ?? entry;
  }

  /**
   * Makes entries stale. Unlike after mere age, the next caller waits for the source: who made a change wants to see it.
   * @param tags Those with one of these tags; without it, all.
   * @param at Epoch milliseconds: entries asked for later are left alone.
   */
  invalidate(tags?: string[], at = this.#tick()): void {
    this.#watchClock();
    // One that is heard of late leaves what a later one has said.
    if (tags) for (const tag of tags) this.#voided.set(tag, Math.max(at, this.#voided.get(tag) ?? 0));
    else this.#allVoided = Math.max(at, this.#allVoided);
    this.#resting.clear();
    this.#generation += 1;
  }

  /** Says what `get` would give now for what was seen. Asks nothing of anybody; notes in `seen` how new it still is. */
  judge(seen: Seen): Judgement {
    this.#watchClock();
    const now = Date.now();
    const entry = this.#memory.get(seen.key);
    const restsUntil = this.#isClosed ? Number.POSITIVE_INFINITY : (this.#resting.get(seen.key)?.until ?? 0);
    const isResting = this.#isClosed || this.#isResting(seen.key);
    if (!entry && seen.edition === null && isResting) return { standing: 'same', until: restsUntil };
    if (!entry || entry.edition !== seen.edition)
      return { standing: seen.edition === null || this.#isVoided(seen) ? 'due' : 'changed', until: now };
    seen.born = entry.born;
    const isStale = this.#isStale(entry, seen.freshMs);
    if (!isStale && !isOutdated(entry, seen))
      return { standing: 'same', until: entry.born + (seen.freshMs ?? this.#options.freshMs) };
    if (isResting) return { standing: 'same', until: restsUntil };
    if (this.#isVoided(entry) || (isStale && seen.freshMs !== undefined)) return { standing: 'due', until: now };
    return { standing: isOutdated(entry, seen) ? 'changed' : 'aged', until: now };
  }

  /** Whether anything lies in memory under `key`. */
  holds(key: string): boolean {
    return this.#memory.has(key);
  }

  /** @returns The last good value, however old; `null` where none is kept. The source is not asked. */
  async kept(key: string): Promise<unknown> {
    const entry = this.#memory.get(key) ?? (await this.#open(key));
    return entry?.value ?? null;
  }

  /** Whether the entry under `key` was asked for after the last change of what it depends on. */
  isCurrent(key: string): boolean {
    this.#watchClock();
    const entry = this.#memory.get(key);
    return entry !== undefined && !this.#isVoided(entry);
  }

  /** Stops fetching; kept answers are still given. Resolves when everything is written to the shelf. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#generation += 1;
    await Promise.all([...this.#fetching.values()].map(({ answer }) => answer.catch(() => {})));
    await Promise.all(this.#writing.values());
  }

  /**
   * The time in epoch milliseconds, never the same twice: within one millisecond a change and a later fetch still differ.
   * Where the clock was set back, the new time counts.
   */
  #tick(): number {
    const now = Date.now();
    const isAhead = this.#lastTick >= now && this.#lastTick - now < LONGEST_BURST_MS;
    this.#lastTick = isAhead ? this.#lastTick + 0.001 : now;
    return this.#lastTick;
  }

  /** Where the clock was set back, noted changes and pauses would lie in the future: they are set back too. */
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

  /** Whether the clock was set back since the entry was asked for, here or before a restart. Its age is then unknown. */
  #isFromFuture({ born }: Pick<Entry, 'born'>): boolean {
    return born > Date.now() + LONGEST_BURST_MS;
  }

  #isStale(entry: Entry, freshMs = this.#options.freshMs): boolean {
    return Date.now() - entry.born > freshMs || this.#isFromFuture(entry) || this.#isVoided(entry);
  }

  #isVoided(entry: Pick<Entry, 'born' | 'tags'>): boolean {
    let at = this.#allVoided;
    for (const tag of entry.tags) at = Math.max(at, this.#voided.get(tag) ?? 0);
    // An entry from the future cannot be compared with a change: it counts as older.
    return entry.born <= at || (at > 0 && this.#isFromFuture(entry));
  }

  /** Whether the key is in the pause after a failed fetch, which spares a source that is down. */
  #isResting(key: string): boolean {
    return !this.#fetching.has(key) && (this.#resting.get(key)?.until ?? 0) > Date.now();
  }

  #rest(key: string): void {
    const last = this.#resting.get(key)?.pauseMs ?? this.#options.backoffMs / 2;
    const pauseMs = Math.min(last * 2, this.#options.backoffMaxMs);
    this.#resting.set(key, { until: Date.now() + pauseMs, pauseMs });
  }

  #keep(key: string, { length, ...entry }: Shelved): Held {
    const last = this.#memory.get(key);
    // Writing ten thousand routes out only to learn how long they are would be a tenth of a start.
    const text = last === undefined && length !== undefined ? null : JSON.stringify(entry.value);
    // What was made of the last answer is good for this one too.
    const isSame = last !== undefined && text === JSON.stringify(last.value);
    if (!isSame) this.#lastEdition += 1;
    const held = isSame
      ? { ...entry, value: last.value, edition: last.edition }
      : { ...entry, edition: this.#lastEdition };
    this.#memory.set(key, held, { size: Math.max(1, text?.length ?? length ?? 1) });
    this.#generation += 1;
    return held;
  }

  /** A change was told of since: only what the source says now is an answer. */
  async #unvoided(opening: Promise<Held | null>): Promise<Held | null> {
    const entry = await opening;
    return entry && this.#isVoided(entry) ? null : entry;
  }

  /** Reads the shelf, once for all who ask meanwhile. */
  #open(key: string): Promise<Held | null> {
    const known = this.#opening.get(key);
    if (known) return known;
    const { shelf, shelfCallMs, graceMs, onError } = this.#options;
    const opening = withTimeout(shelfCallMs, () => shelf.read(key))
      .then((entry) => {
        if (entry === null || Date.now() - entry.born > graceMs) return null;
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

  /** Fetches, once for all who ask meanwhile. What is on its way since before a change is no answer to who asks after it. */
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
          // A fetch that never began says nothing about the source, nor does one that a change has overtaken.
          if (!(error instanceof QueueFull) && !this.#isVoided({ born, tags })) this.#rest(key);
          this.#options.onError('fetch', key, error);
          throw error;
        },
      )
      .finally(() => this.#fetching.delete(key));
    answer.catch(() => {}); // callers see the error; there may be none
    this.#fetching.set(key, { answer, born, tags });
    return answer;
  }

  #fetchAfter(before: Promise<unknown>, key: string, make: Make, asked: Asked): Promise<Held> {
    const answer = before
      .catch(() => {})
      .then(() => {
        const entry = this.#memory.get(key);
        if (entry && !this.#isVoided(entry)) return entry;
        if (this.#isClosed || this.#isResting(key)) throw new Error('nothing newer came');
        return this.#fetch(key, make, asked);
      });
    answer.catch(() => {}); // as above
    return answer;
  }

  #land(key: string, entry: Entry): Held {
    const { shelf, shelfCallMs, onError, onFetched } = this.#options;
    const held = this.#keep(key, entry);
    this.#resting.delete(key);
    onFetched(key);
    const writing = (this.#writing.get(key) ?? Promise.resolve())
      .then(() => withTimeout(shelfCallMs, () => shelf.write(key, entry)))
      .catch((error: unknown) => onError('shelf write', key, error))
      .finally(() => this.#writing.get(key) === writing && this.#writing.delete(key));
    this.#writing.set(key, writing);
    return held;
  }
}
