import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteRange, readByteRange } from '@pillion/lib/byte-range.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { askingNow, createFairLine, loopTurns } from '@pillion/lib/fairness.ts';
import { QueueFull } from '@pillion/lib/limit.ts';
import { mediaName, mediaTypeOf } from '@pillion/lib/media-types.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import type { CallOptions, Download } from '../wordpress/client.ts';
import type { Result, Warn } from '../wordpress/result.ts';
import { MEDIA_PREFIX } from '../wordpress/rewrite.ts';
import { MediaCache } from './media-cache.ts';

export interface MediaOptions {
  /** `null` where the bundled files are another site's. */
  bundleDirectory: string | null;
  cacheDirectory: string;
  /** Asks WordPress for one of its uploads; `null` with bundled content. */
  upload: ((name: string, options: CallOptions) => Promise<Result<Download>>) | null;
  /** Whether content that the site has read names the file. Any other name may be made up. */
  isKnown?: (name: string) => boolean;
  warn: Warn;
}

/** From asking WordPress for a file to its last byte. */
const FETCH_TIMEOUT_MS = 20_000;

/** A visitor waits this long, in milliseconds, for a file that the bundle could show her instead. */
const PATIENCE_MS = 1500;

/** Sent where too many ask for files that no content names. Who means a real one can ask again. */
const BUSY = { 'retry-after': '5', ...CACHE.never };

/** Bytes read of a file at a time. A visitor who reads nothing keeps no more than this in memory. */
const CHUNK = 32_768;

/**
 * Pieces that are read and sent at once, and of one network. Each costs some 40 µs to send: 300 that came back from the
 * disk together kept everybody else waiting for 9 ms.
 */
const PIECES_AT_ONCE = 4;
const PIECES_OF_ONE = 2;
const pieces = createFairLine(PIECES_AT_ONCE, PIECES_OF_ONE);

/** A file as it is asked for, piece by piece: nothing is read ahead of a slow reader. */
export function streamOf(
  handle: Pick<FileHandle, 'read' | 'close'>,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array> {
  const network = askingNow();
  let at = start;
  /** @returns The next piece; the file is closed behind the last one, and where it cannot be read. */
  async function next(): Promise<{ piece: Uint8Array; isLast: boolean }> {
    try {
      const size = Math.min(CHUNK, end - at + 1);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(size), 0, size, at);
      if (bytesRead === 0) throw new Error('the file is shorter than it was');
      at += bytesRead;
      if (at > end) await handle.close();
      return { piece: buffer.subarray(0, bytesRead), isLast: at > end };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  return new ReadableStream(
    {
      async pull(controller) {
        await pieces(
          async () => {
            await loopTurns.take(network);
            const { piece, isLast } = await next();
            controller.enqueue(piece);
            if (isLast) controller.close();
          },
          { network },
        );
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Pictures and sound under the site's own address: the page's policy can stay `'self'`, and they outlive WordPress.
 * From WordPress through a cache on disk, else from the bundle.
 */
export class Media {
  #bundleDirectory: string | null;
  #cache: MediaCache | null;
  #isKnown: (name: string) => boolean;

  constructor({ bundleDirectory, cacheDirectory, upload, isKnown = () => true, warn }: MediaOptions) {
    this.#bundleDirectory = bundleDirectory;
    this.#isKnown = isKnown;
    this.#cache =
      upload &&
      new MediaCache({
        directory: cacheDirectory,
        fetchUpload: (name, headers) => upload(name, { headers, timeoutMs: FETCH_TIMEOUT_MS }),
        onError: (name, message) => warn('content.media-failed', { name, message }),
      });
  }

  /** @param path Pathname under `/media/`, percent-encoded. @returns `null` where there is no such file. */
  async answer(path: string, request: Request): Promise<Response | null> {
    const name = nameIn(path);
    if (name === null) return null;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    try {
      const handle = await this.#open(name, request.signal);
      return handle && (await respond(handle, name, request));
    } catch (error) {
      if (error instanceof QueueFull) return new Response(null, { status: 503, headers: BUSY });
      throw error;
    }
  }

  /**
   * Looks now at a file that was changed or deleted in WordPress, and at its sizes.
   * @param path As in `answer`.
   * @returns Whether WordPress has answered for all that are kept, and whether any of them has changed.
   */
  async refresh(path: string): Promise<{ isAnswered: boolean; isChanged: boolean }> {
    const name = nameIn(path);
    return this.#cache && name !== null ? this.#cache.refresh(name) : { isAnswered: true, isChanged: false };
  }

  async close(): Promise<void> {
    await this.#cache?.close();
  }

  async #open(name: string, signal: AbortSignal): Promise<FileHandle | null> {
    const cache = this.#cache;
    if (!cache) return this.#openBundled(name);
    const fetched = cache.open(name, { isKnown: this.#isKnown(name), signal });
    const inTime = await valueWithin(PATIENCE_MS, fetched);
    const handle = inTime ?? (cache.isGone(name) ? null : await this.#openBundled(name));
    if (!handle) return fetched;
    // A file that was opened too late is closed again.
    fetched.then((late) => (late === handle ? undefined : late?.close())).catch(() => {});
    return handle;
  }

  async #openBundled(name: string): Promise<FileHandle | null> {
    return this.#bundleDirectory === null ? null : open(join(this.#bundleDirectory, name)).catch(() => null);
  }
}

/** @returns The file's name under WordPress' uploads; `null` where the path can be none of its files. */
const nameIn = (path: string) => (path.startsWith(MEDIA_PREFIX) ? mediaName(path.slice(MEDIA_PREFIX.length)) : null);

/** Makes a response of an open file, and closes the file. @returns `null` where it is no file but a folder. */
export async function respond(
  handle: FileHandle,
  name: string,
  request: Request,
  caching: { 'cache-control': string } = CACHE.media,
): Promise<Response | null> {
  const info = await handle.stat();
  if (!info.isFile()) {
    await handle.close();
    return null;
  }
  const { size, mtime, mtimeMs } = info;
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs / 1000).toString(36)}"`;
  const headers = {
    'accept-ranges': 'bytes',
    ...caching,
    etag,
    'last-modified': mtime.toUTCString(),
  };
  const without = async (status: number, more: Record<string, string>) => {
    await handle.close();
    return new Response(null, { status, headers: { ...headers, ...more } });
  };
  if (isKnown(request.headers, etag, mtime)) return without(304, {});
  const range = isPart(request, etag) ? readByteRange(request.headers.get('range'), size) : null;
  if (range === 'unsatisfiable') return without(416, { 'content-range': `bytes */${size}` });
  const described = { 'content-type': mediaTypeOf(name) ?? '', ...lengths(range, size) };
  if (request.method === 'HEAD' || size === 0) return without(range ? 206 : 200, described);
  return new Response(streamOf(handle, range ?? { start: 0, end: size - 1 }), {
    status: range ? 206 : 200,
    headers: { ...headers, ...described },
  });
}

function lengths(range: ByteRange | null, size: number): Record<string, string> {
  if (range === null) return { 'content-length': String(size) };
  const { start, end } = range;
  return { 'content-length': String(end - start + 1), 'content-range': `bytes ${start}-${end}/${size}` };
}

/** Whether the visitor holds this very file (RFC 9110, 13.2.2: a tag outranks a date). */
function isKnown(headers: Headers, etag: string, modified: Date): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null) return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

/** Whether a part may be sent: only to a visitor who holds the rest of the same file (RFC 9110, 13.1.5). */
function isPart(request: Request, etag: string): boolean {
  const condition = request.headers.get('if-range');
  return request.method === 'GET' && (condition === null || condition === etag);
}
