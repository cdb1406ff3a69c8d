import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Weight a client gives a coding, 0 when it does not want it (RFC 9110 §12.5.3). */
function weight(accept: string, coding: string): number {
  for (const part of accept.split(',')) {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (name !== coding) continue;
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    return q ? Number(q.slice(2)) || 0 : 1;
  }
  return 0;
}

/** Browsers send a handful of different headers in all; more distinct ones than this are somebody's game. */
const REMEMBERED = 200;
const remembered = new Map<string, Encoding>();

/** The smallest coding a client accepts. */
export function encodingFor(accept: string): Encoding {
  const known = remembered.get(accept);
  if (known) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const encoding = weigh(accept);
  remembered.set(accept, encoding);
  return encoding;
}

function weigh(accept: string): Encoding {
  const br = weight(accept, 'br');
  const gz = weight(accept, 'gzip');
  if (br > 0 && br >= gz) return 'br';
  return gz > 0 ? 'gzip' : 'identity';
}

/**
 * Compresses an answer made for one request. Quality 4 and level 6: a page costs well under a millisecond; what is
 * sent more than once is compressed ahead instead (assets at build time).
 */
export async function compress(text: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  const raw = Buffer.from(text);
  if (encoding === 'identity') return new Uint8Array(raw);
  if (encoding === 'gzip') return new Uint8Array(await zip(raw, { level: 6 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length };
  return new Uint8Array(await brotli(raw, { params }));
}
