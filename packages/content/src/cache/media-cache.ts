import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED, writeAtomically } from '@pillion/lib/atomic-file.ts';
import { createLimit, QueueFull, type Rank } from '@pillion/lib/limit.ts';
import { mediaFamily, mediaTypeOf } from '@pillion/lib/media-types.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Download } from '../wordpress/client.ts';
import { type ContentError, failure, type Result, success } from '../wordpress/result.ts';

/** Asks WordPress for one upload. */
export type FetchUpload = (name: string, headers: Record<string, string>) => Promise<Result<Download>>;

export interface MediaCacheOptions {
  /** Mirrors WordPress' uploads. Created when first written to. */
  directory: string;
  fetchUpload: FetchUpload;
  /** All files together, in bytes; the least recently asked for go first. Default: 1 GB. */
  maxBytes?: number;
  /** A larger file is not taken in. Default: 25 MB. */
  maxFileBytes?: number;
  /** A file older than this is asked for again in the background, as an editor may have replaced it. Default: 1 day. */
  freshMs?: number;
  onError?: (name: string, message: string) => void;
}

interface Kept {
  size: number;
  /** When the original was last looked at, in epoch milliseconds; 0: never. A restart keeps it. */
  checked: number;
  /** When the file's access time was last set, in epoch milliseconds. */
  used: number;
}

/** Uploads fetched at once. The others wait, so that a flood of names leaves WordPress some workers. */
const PARALLEL_FETCHES = 6;

/**
 * Files that content names go first. A visitor may have made up any other name: two of them at a time, a short queue, and
 * `QueueFull` at once beyond it.
 */
const RANKS: readonly Rank[] = [
  { concurrency: PARALLEL_FETCHES, queueSize: 1000 },
  { concurrency: 2, queueSize: 16 },
];

/** How many names that WordPress does not have are remembered. */
const ABSENT_KEPT = 10_000;

/** A name WordPress does not have is not asked for again for so long. */
const ABSENT_MS = 60_000;

/** Pause after WordPress could not be reached, in milliseconds of a clock that never jumps. */
const REST_MS = 5000;

/** How often a file's access time is set, in milliseconds: the next start reads the order of use from it. */
const USE_NOTED_MS = 60_000;

/** Who wants a file. */
export interface Asker {
  /** Whether the content names the file; anybody can make up another name. */
  isKnown: boolean;
  /** Aborted when whoever wants it has gone. */
  signal?: AbortSignal | undefined;
}

/** The site itself, which looks whether a file has changed. */
const SITE: Asker = { isKnown: true };

/** One fetch for all who ask meanwhile. */
interface Fetching {
  promise: Promise<boolean>;
  /** How many still want it. When the last one goes, the fetch leaves the queue. */
  askers: number;
  given: AbortController;
}

/** Lies beside the files: when each was last looked at, and which were deleted in WordPress. */
const INDEX = '.checked.json';

/** Shortest time between two writes of the index, in milliseconds. What a kill loses is looked at once more. */
const INDEX_NOTED_MS = 10_000;

/** How many deleted files are remembered, so that no bundled copy stands in for them. */
const MOST_GONE = 10_000;

const indexSchema = z.object({ checked: z.record(z.string(), z.number()), gone: z.array(z.string()) });

/** Media fetched from WordPress, kept on disk within a bound, so that they outlive it. */
export class MediaCache {
  #options: Required<MediaCacheOptions>;
  /** In order of use, the most recent last. */
  #kept = new Map<string, Kept>();
  #bytes = 0;
  #opened: Promise<void> | null = null;
  #fetching = new Map<string, Fetching>();
  #absent = new LRUCache<string, true>({ max: ABSENT_KEPT, ttl: ABSENT_MS });
  #limit = createLimit(PARALLEL_FETCHES, RANKS);
  #restUntil = 0;
  /** Neither in WordPress nor kept. Visitors choose these names, so they are remembered for a short time only. */
  #missing = new LRUCache<string, true>({ max: 1000, ttl: ABSENT_MS });
  /** Kept once, and deleted in WordPress since. */
  #gone = new LRUCache<string, true>({ max: MOST_GONE });
  /** Kept, but not found at the last look. Not found again, they are deleted. */
  #doubtful = new Set<string>();
  #indexing: NodeJS.Timeout | null = null;

