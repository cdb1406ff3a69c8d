import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

export interface Request {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Uint8Array[];
  /** The path is relative to the root of the host, not to `baseUrl`. */
  isFromRoot?: boolean;
}

/**
 * Uses node:http instead of `fetch`: Node's fetch (undici 7) ends the process with an uncatchable assertion if the
 * other side closes a connection while its body is read (nodejs/undici#5360).
 * @param lookup Resolves the host. Default: as Node does.
 */
export function createTransport(baseUrl: string, lookup?: LookupFunction) {
  const { origin, protocol } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const request = isSecure ? httpsRequest : httpRequest;

  /** Rejects with `isStale` if the other side closed the idle connection while it was being reused. */
  function sendOnce(path: string, { method, headers, body = [], isFromRoot }: Request, signal: AbortSignal) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request((isFromRoot ? origin : baseUrl) + path, {
        method,
        headers,
        signal,
        // A request that must not be repeated uses a new connection, which the server cannot be closing.
        agent: method === 'GET' ? agent : false,
        ...(lookup && { lookup }),
      });
      sent.on('response', resolve);
      sent.on('error', (error: NodeJS.ErrnoException) =>
        reject(Object.assign(error, { isStale: sent.reusedSocket && error.code === 'ECONNRESET' })),
      );
      for (const chunk of body) sent.write(chunk);
      sent.end();
    });
  }

  return {
    /** Does not follow redirects, which could send keys and answers to another host. */
    async send(path: string, outgoing: Request, signal: AbortSignal): Promise<IncomingMessage> {
      try {
        return await sendOnce(path, outgoing, signal);
      } catch (error) {
        if (!(error as { isStale?: boolean }).isStale) throw error;
        return sendOnce(path, outgoing, signal);
      }
    },
    /** Sends the headers of a `POST` only. @returns The status; 100: the server reads the body. */
    announce: (path: string, headers: Record<string, string>, signal: AbortSignal) =>
      new Promise<number>((resolve, reject) => {
        const sent = request(baseUrl + path, { method: 'POST', headers, signal, agent: false });
        const finish = (status: number) => {
          resolve(status);
          sent.destroy();
        };
        sent.on('continue', () => finish(100));
        sent.on('response', ({ statusCode = 0 }) => finish(statusCode));
        sent.on('error', reject);
        sent.flushHeaders();
      }),
    close: () => agent.destroy(),
  };
}

/** Reads a body. @returns `null` if it is over the limit, which also ends the connection. */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string | null> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return null; // leaving the loop closes the connection
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
