import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createFairQueue, loopTurns, SITE_NETWORK } from '@pillion/lib/fairness.ts';
import { parseAccept } from 'hono/utils/accept';
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Uses three of the four threads (`UV_THREADPOOL_SIZE`), which also read files. Each network gets one at a time. */
const compressionQueue = createFairQueue(3, 1);

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Smallest compressed response, in bytes: smaller ones fit in one packet anyway (Ethernet: 1,500 with headers). */
const MIN_COMPRESSED_BYTES = 1_024;

/** The coding that a client prefers, or `identity` for a body of few bytes. @param length Of the body, in bytes. */
export const chooseEncoding = (accept: string, length: number): Encoding =>
  length < MIN_COMPRESSED_BYTES ? 'identity' : bestEncoding(accept);

/** Weights as in RFC 9110, 12.5.3; `*` matches every coding that is not listed. */
function negotiate(accept: string): Encoding {
  const weights = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  const weightOf = (coding: Encoding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [brWeight, gzipWeight] = [weightOf('br'), weightOf('gzip')];
  if (brWeight > 0 && brWeight >= gzipWeight) return 'br';
  return gzipWeight > 0 ? 'gzip' : 'identity';
}

/** Most cached values of `Accept-Encoding`. Browsers send only a few. */
const MAX_CACHED_HEADERS = 200;
const encodingByHeader = new LRUCache<string, Encoding>({ max: MAX_CACHED_HEADERS, memoMethod: negotiate });

/** The coding that a client prefers; Brotli if it has no preference. @param accept Its `Accept-Encoding`. */
export const bestEncoding = (accept: string): Encoding => encodingByHeader.memo(accept);

/** With quality 4 and level 6 a page takes less than a millisecond. */
const QUICK_QUALITY = 4;
const QUICK_LEVEL = 6;

const compressBrotli = (raw: Uint8Array, quality: number) =>
  brotliAsync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });

const compressQuickly = (raw: Uint8Array, encoding: 'br' | 'gzip') =>
  encoding === 'gzip' ? gzipAsync(raw, { level: QUICK_LEVEL }) : compressBrotli(raw, QUICK_QUALITY);

/**
 * Compresses a body quickly, for a waiting client.
 * @param signal Aborts when the client disconnects.
 * @param findCompressed Called when the turn comes. It returns the body if another request has compressed it meanwhile.
 * @throws {ClientGone} If the client disconnects before the turn comes.
 */
export async function compress(
  raw: Uint8Array,
  encoding: Encoding,
  signal?: AbortSignal,
  findCompressed: () => Uint8Array | null = () => null,
): Promise<Uint8Array> {
  if (encoding === 'identity') return raw;
  return compressionQueue(
    async () => findCompressed() ?? loopTurns.slowFloodsDuring(() => compressQuickly(raw, encoding)),
    { gone: signal },
  );
}

/** Brotli's highest quality, and its largest body, which takes under 0.1 s of a thread. */
const BEST_QUALITY = 11;
const BEST_QUALITY_MAX_BYTES = 131_072;
/** The same for longer bodies. */
const BETTER_QUALITY = 9;
const BETTER_QUALITY_MAX_BYTES = 1_048_576;

/**
 * Compresses a frequent response at the highest level. In the queue it counts as the site's own work.
 * @returns `null` if the body is too long, or if `isWanted` returns `false` when the turn comes.
 */
export async function compressBest(raw: Uint8Array, isWanted: () => boolean): Promise<Uint8Array | null> {
  if (raw.length > BETTER_QUALITY_MAX_BYTES) return null;
  const quality = raw.length <= BEST_QUALITY_MAX_BYTES ? BEST_QUALITY : BETTER_QUALITY;
  return compressionQueue(async () => (isWanted() ? compressBrotli(raw, quality) : null), { network: SITE_NETWORK });
}
