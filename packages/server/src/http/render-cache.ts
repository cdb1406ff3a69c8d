import { type Read, recordReads } from '@pillion/content/cache/reads.ts';
import { STANDINGS, type Standing } from '@pillion/content/cache/stale-store.ts';
import { LRUCache } from 'lru-cache';

/** Result for one key. */
export interface RenderResult<T, U> {
  /** The value to cache; `null` if only the waiting requests may use the result. */
  cacheable: T | null;
  /** Result for the waiting requests, if nothing may be cached. */
  uncacheable: U | null;
}

export interface RenderCacheOptions<T, U> {
  /** Renders the value of a key, independent of the request. `recordReads` records the content that it reads. */
  render: (key: string, previous: T | null) => Promise<RenderResult<T, U>>;
  /** Size in memory, in bytes. Call `updateSize` when it changes. */
  bytesOf: (value: T) => number;
  /** Whether clients can invent any number of such keys, such as missing paths. */
  isUnbounded: (value: T) => boolean;
  /** As in `Content`. While it stays the same, a check stays valid until `holdsUntil`. */
  generation: () => number;
  /** As in `Content`. A run that began before it grew may lack a change, so new requests do not wait for it. */
  changeCount: () => number;
  /** Limits in bytes. Default: 64 MB, and 4 MB for unbounded values. */
  maxBytes?: number;
  maxUnboundedBytes?: number;
}

/** Cache status of a response. */
export type CacheStatus =
  /** Cached and up to date. */
  | 'hit'
  /** Cached, while its content is fetched or a new value is made. */
  | 'stale'
  /** Made for this request. */
  | 'miss'
  /** Made for an earlier request that still waited. */
  | 'collapsed';

export type CacheHit<T> = { value: T; cacheStatus: CacheStatus };

interface CacheEntry<T> {
  value: T;
  reads: Read[];
  /** Start of its run. If the clock is set back before it, the value is due. All times here are epoch milliseconds. */
  from: number;
  /** Expires then. */
  until: number;
  /** Number of its run: an earlier run that ends later does not replace it. */
  runNumber: number;
  /** The last check, its generation, and the times between which it holds. */
  standing: Standing;
  generation: number;
  checkedAt: number;
  holdsUntil: number;
}

interface Run<T, U> {
  changeCount: number;
  number: number;
  result: Promise<RenderResult<T, U>>;
}

/** Content that has aged is fetched again. The cache checks for the result at this interval, in milliseconds. */
const AGED_CHECK_INTERVAL_MS = 250;

const worseStanding = (a: Standing, b: Standing) => (STANDINGS.indexOf(a) > STANDINGS.indexOf(b) ? a : b);

/** Estimated bytes of an entry besides its value: about 300 for each of eight reads, and the rest. */
const ENTRY_OVERHEAD_BYTES = 3_000;

/**
 * Caches values made from content until that content changes. The cache records the reads of each run, so no code maps
 * content to keys. After a change, the first request makes the new value. The others get the stale one meanwhile, but
 * wait for the new one if WordPress notified this server of the change.
 */
export class RenderCache<T, U> {
  #options: Required<RenderCacheOptions<T, U>>;
  #pages: LRUCache<string, CacheEntry<T>>;
  /** Separate, so that a flood of invented keys evicts no page. */
  #unbounded: LRUCache<string, CacheEntry<T>>;
  #running = new Map<string, Run<T, U>>();
  #runCount = 0;
  #countByStatus: Record<CacheStatus, number> = { hit: 0, stale: 0, miss: 0, collapsed: 0 };

