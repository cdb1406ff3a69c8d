import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { hasTag } from '@pillion/lib/entity-tag.ts';
import { createFairQueue, currentNetwork, loopTurns } from '@pillion/lib/fairness.ts';
import { QueueFull } from '@pillion/lib/limit.ts';
import { mediaName, mediaTypeOf } from '@pillion/lib/media-types.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import type { CallOptions, Download } from '../wordpress/client.ts';
import type { Result, Warn } from '../wordpress/result.ts';
import { MEDIA_PREFIX } from '../wordpress/rewrite.ts';
import { MediaCache } from './media-cache.ts';

export interface MediaOptions {
  /** `null` if the bundled files belong to another site. */
  bundleDirectory: string | null;
  cacheDirectory: string;
  /** Requests an upload from WordPress; `null` with bundled content. */
  upload: ((name: string, options: CallOptions) => Promise<Result<Download>>) | null;
  /** Whether the content of the site refers to the file. Clients can invent any other name. */
  isKnown?: (name: string) => boolean;
  warn: Warn;
}

/** Longest time from the request for a file to its last byte. */
const FETCH_TIMEOUT_MS = 20_000;

/** Wait for WordPress before the bundled copy of a file is used, in milliseconds. */
const BUNDLE_AFTER_MS = 1500;

/** Sent if too many files that no content refers to are requested. A client that needs an existing file can retry. */
const RETRY_LATER = { 'retry-after': '5', ...CACHE.never };

/** Bytes of a file read at a time. A client that reads nothing uses no more memory than this. */
const CHUNK_BYTES = 32_768;

/**
 * Largest number of chunks that are read and sent at once, in all and per network. Sending one takes some 40 µs: 300
 * chunks at once delayed all other clients for 9 ms.
 */
const CHUNKS_CONCURRENCY = 4;
const CHUNKS_PER_NETWORK = 2;
const chunkQueue = createFairQueue(CHUNKS_CONCURRENCY, CHUNKS_PER_NETWORK);

/** First and last byte, both included. */
interface ByteRange {
  start: number;
  end: number;
}

