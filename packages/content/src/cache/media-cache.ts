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
const CONCURRENCY = 6;

/**
 * Files that content refers to are fetched first. Visitors can invent any other name: these get two fetches at a time
 * and a short queue, and `QueueFull` is thrown if it is full.
 */
const RANKS: readonly Rank[] = [
  { concurrency: CONCURRENCY, queueSize: 1000 },
  { concurrency: 2, queueSize: 16 },
];

/** Largest number of remembered names that WordPress does not have. */
const MAX_ABSENT = 10_000;

/** Time in which a missing name is not requested again. */
const ABSENT_TTL_MS = 60_000;

/** Pause after WordPress was unreachable. */
const UNREACHABLE_PAUSE_MS = 5000;

/** Milliseconds between updates of a file's access time, from which a start reads the order of use. */
const ACCESS_TIME_INTERVAL_MS = 60_000;

/** The caller that needs a file. */
export interface Requester {
  /** Whether content refers to the file. Any client can invent another name. */
  isKnown: boolean;
  /** Aborted when the client has disconnected. */
  signal?: AbortSignal | undefined;
}

/** The server itself, when it checks whether a file has changed. */
const SITE: Requester = { isKnown: true };

/** One fetch for all concurrent callers. */
interface Fetching {
  promise: Promise<boolean>;
  /** Number of waiting callers. When the last one leaves, the fetch is removed from the queue. */
  waiting: number;
  abandoned: AbortController;
}

/** File in the same folder: when each file was last checked, and which files were deleted in WordPress. */
const INDEX_FILE = '.checked.json';

/** Shortest time between two writes of the index, in milliseconds. Files missing in it are checked again. */
const INDEX_INTERVAL_MS = 10_000;

/** Largest number of remembered deleted files, so that no bundled copy replaces them. */
const MAX_DELETED = 10_000;

const indexSchema = z.object({ checked: z.record(z.string(), z.number()), gone: z.array(z.string()) });

