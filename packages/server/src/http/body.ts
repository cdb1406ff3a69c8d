import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/**
 * A request's body, piece by piece, from the connection itself. `Request.body` puts two web streams and a second request
 * around it: 12 KB for each, which only a full collection takes away, so that a flood of refusals makes long pauses.
 * Leaving early does not end the connection: it still has to carry the answer.
 */
export function piecesOf(c: Context): AsyncIterable<Uint8Array> {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  if (incoming) return incoming.iterator({ destroyOnReturn: false });
  // As in a test, which opens no connection.
  return c.req.raw.body?.values({ preventCancel: true }) ?? none();
}

async function* none(): AsyncGenerator<Uint8Array> {}

/** Whether a body says itself that it is longer than so many bytes. */
export const saysTooLong = (c: Context, longest: number): boolean =>
  Number(c.req.header('content-length') ?? 0) > longest;

/**
 * Reads a whole body.
 * @param longest In bytes.
 * @param signal Once aborted, the pieces that have arrived are dropped, and later ones too.
 * @returns `null` where it is longer: nothing is read of one that says so itself, and no more than so much of any other.
 * What was cut off by the visitor, or by her connection, is an empty one.
 */
export async function readBody(c: Context, longest: number, signal?: AbortSignal): Promise<Buffer | null> {
  if (saysTooLong(c, longest)) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  signal?.addEventListener('abort', () => void pieces.splice(0), { once: true });
  try {
    for await (const piece of piecesOf(c)) {
      if (signal?.aborted) return null;
      size += piece.byteLength;
      if (size > longest) return null;
      pieces.push(piece);
    }
  } catch {
    return Buffer.alloc(0);
  }
  return Buffer.concat(pieces);
}

/** @returns The value of a body in JSON; `null` where it cannot be parsed. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
