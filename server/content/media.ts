import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ByteRange, readByteRange } from './byte-range.ts';
import type { Client } from './client.ts';
import { PREFIXES } from './endpoints.ts';
import { MediaCache } from './media-cache.ts';
import { mediaName, mediaTypeOf } from './media-types.ts';
import { patiently } from './patiently.ts';
import type { Warn } from './result.ts';
import { MEDIA_PREFIX } from './rewrite.ts';

export interface Media {
  /** @param path Pathname under `/media/`, percent-encoded. @returns `null` where there is no such file. */
  answer: (path: string, request: Request) => Promise<Response | null>;
  close: () => Promise<void>;
}

export interface MediaOptions {
  bundleDirectory: string;
  cacheDirectory: string;
  /** WordPress, `null` with bundled content. */
  client: Client | null;
  warn: Warn;
}

/** From asking WordPress for a file to its last byte. */
const FETCH_TIMEOUT_MS = 20_000;

/** A visitor waits this long, in milliseconds, for a file that the bundle could show her instead. */
const PATIENCE_MS = 1500;

/** A name is rarely given to another picture; where it is, a day shows it. */
const CACHE_CONTROL = 'public, max-age=86400, stale-while-revalidate=604800';

const addressOf = (name: string) => PREFIXES.uploads + name.split('/').map(encodeURIComponent).join('/');

/**
 * Pictures and sound under the site's own address: the page's policy can stay `'self'`, and they outlive WordPress.
 * From WordPress through a cache on disk, else from the bundle.
 */
export function createMedia({ bundleDirectory, cacheDirectory, client, warn }: MediaOptions): Media {
  const cache =
    client &&
    new MediaCache({
      directory: cacheDirectory,
      fetchUpload: (name, headers) => client.file(addressOf(name), { headers, timeoutMs: FETCH_TIMEOUT_MS }),
      onError: (name, message) => warn('content.media-failed', { name, message }),
    });
  const openBundled = (name: string) => open(join(bundleDirectory, name)).catch(() => null);

  async function openFile(name: string): Promise<FileHandle | null> {
    const fetched = cache?.open(name);
    if (!fetched) return openBundled(name);
    const handle = (await patiently(PATIENCE_MS, fetched)) ?? (await openBundled(name));
    if (!handle) return fetched;
    // One that came too late was opened for nobody.
    fetched.then((late) => (late === handle ? undefined : late?.close())).catch(() => {});
    return handle;
  }

  return {
    async answer(path, request) {
      const name = path.startsWith(MEDIA_PREFIX) ? mediaName(path.slice(MEDIA_PREFIX.length)) : null;
      if (name === null) return null;
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
      const handle = await openFile(name);
      return handle && respond(handle, name, request);
    },
    close: async () => {
      await cache?.close();
    },
  };
}

/** Answers with an open file and sees to its closing. */
export async function respond(
  handle: FileHandle,
  name: string,
  request: Request,
  cacheControl = CACHE_CONTROL,
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
    'cache-control': cacheControl,
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
  const stream = handle.createReadStream({ ...range, highWaterMark: 262_144 });
  return new Response(Readable.toWeb(stream) as unknown as ReadableStream, {
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

/** Part of a file is worth sending only to one who holds the rest of the same file. */
function isPart(request: Request, etag: string): boolean {
  const condition = request.headers.get('if-range');
  return request.method === 'GET' && (condition === null || condition === etag);
}