  constructor(options: MediaCacheOptions) {
    this.#options = {
      maxBytes: 1_000_000_000,
      maxFileBytes: 25_000_000,
      freshMs: 86_400_000,
      onError: () => {},
      ...options,
    };
  }

  /**
   * @param name As `mediaName` gives it.
   * @returns The open file, for the caller to close; `null` where there is none.
   * @throws `QueueFull` where too many names wait that nothing on the site bears.
   */
  async open(name: string, asker: Asker = SITE): Promise<FileHandle | null> {
    this.#opened ??= this.#scan();
    await this.#opened;
    const kept = this.#kept.get(name);
    if (kept && this.#isDue(kept)) this.#fetch(name).catch(() => {});
    const handle = kept ? await this.#openKept(name, kept) : null;
    if (handle) return handle;
    return (await this.#fetch(name, asker)) ? open(join(this.#options.directory, name)).catch(() => null) : null;
  }

  /** Whether WordPress has said that the file was deleted. Then nothing may stand in for it. */
  isGone(name: string): boolean {
    return this.#gone.has(name) || this.#missing.has(name);
  }

  /**
   * Looks now at the originals of a file and its sizes: a deleted one is removed, a replaced one fetched.
   * @param name As `mediaName` gives it, of any of the sizes.
   * @returns Whether WordPress has answered for all that are kept, and whether any of them has changed.
   */
  async refresh(name: string): Promise<{ isAnswered: boolean; isChanged: boolean }> {
    this.#opened ??= this.#scan();
    await this.#opened;
    const family = mediaFamily(name);
    const names = new Set([name, ...[...this.#kept.keys()].filter((other) => mediaFamily(other) === family)]);
    for (const one of names) this.#absent.delete(one);
    const looks = await Promise.all([...names].map((one) => this.#lookNow(one)));
    return {
      isAnswered: !looks.includes('unanswered'),
      isChanged: looks.includes('changed'),
    };
  }

  async #lookNow(name: string): Promise<'same' | 'changed' | 'unanswered'> {
    // A fetch under way may have been begun before the change.
    await this.#fetching.get(name)?.promise.catch(() => false);
    const before = this.#kept.get(name);
    this.#gone.delete(name);
    this.#missing.delete(name);
    if (!before) return 'same';
    this.#doubtful.add(name);
    const begun = Date.now();
    await this.#fetch(name);
    const after = this.#kept.get(name);
    if (!after) return 'changed';
    if (after.checked < begun) return 'unanswered';
    return after === before ? 'same' : 'changed';
  }

  /** Removes all files. */
  async clear(): Promise<void> {
    await this.#opened;
    for (const name of [...this.#kept.keys()]) {
      this.#forget(name);
      await this.#discard(name);
    }
  }

  /** Waits until nothing is being written. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#fetching.values()].map(({ promise }) => promise));
    if (this.#indexing === null) return;
    clearTimeout(this.#indexing);
    await this.#writeIndex();
  }

  /** Plans a write of the index. Files that are never looked at again need none. */
  #noteIndex(): void {
    if (this.#indexing !== null || !Number.isFinite(this.#options.freshMs)) return;
    this.#indexing = setTimeout(() => void this.#writeIndex(), INDEX_NOTED_MS).unref();
  }

  async #writeIndex(): Promise<void> {
    this.#indexing = null;
    const checked = Object.fromEntries([...this.#kept].map(([name, kept]) => [name, kept.checked]));
    try {
      const index = JSON.stringify({ checked, gone: [...this.#gone.keys()] });
      await writeAtomically(join(this.#options.directory, INDEX), index);
    } catch (error) {
      this.#options.onError(INDEX, String(error));
    }
  }

  async #readIndex(): Promise<z.output<typeof indexSchema>> {
    try {
      return indexSchema.parse(JSON.parse(await readFile(join(this.#options.directory, INDEX), 'utf8')));
    } catch {
      return { checked: {}, gone: [] };
    }
  }

  /** Whether the original is to be looked at again. A last look in the future means that the clock was set back. */
  #isDue({ checked }: Kept): boolean {
    const age = Date.now() - checked;
    return age > this.#options.freshMs || age < 0;
  }

  async #openKept(name: string, kept: Kept): Promise<FileHandle | null> {
    const handle = await open(join(this.#options.directory, name)).catch(() => null);
    if (!handle) {
      this.#forget(name); // another process has made room
      return null;
    }
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    if (Date.now() - kept.used > USE_NOTED_MS) {
      kept.used = Date.now();
      const { mtime } = await handle.stat();
      await handle.utimes(new Date(), mtime).catch(() => {});
    }
    return handle;
  }

  /** Reads what an earlier process kept, in the order it was used. */
  async #scan(): Promise<void> {
    const { directory } = this.#options;
    const names = await readdir(directory, { recursive: true }).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => ({ name, info: await stat(join(directory, name)).catch(() => null) })),
    );
    const index = await this.#readIndex();
    for (const name of index.gone) this.#gone.set(name, true);
    for (const { name, info } of files.sort((a, b) => (a.info?.atimeMs ?? 0) - (b.info?.atimeMs ?? 0))) {
      if (!info?.isFile() || name === INDEX) continue;
      if (name.endsWith(UNFINISHED)) await this.#discard(name);
      else this.#remember(name, info.size, { used: info.atimeMs, checked: index.checked[name] ?? 0 });
    }
    await this.#makeRoom();
  }

  #remember(name: string, size: number, { used, checked }: Omit<Kept, 'size'>): void {
    this.#forget(name);
    this.#kept.set(name, { size, checked, used });
    this.#bytes += size;
  }

  #forget(name: string): void {
    this.#bytes -= this.#kept.get(name)?.size ?? 0;
    this.#kept.delete(name);
  }

  async #makeRoom(): Promise<void> {
    for (const name of this.#kept.keys()) {
      if (this.#bytes <= this.#options.maxBytes) return;
      this.#forget(name);
      await this.#discard(name);
    }
  }

  /** Removes a file. One that cannot be removed takes room and harms nothing. */
  async #discard(name: string): Promise<void> {
    await rm(join(this.#options.directory, name), { force: true }).catch((error: unknown) =>
      this.#options.onError(name, String(error)),
    );
  }

  /** Fetches, once for all who ask meanwhile. @returns Whether the file lies on the disk now. */
  #fetch(name: string, asker: Asker = SITE): Promise<boolean> {
    const known = this.#fetching.get(name);
    if (!known && (this.#absent.has(name) || this.#isResting())) return Promise.resolve(false);
    const fetching = known ?? this.#begin(name, asker);
    return this.#await(fetching, asker.signal);
  }

  #begin(name: string, { isKnown }: Asker): Fetching {
    const given = new AbortController();
    const promise = this.#limit
      // WordPress may have become unreachable while this fetch waited.
      .run(async () => !this.#isResting() && this.#take(name), given.signal, isKnown ? 0 : 1)
      .catch((error: unknown) => {
        if (error instanceof QueueFull) throw error;
        if (!given.signal.aborted) this.#options.onError(name, String(error));
        return false;
      })
      .finally(() => this.#fetching.delete(name));
    const fetching = { promise, askers: 0, given };
    this.#fetching.set(name, fetching);
    return fetching;
  }

  #await(fetching: Fetching, signal?: AbortSignal): Promise<boolean> {
    fetching.askers += 1;
    const leave = () => {
      fetching.askers -= 1;
      if (fetching.askers === 0) fetching.given.abort();
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    return fetching.promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #isResting(): boolean {
    return this.#restUntil > performance.now();
  }

  async #take(name: string): Promise<boolean> {
    const kept = this.#kept.get(name);
    const known = kept && (await stat(join(this.#options.directory, name)).catch(() => null));
    const since: Record<string, string> = known ? { 'if-modified-since': known.mtime.toUTCString() } : {};
    const answer = await this.#options.fetchUpload(name, since);
    if (!answer.ok) return this.#missed(name, answer.error);
    this.#doubtful.delete(name);
    if (this.#gone.delete(name) || kept) this.#noteIndex();
    if (kept) kept.checked = Date.now();
    if (answer.data.status === 304) {
      answer.data.cancel();
      return true;
    }
    const size = await this.#store(name, answer.data);
    if (!size.ok) return this.#missed(name, size.error);
    this.#remember(name, size.data, { used: Date.now(), checked: Date.now() });
    this.#noteIndex();
    await this.#makeRoom();
    return true;
  }

  async #missed(name: string, { kind, message, status }: ContentError): Promise<false> {
    if (status === 404 || status === 410) await this.#takeAway(name);
    if (kind === 'network error' || kind === 'timeout') this.#restUntil = performance.now() + REST_MS;
    else if (!this.#kept.has(name)) this.#absent.set(name, true);
    const kept = this.#kept.get(name);
    if (kept) kept.checked = Date.now() - this.#options.freshMs + ABSENT_MS; // looked at again before long
    if (kind !== 'bad request' && kind !== 'cancelled') this.#options.onError(name, message);
    return false;
  }

  /**
   * WordPress does not have the file. A kept one is removed when WordPress says so a second time, a minute later at the
   * earliest: while a server is moved its files may be missing for a moment. After an editor's change once is enough.
   */
  async #takeAway(name: string): Promise<void> {
    if (this.#kept.has(name) && !this.#doubtful.has(name)) {
      this.#doubtful.add(name);
      return;
    }
    this.#doubtful.delete(name);
    if (!this.#kept.has(name)) {
      this.#missing.set(name, true);
      return;
    }
    this.#gone.set(name, true);
    this.#forget(name);
    await this.#discard(name);
    this.#noteIndex();
  }

  /** Writes a download to the disk; what lies under its name is whole. @returns Its size in bytes. */
  async #store(name: string, download: Download): Promise<Result<number>> {
    const refused = unfit(name, download, this.#options.maxFileBytes);
    if (refused !== null) {
      download.cancel();
      return failure('bad response', `${name}: ${refused}`);
    }
    let size = 0;
    try {
      await writeAtomically(join(this.#options.directory, name), async (file) => {
        for await (const chunk of download.body) {
          size += chunk.byteLength;
          if (size > this.#options.maxFileBytes) throw new TooLarge();
          await file.writeFile(chunk);
        }
        // WordPress' own time makes the same validators on every instance.
        const modified = new Date(download.headers['last-modified'] ?? Date.now());
        await file.utimes(new Date(), Number.isNaN(modified.getTime()) ? new Date() : modified);
      });
      return success(size);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      return failure('bad response', `${name}: is larger than ${this.#options.maxFileBytes} bytes`);
    }
  }
}

/** A download has passed the limit of one file. */
class TooLarge extends Error {}

/** @returns Why a response cannot be the file that was asked for; `null` where it can. */
function unfit(name: string, { headers }: Download, maxBytes: number): string | null {
  const type = headers['content-type']?.replace(/;.*/, '').trim().toLowerCase() ?? '';
  const kindOf = (text: string) => text.replace(/\/.*/, '');
  const isKind = kindOf(type) === kindOf(mediaTypeOf(name) ?? '') && kindOf(type) !== 'application';
  const isAllowed = isKind || ['', 'application/octet-stream', 'application/ogg', 'application/pdf'].includes(type);
  if (!isAllowed) return `answers ${type}`;
  return Number(headers['content-length'] ?? 0) > maxBytes ? `is larger than ${maxBytes} bytes` : null;
}
