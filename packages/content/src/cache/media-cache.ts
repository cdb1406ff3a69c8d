import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ABANDONED_MS, UNFINISHED, writeAtomically } from '@pillion/lib/atomic-file.ts';
import { createLimit, QueueFull, type Rank } from '@pillion/lib/limit.ts';
import { mediaFamily, mediaTypeOf } from '@pillion/lib/media-types.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Download } from '../wordpress/client.ts';
import { type ContentError, failure, type Result, success } from '../wordpress/result.ts';

/** Requests one upload from WordPress. */
export type FetchUpload = (name: string, headers: Record<string, string>) => Promise<Result<Download>>;

export interface MediaCacheOptions {
  /** Mirrors WordPress' uploads. Created on the first write. */
  directory: string;
  fetchUpload: FetchUpload;
  /** Largest size of all files, in bytes; the least recently used are deleted first. Default: 1 GB. */
  maxBytes?: number;
  /** Larger files are neither stored nor served. Default: 250 MB. */
  maxFileBytes?: number;
  /** An older file is requested again in the background, since an editor may have replaced it. Default: 1 day. */
  freshMs?: number;
  onError?: (name: string, message: string) => void;
}

interface StoredFile {
  size: number;
  /** Time of the last check of the original, in epoch milliseconds; 0: never. Restored after a restart. */
  checked: number;
  /** When the file's access time was last set, in epoch milliseconds. */
  used: number;
}

/** Largest number of concurrent fetches, so that many requests for files leave WordPress some workers. */
const PARALLEL_FETCHES = 6;

/**
 * Files that content refers to are fetched first. Visitors can invent any other name: these get two fetches at a time
 * and a short queue, and `QueueFull` is thrown if it is full.
 */
const RANKS: readonly Rank[] = [
  { concurrency: PARALLEL_FETCHES, queueSize: 1000 },
  { concurrency: 2, queueSize: 16 },
];

/** Largest number of remembered names that WordPress does not have. */
const ABSENT_KEPT = 10_000;

/** Time in which a missing name is not requested again. */
const ABSENT_MS = 60_000;

/** Pause after WordPress was unreachable, in milliseconds of a monotonic clock. */
const REST_MS = 5000;

/** Milliseconds between updates of a file's access time, from which a start reads the order of use. */
const USE_NOTED_MS = 60_000;

/** The caller that needs a file. */
export interface Asker {
  /** Whether content refers to the file. Any client can invent another name. */
  isKnown: boolean;
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal | undefined;
}

/** The server itself, when it checks whether a file has changed. */
const SITE: Asker = { isKnown: true };

/** One fetch for all concurrent callers. */
interface Fetching {
  promise: Promise<boolean>;
  /** Number of waiting callers. When the last one leaves, the fetch is removed from the queue. */
  askers: number;
  given: AbortController;
}

/** File in the same folder: when each file was last checked, and which files were deleted in WordPress. */
const INDEX = '.checked.json';

/** Shortest time between two writes of the index, in milliseconds. Files missing in it are checked again. */
const INDEX_NOTED_MS = 10_000;

/** Largest number of remembered deleted files, so that no bundled copy replaces them. */
const MOST_GONE = 10_000;

const indexSchema = z.object({ checked: z.record(z.string(), z.number()), gone: z.array(z.string()) });

/** Stores media files of WordPress on disk, up to a size limit, and serves them even if WordPress is down. */
export class MediaCache {
  #options: Required<MediaCacheOptions>;
  /** Ordered by use, the most recent last. */
  #kept = new Map<string, StoredFile>();
  #bytes = 0;
  #opened: Promise<void> | null = null;
  #fetching = new Map<string, Fetching>();
  #absent = new LRUCache<string, true>({ max: ABSENT_KEPT, ttl: ABSENT_MS });
  #limit = createLimit(PARALLEL_FETCHES, RANKS);
  #restUntil = 0;
  /** Neither in WordPress nor stored. Visitors choose these names, so they are remembered only for a short time. */
  #missing = new LRUCache<string, true>({ max: 1000, ttl: ABSENT_MS });
  /** Were stored, and were deleted in WordPress since. */
  #gone = new LRUCache<string, true>({ max: MOST_GONE });
  /** Stored, but missing at the last check. If they are missing again, they are deleted. */
  #doubtful = new Set<string>();
  #indexing: NodeJS.Timeout | null = null;

