import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createFairLine, loopTurns, SITE } from '@pillion/lib/fairness.ts';
import { parseAccept } from 'hono/utils/accept';

export type Encoding = 'br' | 'gzip' | 'identity';

/** Three of the four threads (`UV_THREADPOOL_SIZE`): files are read by them too. One network has one of them at a time. */
const line = createFairLine(3, 1);

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Browsers send a handful of different headers in all; more distinct ones than this are somebody's game. */
const REMEMBERED = 200;
const remembered = new Map<string, Encoding>();

/** Bytes below which an answer is sent as it is: it goes in one packet in any case (Ethernet's 1,500, headers included). */
const SMALLEST = 1_024;

/** How so many bytes are sent to a client: in the smallest coding it accepts, where there is anything to gain. */
export const encodingOf = (accept: string, length: number): Encoding =>
  length < SMALLEST ? 'identity' : encodingFor(accept);

/** The smallest coding a client accepts. */
export function encodingFor(accept: string): Encoding {
  const known = remembered.get(accept);
  if (known) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const encoding = weigh(accept);
  remembered.set(accept, encoding);
  return encoding;
}

/** Weights as RFC 9110, 12.5.3 has them; `*` stands for every coding that is not named. */
function weigh(accept: string): Encoding {
  const weights = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  const weightOf = (coding: Encoding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), weightOf('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}

/** Quality 4 and level 6: a page costs well under a millisecond. */
const QUICK_QUALITY = 4;
const QUICK_LEVEL = 6;

const packBrotli = (raw: Uint8Array, quality: number) =>
  brotli(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });

const pack = (raw: Uint8Array, encoding: 'br' | 'gzip') =>
  encoding === 'gzip' ? zip(raw, { level: QUICK_LEVEL }) : packBrotli(raw, QUICK_QUALITY);

/**
 * Compresses what somebody waits for, quickly.
 * @param gone Aborted when she is gone. What waits for its turn then leaves the line, and its promise never settles.
 * @param packed Asked when its turn comes: what somebody else had compressed meanwhile is not compressed again.
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

/** Bytes up to which Brotli's best quality takes under a tenth of a second of a thread; up to which it is used at all. */
const BEST_UP_TO = 131_072;
const BETTER_UP_TO = 1_048_576;

/**
 * Compresses what is sent often as well as it goes, in the site's own name: it waits for everybody.
 * @returns `null` where it is too long to be worth it, or `isWanted` says no when its turn has come.
 */
export async function compressBest(raw: Uint8Array, isWanted: () => boolean): Promise<Uint8Array | null> {
  if (raw.length > BETTER_UP_TO) return null;
  const quality = raw.length <= BEST_UP_TO ? 11 : 9;
  return line(async () => (isWanted() ? packBrotli(raw, quality) : null), { network: SITE });
}
