import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/**
 * Reads a request's body in chunks from the connection. `Request.body` would add two web streams and a second request:
 * 12 KB that only a full garbage collection frees, so that a flood of refused requests would cause long pauses. Ending
 * the iteration early keeps the connection open for the response.
 */
export function chunksOf(c: Context): AsyncIterable<Uint8Array> {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  if (incoming) return incoming.iterator({ destroyOnReturn: false });
  // Tests open no connection.
  return c.req.raw.body?.values({ preventCancel: true }) ?? Readable.from([]);
}

/** Whether `Content-Length` is above the limit. */
export const isLengthOverLimit = (c: Context, maxBytes: number): boolean =>
  Number(c.req.header('content-length') ?? 0) > maxBytes;

/**
 * Reads a whole body.
 * @param signal Its abort drops all chunks and ends the read.
 * @returns `null` for a longer body, which is read up to the limit, or not at all if `Content-Length` is above it. An
 * empty body if the client disconnects.
 */
export async function readBody(c: Context, maxBytes: number, signal?: AbortSignal): Promise<Buffer | null> {
  if (isLengthOverLimit(c, maxBytes)) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  signal?.addEventListener('abort', () => void chunks.splice(0), { once: true });
  try {
    for await (const chunk of chunksOf(c)) {
      if (signal?.aborted) return null;
      size += chunk.byteLength;
      if (size > maxBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    return Buffer.alloc(0);
  }
  return Buffer.concat(chunks);
}

/** @returns The value of a JSON body; `null` if it cannot be parsed. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