  constructor(options: MediaCacheOptions) {
    this.#options = {
      maxBytes: 1_000_000_000,
      maxFileBytes: 250_000_000,
      freshMs: 86_400_000,
      onError: () => {},
      ...options,
    };
  }

  /**
   * @param name As returned by `mediaName`.
   * @returns The open file, which the caller must close; `null` if it does not exist.
   * @throws `QueueFull` if too many files that no content refers to are waiting.
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

  /** Whether the file is missing in WordPress. Then no bundled copy may replace it. */
  isGone(name: string): boolean {
    return this.#gone.has(name) || this.#missing.has(name);
  }

  /**
   * Checks the originals of a file and its sizes now: deletes a deleted one, fetches a replaced one.
   * @param name As returned by `mediaName`, of any of the sizes.
   * @returns Whether WordPress has responded for all stored files, and whether any of them has changed.
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
    // A running fetch may have begun before the change.
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

  /** Waits until all writes are finished. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#fetching.values()].map(({ promise }) => promise));
    if (this.#indexing === null) return;
    clearTimeout(this.#indexing);
    await this.#writeIndex();
  }

  /** Schedules a write of the index. Without later checks (`freshMs` is infinite) no index is needed. */
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

  /** Whether the original must be checked again. A last check in the future means that the clock was set back. */
  #isDue({ checked }: StoredFile): boolean {
    const age = Date.now() - checked;
    return age > this.#options.freshMs || age < 0;
  }

  async #openKept(name: string, kept: StoredFile): Promise<FileHandle | null> {
    const handle = await open(join(this.#options.directory, name)).catch(() => null);
    if (!handle) {
      this.#forget(name); // another process has deleted it
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

  /** Reads the files of earlier processes in order of use. */
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
      if (name.endsWith(UNFINISHED)) {
        // Another process may be writing it.
        if (Date.now() - info.atimeMs > ABANDONED_MS) await this.#discard(name);
      } else this.#remember(name, info.size, { used: info.atimeMs, checked: index.checked[name] ?? 0 });
    }
    await this.#makeRoom();
  }

  #remember(name: string, size: number, { used, checked }: Omit<StoredFile, 'size'>): void {
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

  /** Deletes a file. If that fails, it only takes up space. */
  async #discard(name: string): Promise<void> {
    await rm(join(this.#options.directory, name), { force: true }).catch((error: unknown) =>
      this.#options.onError(name, String(error)),
    );
  }

  /** Fetches once for all concurrent callers. @returns Whether the file is on the disk now. */
  #fetch(name: string, asker: Asker = SITE): Promise<boolean> {
    const known = this.#fetching.get(name);
    if (!known && (this.#absent.has(name) || this.isResting())) return Promise.resolve(false);
    const fetching = known ?? this.#begin(name, asker);
    return this.#await(fetching, asker.signal);
  }

  #begin(name: string, { isKnown }: Asker): Fetching {
    const given = new AbortController();
    const promise = this.#limit
      // WordPress may have become unreachable while this fetch was in the queue.
      .run(async () => !this.isResting() && this.#take(name), given.signal, isKnown ? 0 : 1)
      .catch((error: unknown) => {
        if (error instanceof QueueFull) throw error;
        if (given.signal.aborted) return false;
        this.#options.onError(name, String(error));
        // Otherwise each request would begin the download of a large file again.
        if (!this.#kept.has(name)) this.#absent.set(name, true);
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

  /** Whether WordPress was unreachable a moment ago, so that no file is fetched. */
  isResting(): boolean {
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
    if (kept) kept.checked = Date.now() - this.#options.freshMs + ABSENT_MS; // checked again after ABSENT_MS
    if (kind !== 'bad request' && kind !== 'cancelled') this.#options.onError(name, message);
    return false;
  }

  /**
   * Handles a file that WordPress does not have. A stored file is deleted only after a second check, at least a minute
   * later, since files may be missing for a moment while a server is moved. After an editor's change one check is
   * enough.
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

  /** Writes a download to the disk atomically. @returns Its size in bytes. */
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
        // WordPress' time gives the same validators on every server.
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

class TooLarge extends Error {}

/** @returns Why a response cannot be the requested file; `null` if it can. */
function unfit(name: string, { headers }: Download, maxBytes: number): string | null {
  const type = headers['content-type']?.replace(/;.*/, '').trim().toLowerCase() ?? '';
  const kindOf = (text: string) => text.replace(/\/.*/, '');
  const isNoMedia = kindOf(type) === 'application' || type === 'text/html';
  const isKind = kindOf(type) === kindOf(mediaTypeOf(name) ?? '') && !isNoMedia;
  const isAllowed = isKind || ['', 'application/octet-stream', 'application/ogg', 'application/pdf'].includes(type);
  if (!isAllowed) return `answers ${type}`;
  return Number(headers['content-length'] ?? 0) > maxBytes ? `is larger than ${maxBytes} bytes` : null;
}
