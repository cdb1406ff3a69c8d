import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Download } from './client.ts';
import { mediaTypeOf } from './media-types.ts';
import { failure, type Result, success } from './result.ts';
import { createTurns } from './turns.ts';

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
  /** Epoch milliseconds of the last look at the original. After a start: the start. */
  checked: number;
  /** Epoch milliseconds when the use was last written to the file's access time. */
  used: number;
}

/** Uploads fetched at once; the rest wait, so that a flood of names does not take every worker WordPress has. */
const PARALLEL_FETCHES = 6;

/** A name WordPress does not have is not asked for again for so long. */
const ABSENT_MS = 60_000;

/** WordPress is left alone for so long after it could not be reached. */
const REST_MS = 5000;

/** The order of use is written to disk once in so long per file, for the next start. */
const USE_NOTED_MS = 60_000;

const ASIDE = '.aside';

/** Media fetched from WordPress, kept on disk within a bound, so that they outlive it. */
export class MediaCache {
  #options: Required<MediaCacheOptions>;
  /** In order of use, the most recent last. */
  #kept = new Map<string, Kept>();
  #bytes = 0;
  #opened: Promise<void> | null = null;
  #fetching = new Map<string, Promise<boolean>>();
  #absent = new LRUCache<string, true>({ max: 1000, ttl: ABSENT_MS });
  #turns = createTurns(PARALLEL_FETCHES);
  #restUntil = 0;

  constructor(options: MediaCacheOptions) {
    this.#options = {
      maxBytes: 1_000_000_000,
      maxFileBytes: 25_000_000,
      freshMs: 86_400_000,
      onError: () => {},
      ...options,
    };
  }

  /** @param name As `mediaName` gives it. @returns The open file, for the caller to close; `null` where there is none. */
  async open(name: string): Promise<FileHandle | null> {
    this.#opened ??= this.#scan();
    await this.#opened;
    const kept = this.#kept.get(name);
    if (kept && Date.now() - kept.checked > this.#options.freshMs) this.#fetch(name).catch(() => {});
    const handle = kept ? await this.#openKept(name, kept) : null;
    if (handle) return handle;
    return (await this.#fetch(name)) ? open(join(this.#options.directory, name)).catch(() => null) : null;
  }

  /** Waits until nothing is being written. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#fetching.values());
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
    for (const { name, info } of files.sort((a, b) => (a.info?.atimeMs ?? 0) - (b.info?.atimeMs ?? 0))) {
      if (!info?.isFile()) continue;
      if (name.endsWith(ASIDE)) await this.#discard(name);
      else this.#remember(name, info.size, info.atimeMs);
    }
    await this.#makeRoom();
  }

  #remember(name: string, size: number, used = Date.now()): void {
    this.#forget(name);
    this.#kept.set(name, { size, checked: Date.now(), used });
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

  /** A file that cannot be removed costs room, and no visitor her picture. */
  async #discard(name: string): Promise<void> {
    await rm(join(this.#options.directory, name), { force: true }).catch((error: unknown) =>
      this.#options.onError(name, String(error)),
    );
  }

  /** Fetches, once for however many ask. @returns Whether the file lies on disk now. */
  #fetch(name: string): Promise<boolean> {
    const known = this.#fetching.get(name);
    if (known) return known;
    if (this.#absent.has(name) || this.#isResting()) return Promise.resolve(false);
    const fetching = this.#turns
      // WordPress may have gone down while this one waited its turn.
      .take(async () => !this.#isResting() && this.#take(name))
      .catch((error: unknown) => {
        this.#options.onError(name, String(error));
        return false;
      })
      .finally(() => this.#fetching.delete(name));
    this.#fetching.set(name, fetching);
    return fetching;
  }

  #isResting(): boolean {
    return this.#restUntil > Date.now();
  }

  async #take(name: string): Promise<boolean> {
    const kept = this.#kept.get(name);
    const known = kept && (await stat(join(this.#options.directory, name)).catch(() => null));
    const since: Record<string, string> = known ? { 'if-modified-since': known.mtime.toUTCString() } : {};
    const answer = await this.#options.fetchUpload(name, since);
    if (!answer.ok) return this.#missed(name, answer.error.kind, answer.error.message);
    if (kept) kept.checked = Date.now();
    if (answer.data.status === 304) {
      answer.data.cancel();
      return true;
    }
    const size = await this.#store(name, answer.data);
    if (!size.ok) return this.#missed(name, size.error.kind, size.error.message);
    this.#remember(name, size.data);
    await this.#makeRoom();
    return true;
  }

  #missed(name: string, kind: string, message: string): false {
    if (kind === 'network error' || kind === 'timeout') this.#restUntil = Date.now() + REST_MS;
    else this.#absent.set(name, true);
    const kept = this.#kept.get(name);
    if (kept) kept.checked = Date.now() - this.#options.freshMs + ABSENT_MS; // looked at again before long
    if (kind !== 'bad request' && kind !== 'cancelled') this.#options.onError(name, message);
    return false;
  }

  /** Writes an answer aside, fsyncs and renames it: what lies under its name is whole. @returns Its size. */
  async #store(name: string, download: Download): Promise<Result<number>> {
    const refused = unfit(name, download, this.#options.maxFileBytes);
    if (refused !== null) {
      download.cancel();
      return failure('bad response', `${name}: ${refused}`);
    }
    const path = join(this.#options.directory, name);
    const aside = `${path}.${randomUUID()}${ASIDE}`;
    await mkdir(dirname(path), { recursive: true });
    try {
      const size = await this.#write(aside, download);
      if (size === null) return failure('bad response', `${name}: is larger than ${this.#options.maxFileBytes} bytes`);
      // WordPress' own time makes the same validators on every instance.
      const modified = new Date(download.headers['last-modified'] ?? Date.now());
      await utimes(aside, new Date(), Number.isNaN(modified.getTime()) ? new Date() : modified);
      await rename(aside, path);
      return success(size);
    } finally {
      await rm(aside, { force: true });
    }
  }

  async #write(path: string, { body }: Download): Promise<number | null> {
    const file = await open(path, 'wx');
    let size = 0;
    try {
      for await (const chunk of body) {
        size += chunk.byteLength;
        if (size > this.#options.maxFileBytes) return null;
        await file.writeFile(chunk);
      }
      await file.sync();
      return size;
    } finally {
      await file.close();
    }
  }
}

/** Why an answer is not the file it was asked for, `null` where it may be. A server unsure of a type says octets. */
function unfit(name: string, { headers }: Download, maxBytes: number): string | null {
  const type = headers['content-type']?.replace(/;.*/, '').trim().toLowerCase() ?? '';
  const kindOf = (text: string) => text.replace(/\/.*/, '');
  const isKind = kindOf(type) === kindOf(mediaTypeOf(name) ?? '') && kindOf(type) !== 'application';
  const isAllowed = isKind || ['', 'application/octet-stream', 'application/ogg', 'application/pdf'].includes(type);
  if (!isAllowed) return `answers ${type}`;
  return Number(headers['content-length'] ?? 0) > maxBytes ? `is larger than ${maxBytes} bytes` : null;
}