  constructor(options: RenderCacheOptions<T, U>) {
    this.#options = {
      maxBytes: 64_000_000,
      maxUnboundedBytes: 4_000_000,
      ...options,
    };
    this.#pages = new LRUCache({ maxSize: this.#options.maxBytes });
    this.#unbounded = new LRUCache({ maxSize: this.#options.maxUnboundedBytes });
  }

  /** @returns A value that may be sent now; `null` if it has to be made first. */
  find(key: string): CacheHit<T> | null {
    const entry = this.#pages.get(key) ?? this.#unbounded.get(key);
    if (!entry) return null;
    const standing = this.#checkStanding(entry);
    if (standing === 'due' || (standing === 'changed' && !this.#currentRun(key))) return null;
    return { value: entry.value, cacheStatus: standing === 'same' ? 'hit' : 'stale' };
  }

  /** @returns The cached or a new value; concurrent calls share one run. @throws Errors of `render`. */
  async get(key: string): Promise<CacheHit<T> | { value: null; uncacheable: U | null; cacheStatus: CacheStatus }> {
    const found = this.find(key);
    if (found) {
      this.count(found.cacheStatus);
      return found;
    }
    const currentRun = this.#currentRun(key);
    const cacheStatus = currentRun ? 'collapsed' : 'miss';
    this.count(cacheStatus);
    const { cacheable, uncacheable } = await (currentRun ?? this.#startRun(key)).result;
    return cacheable === null ? { value: null, uncacheable, cacheStatus } : { value: cacheable, cacheStatus };
  }

  /** Counts a response. `get` does so itself; after `find` call it only if the value is sent. */
  count(cacheStatus: CacheStatus): void {
    this.#countByStatus[cacheStatus] += 1;
  }

  /** Call this when the size of a value has changed. */
  updateSize(key: string, value: T): void {
    for (const cache of [this.#pages, this.#unbounded]) {
      const entry = cache.peek(key);
      if (entry?.value === value) this.#store(cache, key, entry);
    }
  }

  /** Whether the key still has this value. */
  holds(key: string, value: T): boolean {
    return (this.#pages.peek(key) ?? this.#unbounded.peek(key))?.value === value;
  }

  /** @returns Number and bytes of the cached values, and a count for each cache status. */
  figures() {
    const sizeOf = ({ size, calculatedSize }: LRUCache<string, CacheEntry<T>>) => ({
      count: size,
      bytes: calculatedSize,
    });
    return { pages: sizeOf(this.#pages), unbounded: sizeOf(this.#unbounded), byStatus: { ...this.#countByStatus } };
  }

  /** The run of a key that requests may wait for; `null` if there is no run, or a change came after its start. */
  #currentRun(key: string): Run<T, U> | null {
    const run = this.#running.get(key);
    return run && run.changeCount === this.#options.changeCount() ? run : null;
  }

  /** Checks whether the content of an entry has changed, and fetches content that has aged again. */
  #checkStanding(entry: CacheEntry<T>): Standing {
    const now = Date.now();
    const generation = this.#options.generation();
    if (entry.generation === generation && now >= entry.checkedAt && now < entry.holdsUntil) return entry.standing;
    let standing: Standing = now < entry.from || now >= entry.until ? 'due' : 'same';
    let holdsUntil = entry.until;
    for (const read of entry.reads) {
      const checked = read.check();
      standing = worseStanding(standing, checked.standing);
      if (checked.standing === 'aged') read.renew();
      else holdsUntil = Math.min(holdsUntil, checked.until);
    }
    if (standing === 'aged') holdsUntil = Math.min(entry.until, now + AGED_CHECK_INTERVAL_MS);
    Object.assign(entry, { standing, generation, checkedAt: now, holdsUntil });
    return standing;
  }

  #startRun(key: string): Run<T, U> {
    this.#runCount += 1;
    const number = this.#runCount;
    const run: Run<T, U> = { changeCount: this.#options.changeCount(), number, result: this.#render(key, number) };
    this.#running.set(key, run);
    // Another run may have replaced it.
    const end = () => {
      if (this.#running.get(key) === run) this.#running.delete(key);
    };
    run.result.then(end, end);
    return run;
  }

  async #render(key: string, runNumber: number): Promise<RenderResult<T, U>> {
    const from = Date.now();
    const previous = this.#pages.peek(key) ?? this.#unbounded.peek(key) ?? null;
    try {
      const {
        value: result,
        reads,
        until,
      } = await recordReads(() => this.#options.render(key, previous?.value ?? null));
      const { cacheable: value } = result;
      // No generation is -1, so the first use checks it.
      const unchecked = { standing: 'due' as const, generation: -1, checkedAt: 0, holdsUntil: 0 };
      this.#replaceEntry(
        key,
        value === null ? null : { value, reads, from, until, runNumber, ...unchecked },
        runNumber,
      );
      return result;
    } catch (error) {
      this.#replaceEntry(key, null, runNumber);
      throw error;
    }
  }

  /** @param entry `null` removes the value. */
  #replaceEntry(key: string, entry: CacheEntry<T> | null, runNumber: number): void {
    const previous = this.#pages.peek(key) ?? this.#unbounded.peek(key);
    if (previous && previous.runNumber > runNumber) return;
    this.#pages.delete(key);
    this.#unbounded.delete(key);
    if (entry) this.#store(this.#options.isUnbounded(entry.value) ? this.#unbounded : this.#pages, key, entry);
  }

  #store(cache: LRUCache<string, CacheEntry<T>>, key: string, entry: CacheEntry<T>): void {
    // `set` with the same value does not update its size.
    cache.delete(key);
    cache.set(key, entry, { size: key.length * 2 + ENTRY_OVERHEAD_BYTES + this.#options.bytesOf(entry.value) });
  }
}
