import { type Read, recordReads } from '@pillion/content/cache/reads.ts';
import { STANDINGS, type Standing } from '@pillion/content/cache/stale-store.ts';
import { LRUCache } from 'lru-cache';

/** Result for one key. */
export interface Made<T, U> {
  /** The value to cache; `null` if only the waiting requests may use the result. */
  kept: T | null;
  /** Result for the waiting requests, if nothing may be cached. */
  passing: U | null;
}

export interface ReadyPagesOptions<T, U> {
  /** Makes the value of a key, independent of the request. `recordReads` records the content that it reads. */
  make: (key: string, last: T | null) => Promise<Made<T, U>>;
  /** Size in memory, in bytes. Call `weigh` when it changes. */
  bytesOf: (value: T) => number;
  /** Whether clients can invent any number of such keys, such as missing paths. */
  isEndless: (value: T) => boolean;
  /** As in `Content`. While it stays the same, a check stays valid until `holdsUntil`. */
  generation: () => number;
  /** As in `Content`. A run that began before it grew may lack a change, so new requests do not wait for it. */
  changeCount: () => number;
  /** Limits in bytes. Default: 64 MB, and 4 MB for endless values. */
  maxBytes?: number;
  maxEndlessBytes?: number;
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

export type Found<T> = { value: T; cacheStatus: CacheStatus };

interface CachedValue<T> {
  value: T;
  reads: Read[];
  /** Start of its run. If the clock is set back before it, the value is due. All times here are epoch milliseconds. */
  from: number;
  /** Expires then. */
  until: number;
  /** Number of its run: an earlier run that ends later does not replace it. */
  run: number;
  /** The last check, its generation, and the times between which it holds. */
  standing: Standing;
  generation: number;
  checkedAt: number;
  holdsUntil: number;
}

interface Run<T, U> {
  changeCount: number;
  number: number;
  made: Promise<Made<T, U>>;
}

/** Content that has aged is fetched again. The cache checks for the result at this interval, in milliseconds. */
const AGED_MS = 250;

const worse = (a: Standing, b: Standing) => (STANDINGS.indexOf(a) > STANDINGS.indexOf(b) ? a : b);

/** Estimated bytes of an entry besides its value: about 300 for each of eight reads, and the rest. */
const OVERHEAD = 3_000;

/**
 * Caches values made from content until that content changes. The cache records the reads of each run, so no code maps
 * content to keys. After a change, the first request makes the new value. The others get the stale one meanwhile, but
 * wait for the new one if WordPress notified this server of the change.
 */
export class ReadyPages<T, U> {
  #options: Required<ReadyPagesOptions<T, U>>;
  #pages: LRUCache<string, CachedValue<T>>;
  /** Separate, so that a flood of invented keys evicts no page. */
  #endless: LRUCache<string, CachedValue<T>>;
  #running = new Map<string, Run<T, U>>();
  #runs = 0;
  #count: Record<CacheStatus, number> = { hit: 0, stale: 0, miss: 0, collapsed: 0 };

  constructor(options: ReadyPagesOptions<T, U>) {
    this.#options = {
      maxBytes: 64_000_000,
      maxEndlessBytes: 4_000_000,
      ...options,
    };
    this.#pages = new LRUCache({ maxSize: this.#options.maxBytes });
    this.#endless = new LRUCache({ maxSize: this.#options.maxEndlessBytes });
  }

