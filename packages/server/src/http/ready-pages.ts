import { type Read, recordReads } from '@pillion/content/cache/reads.ts';
import { STANDINGS, type Standing } from '@pillion/content/cache/stale-store.ts';
import { LRUCache } from 'lru-cache';

/** What was made for one key. */
export interface Made<T, U> {
  /** What may be kept; `null` where it is good for those alone who wait for it now. */
  kept: T | null;
  /** What those get where nothing may be kept. */
  passing: U | null;
}

export interface ReadyPagesOptions<T, U> {
  /** Makes what stands under a key. It knows nothing of who asks, and what it reads is noted (`recordReads`). */
  make: (key: string, last: T | null) => Promise<Made<T, U>>;
  /** Bytes that it takes in memory. May change: see `weigh`. */
  bytesOf: (value: T) => number;
  /** Whether it belongs to what anybody can make up without end, such as paths that lead nowhere. */
  isEndless: (value: T) => boolean;
  /** As in `Content`: nothing has to be judged again while it stays. */
  generation: () => number;
  /** As in `Content`: nobody waits for what began to be made before it grew. */
  told: () => number;
  /** Most bytes of all that is kept. Default: 64 MB, and 4 MB of what is endless. */
  maxBytes?: number;
  maxEndlessBytes?: number;
}

/** How somebody came by what she got. */
export type Way =
  /** Kept, and what making it again would give. */
  | 'hit'
  /** Kept, while what it was made of is fetched or made again. */
  | 'stale'
  /** Made for her. */
  | 'miss'
  /** Made for somebody who asked before her. */
  | 'collapsed';

export type Found<T> = { value: T; way: Way };

interface Kept<T> {
  value: T;
  reads: Read[];
  /** When it began to be made: with a clock before that nothing is known. In epoch milliseconds, like the next two. */
  from: number;
  /** It would be another from then on. */
  until: number;
  /** Which making it came of: an earlier one that ends later replaces nothing. */
  run: number;
  /** What was judged last, at which generation, and between which times it holds. */
  standing: Standing;
  generation: number;
  judgedAt: number;
  holdsUntil: number;
}

interface Run<T, U> {
  told: number;
  number: number;
  made: Promise<Made<T, U>>;
}

/** What has aged is fetched again; how often it is looked for what came of it, in milliseconds. */
const AGED_MS = 250;

const worse = (a: Standing, b: Standing) => (STANDINGS.indexOf(a) > STANDINGS.indexOf(b) ? a : b);

/** What a key and its notes take beside the bytes, roughly: 300 for each of some eight reads. */
const OVERHEAD = 3_000;

/**
 * Keeps what was made of content, as long as making it again would give the same. What it was made of is noted while it is
 * made; nothing is mapped by hand. Where it has changed, the first who asks has a new one made, and all others get the kept one
 * meanwhile; after a change that was told of, they wait for the new one instead.
 */
export class ReadyPages<T, U> {
  #options: Required<ReadyPagesOptions<T, U>>;
  #pages: LRUCache<string, Kept<T>>;
  /** Their own, so that a flood of them drives out no page. */
  #endless: LRUCache<string, Kept<T>>;
  #running = new Map<string, Run<T, U>>();
  #runs = 0;
  #count: Record<Way, number> = { hit: 0, stale: 0, miss: 0, collapsed: 0 };