/** Stores media files of WordPress on disk, up to a size limit, and serves them even if WordPress is down. */
export class MediaCache {
  #options: Required<MediaCacheOptions>;
  /** Ordered by use, the most recent last. */
  #files = new Map<string, StoredFile>();
  #bytes = 0;
  #scanned: Promise<void> | null = null;
  #fetches = new Map<string, Fetching>();
  /** Names whose last request failed. They are not requested again before `ABSENT_TTL_MS`. */
  #skipped = new LRUCache<string, true>({ max: MAX_ABSENT, ttl: ABSENT_TTL_MS });
  #limit = createLimit(CONCURRENCY, RANKS);
  /** No file is fetched before it, since WordPress was unreachable. As `performance.now()`. */
  #retryAt = 0;
  /** Neither in WordPress nor stored. Visitors choose these names, so they are remembered only for a short time. */
  #notFound = new LRUCache<string, true>({ max: 1000, ttl: ABSENT_TTL_MS });
  /** Were stored, and were deleted in WordPress since. */
  #deleted = new LRUCache<string, true>({ max: MAX_DELETED });
  /** Stored, but missing in WordPress at the last check. If they are missing again, they are deleted. */
  #suspects = new Set<string>();
  #indexTimer: NodeJS.Timeout | null = null;

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
  async open(name: string, requester: Requester = SITE): Promise<FileHandle | null> {
    await this.#scanOnce();
    const file = this.#files.get(name);
    if (file && this.#isDue(file)) this.#fetch(name).catch(() => {});
    const handle = file ? await this.#openFile(name, file) : null;
    if (handle) return handle;
    return (await this.#fetch(name, requester)) ? open(join(this.#options.directory, name)).catch(() => null) : null;
  }

  /** Whether the file is missing in WordPress. Then no bundled copy may replace it. */
  isMissing(name: string): boolean {
    return this.#deleted.has(name) || this.#notFound.has(name);
  }

  /**
   * Checks a file and its sizes in WordPress now, and deletes or replaces the stored files as WordPress did.
   * @param name As returned by `mediaName`, of any of the sizes.
   * @returns Whether WordPress has responded for all stored files, and whether any of them has changed.
   */
  async revalidate(name: string): Promise<{ isAnswered: boolean; isChanged: boolean }> {
    await this.#scanOnce();
    const family = mediaFamily(name);
    const names = new Set([name, ...[...this.#files.keys()].filter((other) => mediaFamily(other) === family)]);
    for (const one of names) this.#skipped.delete(one);
    const results = await Promise.all([...names].map((one) => this.#revalidateFile(one)));
    return {
      isAnswered: !results.includes('unanswered'),
      isChanged: results.includes('changed'),
    };
  }

  /** @returns `unanswered` if WordPress has not said whether the stored file has changed. */
  async #revalidateFile(name: string): Promise<'same' | 'changed' | 'unanswered'> {
    // A running fetch may have begun before the change.
    await this.#fetches.get(name)?.promise.catch(() => false);
    const before = this.#files.get(name);
    this.#deleted.delete(name);
    this.#notFound.delete(name);
    if (!before) return 'same';
    this.#suspects.add(name);
    const startedAt = Date.now();
    await this.#fetch(name);
    const after = this.#files.get(name);
    if (!after) return 'changed';
    if (after.checked < startedAt) return 'unanswered';
    return after === before ? 'same' : 'changed';
  }

  /**
   * Makes files due that were checked before a change: the next request of each compares it with the original.
   * @param changedAt Epoch milliseconds.
   */
  async expireAll(changedAt: number): Promise<void> {
    await this.#scanOnce();
    // A running fetch may have begun before the change.
    await this.#waitForFetches();
    for (const file of this.#files.values()) if (file.checked <= changedAt) file.checked = 0;
    this.#scheduleIndexWrite();
  }

  /** Removes all files, including those whose download has begun. */
  async clear(): Promise<void> {
    await this.#scanOnce();
    await this.#removeAllFiles();
    await this.#waitForFetches();
    await this.#removeAllFiles();
  }

  async #removeAllFiles(): Promise<void> {
    for (const name of [...this.#files.keys()]) {
      this.#removeFile(name);
      await this.#deleteFromDisk(name);
    }
  }

  /** Waits until all writes are finished. */
  async close(): Promise<void> {
    await this.#waitForFetches();
    if (this.#indexTimer === null) return;
    clearTimeout(this.#indexTimer);
    await this.#writeIndex();
  }

  async #waitForFetches(): Promise<void> {
    await Promise.allSettled([...this.#fetches.values()].map(({ promise }) => promise));
  }

  /** Schedules a write of the index. Without later checks (`freshMs` is infinite) no index is needed. */
  #scheduleIndexWrite(): void {
    if (this.#indexTimer !== null || !Number.isFinite(this.#options.freshMs)) return;
    this.#indexTimer = setTimeout(() => void this.#writeIndex(), INDEX_INTERVAL_MS).unref();
  }

  async #writeIndex(): Promise<void> {
    this.#indexTimer = null;
    const checked = Object.fromEntries([...this.#files].map(([name, file]) => [name, file.checked]));
    try {
      const index = JSON.stringify({ checked, gone: [...this.#deleted.keys()] });
      await writeAtomically(join(this.#options.directory, INDEX_FILE), index);
    } catch (error) {
      this.#options.onError(INDEX_FILE, String(error));
    }
  }

  async #readIndex(): Promise<z.output<typeof indexSchema>> {
    try {
      return indexSchema.parse(JSON.parse(await readFile(join(this.#options.directory, INDEX_FILE), 'utf8')));
    } catch {
      return { checked: {}, gone: [] };
    }
  }

  /** Whether the original must be checked again. A last check in the future means that the clock was set back. */
  #isDue({ checked }: StoredFile): boolean {
    const age = Date.now() - checked;
    return age > this.#options.freshMs || age < 0;
  }

  async #openFile(name: string, file: StoredFile): Promise<FileHandle | null> {
    const handle = await open(join(this.#options.directory, name)).catch(() => null);
    if (!handle) {
      this.#removeFile(name); // another process has deleted it
      return null;
    }
    this.#files.delete(name);
    this.#files.set(name, file);
    if (Date.now() - file.used > ACCESS_TIME_INTERVAL_MS) {
      file.used = Date.now();
      const { mtime } = await handle.stat();
      await handle.utimes(new Date(), mtime).catch(() => {});
    }
    return handle;
  }

  #scanOnce(): Promise<void> {
    this.#scanned ??= this.#scan();
    return this.#scanned;
  }

  /** Finds the files of earlier processes, in order of use. */
  async #scan(): Promise<void> {
    const { directory } = this.#options;
    const names = await readdir(directory, { recursive: true }).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => ({ name, info: await stat(join(directory, name)).catch(() => null) })),
    );
    const index = await this.#readIndex();
    for (const name of index.gone) this.#deleted.set(name, true);
    for (const { name, info } of files.sort((a, b) => (a.info?.atimeMs ?? 0) - (b.info?.atimeMs ?? 0))) {
      if (!info?.isFile() || name === INDEX_FILE) continue;
      if (name.endsWith(UNFINISHED)) {
        // Another process may be writing it.
        if (Date.now() - info.atimeMs > ABANDONED_MS) await this.#deleteFromDisk(name);
      } else this.#addFile(name, info.size, { used: info.atimeMs, checked: index.checked[name] ?? 0 });
    }
    await this.#evict();
  }

  #addFile(name: string, size: number, { used, checked }: Omit<StoredFile, 'size'>): void {
    this.#removeFile(name);
    this.#files.set(name, { size, checked, used });
    this.#bytes += size;
  }

  #removeFile(name: string): void {
    this.#bytes -= this.#files.get(name)?.size ?? 0;
    this.#files.delete(name);
  }

  /** Deletes the least recently used files above the limit. */
  async #evict(): Promise<void> {
    for (const name of this.#files.keys()) {
      if (this.#bytes <= this.#options.maxBytes) return;
      this.#removeFile(name);
      await this.#deleteFromDisk(name);
    }
  }

  /** Deletes a file. If that fails, it only takes up space. */
  async #deleteFromDisk(name: string): Promise<void> {
    await rm(join(this.#options.directory, name), { force: true }).catch((error: unknown) =>
      this.#options.onError(name, String(error)),
    );
  }

  /** Fetches once for all concurrent callers. @returns Whether the file is on the disk now. */
  #fetch(name: string, requester: Requester = SITE): Promise<boolean> {
    const running = this.#fetches.get(name);
    if (!running && (this.#skipped.has(name) || this.isUnreachable())) return Promise.resolve(false);
    const fetching = running ?? this.#startFetch(name, requester);
    return this.#waitFor(fetching, requester.signal);
  }

  #startFetch(name: string, { isKnown }: Requester): Fetching {
    const abandoned = new AbortController();
    const promise = this.#limit
      // WordPress may have become unreachable while this fetch was in the queue.
      .run(async () => !this.isUnreachable() && this.#download(name), abandoned.signal, isKnown ? 0 : 1)
      .catch((error: unknown) => {
        if (error instanceof QueueFull) throw error;
        if (abandoned.signal.aborted) return false;
        this.#options.onError(name, String(error));
        // Otherwise each request would begin the download of a large file again.
        const file = this.#files.get(name);
        if (file) this.#checkInAMinute(file);
        else this.#skipped.set(name, true);
        return false;
      })
      .finally(() => this.#fetches.delete(name));
    const fetching = { promise, waiting: 0, abandoned };
    this.#fetches.set(name, fetching);
    return fetching;
  }

  /** Counts the caller as waiting until its client disconnects. */
  #waitFor(fetching: Fetching, signal?: AbortSignal): Promise<boolean> {
    fetching.waiting += 1;
    const leave = () => {
      fetching.waiting -= 1;
      if (fetching.waiting === 0) fetching.abandoned.abort();
    };
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    return fetching.promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** Whether WordPress was unreachable a moment ago, so that no file is fetched. */
  isUnreachable(): boolean {
    return this.#retryAt > performance.now();
  }

  /** @returns Whether the file is on the disk: it was downloaded, or has not changed in WordPress. */
  async #download(name: string): Promise<boolean> {
    const file = this.#files.get(name);
    const stored = file && (await stat(join(this.#options.directory, name)).catch(() => null));
    const conditions: Record<string, string> = stored ? { 'if-modified-since': stored.mtime.toUTCString() } : {};
    const response = await this.#options.fetchUpload(name, conditions);
    if (!response.ok) return this.#handleFailure(name, response.error);
    this.#suspects.delete(name);
    if (this.#deleted.delete(name) || file) this.#scheduleIndexWrite();
    if (response.data.status === 304) {
      if (file) file.checked = Date.now();
      response.data.cancel();
      return true;
    }
    const size = await this.#writeFile(name, response.data);
    if (!size.ok) return this.#handleFailure(name, size.error);
    this.#addFile(name, size.data, { used: Date.now(), checked: Date.now() });
    this.#scheduleIndexWrite();
    await this.#evict();
    return true;
  }

  /** Makes the file due after `ABSENT_TTL_MS`, since its check has failed. */
  #checkInAMinute(file: StoredFile): void {
    file.checked = Date.now() - this.#options.freshMs + ABSENT_TTL_MS;
  }

  /** Notes when the file may be requested again. @returns The result of `#download`. */
  async #handleFailure(name: string, { kind, message, status }: ContentError): Promise<false> {
    if (status === 404 || status === 410) await this.#handleNotFound(name);
    if (kind === 'network error' || kind === 'timeout') this.#retryAt = performance.now() + UNREACHABLE_PAUSE_MS;
    else if (!this.#files.has(name)) this.#skipped.set(name, true);
    const file = this.#files.get(name);
    if (file) this.#checkInAMinute(file);
    if (kind !== 'bad request' && kind !== 'cancelled') this.#options.onError(name, message);
    return false;
  }

  /**
   * Handles a file that WordPress does not have. A stored file is deleted only after a second check, at least a minute
   * later, since files may be missing for a moment while a server is moved. After an editor's change one check is
   * enough.
   */
  async #handleNotFound(name: string): Promise<void> {
    if (this.#files.has(name) && !this.#suspects.has(name)) {
      this.#suspects.add(name);
      return;
    }
    this.#suspects.delete(name);
    if (!this.#files.has(name)) {
      this.#notFound.set(name, true);
      return;
    }
    this.#deleted.set(name, true);
    this.#removeFile(name);
    await this.#deleteFromDisk(name);
    this.#scheduleIndexWrite();
  }

  /** Writes a download to the disk atomically. @returns Its size in bytes. */
  async #writeFile(name: string, download: Download): Promise<Result<number>> {
    const reason = rejectReason(name, download, this.#options.maxFileBytes);
    if (reason !== null) {
      download.cancel();
      return failure('bad response', `${name}: ${reason}`);
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
      // Without it a body that was not read occupies its connection until the timeout.
      download.cancel();
      if (!(error instanceof TooLarge)) throw error;
      return failure('bad response', `${name}: is larger than ${this.#options.maxFileBytes} bytes`);
    }
  }
}

class TooLarge extends Error {}

/** Accepted for every file: servers send them for types that they do not know, and for audio and PDF. */
const ACCEPTED_TYPES = ['', 'application/octet-stream', 'application/ogg', 'application/pdf'];

/** @returns Why a response cannot be the requested file; `null` if it can. */
function rejectReason(name: string, { headers }: Download, maxBytes: number): string | null {
  const type = headers['content-type']?.replace(/;.*/, '').trim().toLowerCase() ?? '';
  const [kind] = type.split('/');
  const [expectedKind] = mediaTypeOf(name)?.split('/') ?? [];
  const isExpected = kind === expectedKind && kind !== 'application' && type !== 'text/html';
  if (!isExpected && !ACCEPTED_TYPES.includes(type)) return `answers ${type}`;
  return Number(headers['content-length'] ?? 0) > maxBytes ? `is larger than ${maxBytes} bytes` : null;
}