  /** @returns A value that may be sent now; `null` if it has to be made first. */
  find(key: string): Found<T> | null {
    const kept = this.#pages.get(key) ?? this.#endless.get(key);
    if (!kept) return null;
    const standing = this.#standingOf(kept);
    if (standing === 'due' || (standing === 'changed' && !this.#underWay(key))) return null;
    return { value: kept.value, cacheStatus: standing === 'same' ? 'hit' : 'stale' };
  }

  /** @returns The cached or a new value; concurrent calls share one run. @throws Errors of `make`. */
  async get(key: string): Promise<Found<T> | { value: null; passing: U | null; cacheStatus: CacheStatus }> {
    const found = this.find(key);
    if (found) {
      this.count(found.cacheStatus);
      return found;
    }
    const underWay = this.#underWay(key);
    const cacheStatus = underWay ? 'collapsed' : 'miss';
    this.count(cacheStatus);
    const { kept, passing } = await (underWay ?? this.#start(key)).made;
    return kept === null ? { value: null, passing, cacheStatus } : { value: kept, cacheStatus };
  }

  /** Counts a response. `get` does so itself; after `find` call it only if the value is sent. */
  count(cacheStatus: CacheStatus): void {
    this.#count[cacheStatus] += 1;
  }

  /** Call this when the size of a value has changed. */
  weigh(key: string, value: T): void {
    for (const cache of [this.#pages, this.#endless]) {
      const kept = cache.peek(key);
      if (kept?.value === value) this.#put(cache, key, kept);
    }
  }

  /** Whether the key still has this value. */
  holds(key: string, value: T): boolean {
    return (this.#pages.peek(key) ?? this.#endless.peek(key))?.value === value;
  }

  /** @returns Number and bytes of the cached values, and a count for each cache status. */
  figures() {
    const of = ({ size, calculatedSize }: LRUCache<string, CachedValue<T>>) => ({ count: size, bytes: calculatedSize });
    return { pages: of(this.#pages), endless: of(this.#endless), byStatus: { ...this.#count } };
  }

  #underWay(key: string): Run<T, U> | null {
    const run = this.#running.get(key);
    return run && run.changeCount === this.#options.changeCount() ? run : null;
  }

  #standingOf(kept: CachedValue<T>): Standing {
    const now = Date.now();
    const generation = this.#options.generation();
    if (kept.generation === generation && now >= kept.checkedAt && now < kept.holdsUntil) return kept.standing;
    let standing: Standing = now < kept.from || now >= kept.until ? 'due' : 'same';
    let holdsUntil = kept.until;
    for (const read of kept.reads) {
      const checked = read.check();
      standing = worse(standing, checked.standing);
      if (checked.standing === 'aged') read.renew();
      else holdsUntil = Math.min(holdsUntil, checked.until);
    }
    if (standing === 'aged') holdsUntil = Math.min(kept.until, now + AGED_MS);
    Object.assign(kept, { standing, generation, checkedAt: now, holdsUntil });
    return standing;
  }

  #start(key: string): Run<T, U> {
    this.#runs += 1;
    const number = this.#runs;
    const run: Run<T, U> = { changeCount: this.#options.changeCount(), number, made: this.#made(key, number) };
    this.#running.set(key, run);
    const end = () => void (this.#running.get(key) === run && this.#running.delete(key));
    run.made.then(end, end);
    return run;
  }

  async #made(key: string, run: number): Promise<Made<T, U>> {
    const from = Date.now();
    const last = this.#pages.peek(key) ?? this.#endless.peek(key) ?? null;
    try {
      const { value: made, reads, until } = await recordReads(() => this.#options.make(key, last?.value ?? null));
      const unchecked = { standing: 'due' as const, generation: -1, checkedAt: 0, holdsUntil: 0 };
      this.#replace(key, made.kept === null ? null : { value: made.kept, reads, from, until, run, ...unchecked }, run);
      return made;
    } catch (error) {
      this.#replace(key, null, run);
      throw error;
    }
  }

  #replace(key: string, kept: CachedValue<T> | null, run: number): void {
    const last = this.#pages.peek(key) ?? this.#endless.peek(key);
    if (last && last.run > run) return;
    this.#pages.delete(key);
    this.#endless.delete(key);
    if (kept) this.#put(this.#options.isEndless(kept.value) ? this.#endless : this.#pages, key, kept);
  }

  #put(cache: LRUCache<string, CachedValue<T>>, key: string, kept: CachedValue<T>): void {
    // `set` with the same value does not update its size.
    cache.delete(key);
    cache.set(key, kept, { size: key.length * 2 + OVERHEAD + this.#options.bytesOf(kept.value) });
  }
}