  constructor(options: ReadyPagesOptions<T, U>) {
    this.#options = {
      maxBytes: 64_000_000,
      maxEndlessBytes: 4_000_000,
      ...options,
    };
    this.#pages = new LRUCache({ maxSize: this.#options.maxBytes });
    this.#endless = new LRUCache({ maxSize: this.#options.maxEndlessBytes });
  }

  /** @returns What may be sent at once; `null` where it has to be made first. */
  find(key: string): Found<T> | null {
    const kept = this.#pages.get(key) ?? this.#endless.get(key);
    if (!kept) return null;
    const standing = this.#standingOf(kept);
    if (standing === 'due' || (standing === 'changed' && !this.#underWay(key))) return null;
    return { value: kept.value, way: standing === 'same' ? 'hit' : 'stale' };
  }

  /** @returns What is kept, or is made now, once for all who ask meanwhile. @throws What `make` throws. */
  async get(key: string): Promise<Found<T> | { value: null; passing: U | null; way: Way }> {
    const found = this.find(key);
    if (found) {
      this.count(found.way);
      return found;
    }
    const underWay = this.#underWay(key);
    const way = underWay ? 'collapsed' : 'miss';
    this.count(way);
    const { kept, passing } = await (underWay ?? this.#start(key)).made;
    return kept === null ? { value: null, passing, way } : { value: kept, way };
  }

  /** Counts an answer. `get` does so itself; what `find` gave may not be sent. */
  count(way: Way): void {
    this.#count[way] += 1;
  }

  /** To be called where the bytes of a value have changed. */
  weigh(key: string, value: T): void {
    for (const cache of [this.#pages, this.#endless]) {
      const kept = cache.peek(key);
      if (kept?.value === value) this.#put(cache, key, kept);
    }
  }

  /** Whether what stands under the key is this very value. */
  holds(key: string, value: T): boolean {
    return (this.#pages.peek(key) ?? this.#endless.peek(key))?.value === value;
  }

  /** @returns How many are kept, of how many bytes, and how often each way was taken. */
  figures() {
    const of = ({ size, calculatedSize }: LRUCache<string, Kept<T>>) => ({ count: size, bytes: calculatedSize });
    return { pages: of(this.#pages), endless: of(this.#endless), ways: { ...this.#count } };
  }

  #underWay(key: string): Run<T, U> | null {
    const run = this.#running.get(key);
    return run && run.told === this.#options.told() ? run : null;
  }

  #standingOf(kept: Kept<T>): Standing {
    const now = Date.now();
    const generation = this.#options.generation();
    if (kept.generation === generation && now >= kept.judgedAt && now < kept.holdsUntil) return kept.standing;
    let standing: Standing = now < kept.from || now >= kept.until ? 'due' : 'same';
    let holdsUntil = kept.until;
    for (const read of kept.reads) {
      const judged = read.judge();
      standing = worse(standing, judged.standing);
      if (judged.standing === 'aged') read.renew();
      else holdsUntil = Math.min(holdsUntil, judged.until);
    }
    if (standing === 'aged') holdsUntil = Math.min(kept.until, now + AGED_MS);
    Object.assign(kept, { standing, generation, judgedAt: now, holdsUntil });
    return standing;
  }

  #start(key: string): Run<T, U> {
    this.#runs += 1;
    const number = this.#runs;
    const run: Run<T, U> = { told: this.#options.told(), number, made: this.#made(key, number) };
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
      const noJudgement = { standing: 'due' as const, generation: -1, judgedAt: 0, holdsUntil: 0 };
      this.#replace(
        key,
        made.kept === null ? null : { value: made.kept, reads, from, until, run, ...noJudgement },
        run,
      );
      return made;
    } catch (error) {
      this.#replace(key, null, run);
      throw error;
    }
  }

  #replace(key: string, kept: Kept<T> | null, run: number): void {
    const last = this.#pages.peek(key) ?? this.#endless.peek(key);
    if (last && last.run > run) return;
    this.#pages.delete(key);
    this.#endless.delete(key);
    if (kept) this.#put(this.#options.isEndless(kept.value) ? this.#endless : this.#pages, key, kept);
  }

  #put(cache: LRUCache<string, Kept<T>>, key: string, kept: Kept<T>): void {
    // Setting the same value again would not weigh it again.
    cache.delete(key);
    cache.set(key, kept, { size: key.length * 2 + OVERHEAD + this.#options.bytesOf(kept.value) });
  }
}