/** Streams a file chunk by chunk; nothing is read ahead of a slow client. */
export function streamFile(
  handle: Pick<FileHandle, 'read' | 'close'>,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array> {
  const network = currentNetwork();
  let position = start;
  /** @returns The next chunk. The file is closed after the last one and if it cannot be read. */
  async function readChunk(): Promise<{ chunk: Uint8Array; isLast: boolean }> {
    try {
      const size = Math.min(CHUNK_BYTES, end - position + 1);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(size), 0, size, position);
      if (bytesRead === 0) throw new Error('the file is shorter than it was');
      position += bytesRead;
      if (position > end) await handle.close();
      return { chunk: buffer.subarray(0, bytesRead), isLast: position > end };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  return new ReadableStream(
    {
      async pull(controller) {
        await chunkQueue(
          async () => {
            await loopTurns.take(network);
            const { chunk, isLast } = await readChunk();
            controller.enqueue(chunk);
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

/** Largest picture that is drawn from or sampled, in bytes: it is in memory as a whole. */
const MAX_PICTURE_BYTES = 50_000_000;

/** @throws {Error} The file does not exist, cannot be fetched or is too large. */
export async function fetchMedia(path: string, media: Media['serve']): Promise<Uint8Array> {
  const response = await media(path, new Request(new URL(path, 'http://here.invalid')));
  if (response?.status !== 200) throw new Error(`${path} cannot be fetched`);
  if (Number(response.headers.get('content-length')) > MAX_PICTURE_BYTES) {
    await response.body?.cancel();
    throw new Error(`${path} is too large`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Serves media under the site's address, so that the page's policy can stay `'self'` and files remain if WordPress is
 * down. Files come from WordPress through a cache on disk, else from the bundled copy.
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

  /** @param path Pathname under `/media/`, percent-encoded. @returns `null` if the file does not exist. */
  async serve(path: string, request: Request): Promise<Response | null> {
    const name = uploadName(path);
    if (name === null) return null;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    try {
      const handle = await this.#open(name, request.signal);
      if (handle) return await respond(handle, name, request);
      // WordPress was unreachable a moment ago: the file may exist.
      const mayExist = this.#cache?.isUnreachable() && !this.#cache.isMissing(name);
      return mayExist ? new Response(null, { status: 503, headers: RETRY_LATER }) : null;
    } catch (error) {
      if (error instanceof QueueFull) return new Response(null, { status: 503, headers: RETRY_LATER });
      throw error;
    }
  }

  /**
   * Checks a file that was changed or deleted in WordPress, and its sizes, now.
   * @param path As in `serve`.
   * @returns Whether WordPress has responded for all stored files, and whether any of them has changed.
   */
  async revalidate(path: string): Promise<{ isAnswered: boolean; isChanged: boolean }> {
    const name = uploadName(path);
    return this.#cache && name !== null ? this.#cache.revalidate(name) : { isAnswered: true, isChanged: false };
  }

  /** Makes files due that were checked before a change. @param changedAt Epoch milliseconds. */
  async expireAll(changedAt: number): Promise<void> {
    await this.#cache?.expireAll(changedAt);
  }

  async close(): Promise<void> {
    await this.#cache?.close();
  }

  /** Opens the cached file, else the bundled copy if WordPress does not respond in time. */
  async #open(name: string, signal: AbortSignal): Promise<FileHandle | null> {
    const cache = this.#cache;
    if (!cache) return this.#openBundled(name);
    const fetched = cache.open(name, { isKnown: this.#isKnown(name), signal });
    const cached = await valueWithin(BUNDLE_AFTER_MS, fetched);
    const handle = cached ?? (cache.isMissing(name) ? null : await this.#openBundled(name));
    if (!handle) return fetched;
    // Closes the cached file if it is opened too late.
    fetched.then((late) => (late === handle ? undefined : late?.close())).catch(() => {});
    return handle;
  }

  async #openBundled(name: string): Promise<FileHandle | null> {
    return this.#bundleDirectory === null ? null : open(join(this.#bundleDirectory, name)).catch(() => null);
  }
}

/** @returns The file's name in WordPress' uploads; `null` if the path cannot be a media file. */
const uploadName = (path: string) =>
  path.startsWith(MEDIA_PREFIX) ? mediaName(path.slice(MEDIA_PREFIX.length)) : null;

/** Makes a response from an open file, and closes the file. @returns `null` for a folder. */
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
  const withoutBody = async (status: number, more: Record<string, string>) => {
    await handle.close();
    return new Response(null, { status, headers: { ...headers, ...more } });
  };
  if (isUnchanged(request.headers, etag, mtime)) return withoutBody(304, {});
  const range = mayBePartial(request, etag) ? readByteRange(request.headers.get('range'), size) : null;
  if (range === 'unsatisfiable') return withoutBody(416, { 'content-range': `bytes */${size}` });
  const bodyHeaders = { 'content-type': mediaTypeOf(name) ?? '', ...lengthHeaders(range, size) };
  // Ranges are only for GET. An empty file has no part to send.
  if (request.method === 'HEAD' || size === 0) return withoutBody(200, bodyHeaders);
  return new Response(streamFile(handle, range ?? { start: 0, end: size - 1 }), {
    status: range ? 206 : 200,
    headers: { ...headers, ...bodyHeaders },
  });
}

/**
 * Reads a `Range` header (RFC 9110, 14.1.2).
 * @param size Size of the file in bytes.
 * @returns The requested range; `null` to send the whole file (no header, or several ranges or another unit, which a
 * server may ignore); `unsatisfiable` if no byte of the file is in the range.
 */
function readByteRange(header: string | null, size: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.replace(/\s/g, '') ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const requestedEnd = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (requestedEnd < start) return null; // malformed: ignored
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(requestedEnd, size - 1) };
}

/** @param range `null`: the whole file. @param size Size of the file in bytes. */
function lengthHeaders(range: ByteRange | null, size: number): Record<string, string> {
  if (range === null) return { 'content-length': String(size) };
  const { start, end } = range;
  return { 'content-length': String(end - start + 1), 'content-range': `bytes ${start}-${end}/${size}` };
}

/** Whether the client has this version of the file (RFC 9110, 13.2.2: the ETag takes precedence over the date). */
function isUnchanged(headers: Headers, etag: string, modified: Date): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== null) return hasTag(tags, etag);
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

/** Whether a range may be sent: only if the client has the rest of the same version (RFC 9110, 13.1.5). */
function mayBePartial(request: Request, etag: string): boolean {
  const condition = request.headers.get('if-range');
  return request.method === 'GET' && (condition === null || condition === etag);
}
