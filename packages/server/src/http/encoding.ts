import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createFairQueue, loopTurns, SITE_NETWORK } from '@pillion/lib/fairness.ts';
import { parseAccept } from 'hono/utils/accept';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Uses three of the four threads (`UV_THREADPOOL_SIZE`), which also read files. Each network gets one at a time. */
const line = createFairQueue(3, 1);

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Most cached values of `Accept-Encoding`. Browsers send only a few. */
const REMEMBERED = 200;
const remembered = new Map<string, Encoding>();

/** Smallest compressed response, in bytes: smaller ones fit in one packet anyway (Ethernet: 1,500 with headers). */
const SMALLEST = 1_024;

/** The smallest coding that a client accepts; `identity` for a body of few bytes. */
export const encodingOf = (accept: string, length: number): Encoding =>
  length < SMALLEST ? 'identity' : encodingFor(accept);

/** The smallest coding that a client accepts. */
export function encodingFor(accept: string): Encoding {
  const known = remembered.get(accept);
  if (known) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const encoding = weigh(accept);
  remembered.set(accept, encoding);
  return encoding;
}

/** Weights as in RFC 9110, 12.5.3; `*` matches every coding that is not listed. */
function weigh(accept: string): Encoding {
  const weights = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  const weightOf = (coding: Encoding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), weightOf('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}

/** With quality 4 and level 6 a page takes less than a millisecond. */
const QUICK_QUALITY = 4;
const QUICK_LEVEL = 6;

const packBrotli = (raw: Uint8Array, quality: number) =>
  brotli(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });

const pack = (raw: Uint8Array, encoding: 'br' | 'gzip') =>
  encoding === 'gzip' ? zip(raw, { level: QUICK_LEVEL }) : packBrotli(raw, QUICK_QUALITY);

/**
 * Compresses a body quickly, for a waiting client.
 * @param gone Aborts when the client disconnects.
 * @param packed Called when the turn comes. It returns the body if another request has compressed it meanwhile.
 * @throws {ClientGone} If the client disconnects before the turn comes.
 */
export async function compress(
  raw: Uint8Array,
  encoding: Encoding,
  gone?: AbortSignal,
  packed: () => Uint8Array | null = () => null,
): Promise<Uint8Array> {
  if (encoding === 'identity') return raw;
  return line(async () => packed() ?? loopTurns.aside(() => pack(raw, encoding)), { gone });
}

/** Largest body for Brotli's best quality, under 0.1 s of a thread; and for a better quality. In bytes. */
const BEST_UP_TO = 131_072;
const BETTER_UP_TO = 1_048_576;

/**
 * Compresses a frequent response at the highest level. In the queue it counts as the site's own work.
 * @returns `null` if the body is too long, or if `isWanted` returns `false` when the turn comes.
 */
export async function compressBest(raw: Uint8Array, isWanted: () => boolean): Promise<Uint8Array | null> {
  if (raw.length > BETTER_UP_TO) return null;
  const quality = raw.length <= BEST_UP_TO ? 11 : 9;
  return line(async () => (isWanted() ? packBrotli(raw, quality) : null), { network: SITE_NETWORK });
}
