import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
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
  const isSecure = baseUrl.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const request = isSecure ? httpsRequest : httpRequest;
  const root = baseUrl.replace(/^(\w+:\/\/[^/]*).*/, '$1');

  function sendOnce(path: string, { method, headers, body, isFromRoot }: Request, signal: AbortSignal) {
    let sent: ClientRequest;
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      // A request that must not be repeated uses a new connection, which the server cannot be closing.
      sent = request((isFromRoot ? root : baseUrl) + path, {
        method,
        headers,
        signal,
        agent: method === 'GET' ? agent : false,
        ...(lookup && { lookup }),
      });
      sent.on('response', resolve).on('error', reject);
      for (const chunk of body ?? []) sent.write(chunk);
      sent.end();
    });
    return response.catch((error: NodeJS.ErrnoException) => {
      throw Object.assign(error, { isStale: sent?.reusedSocket && error.code === 'ECONNRESET' });
    });
  }

  return {
    /** Does not follow redirects, which could send keys and answers to another host. */
    async send(path: string, outgoing: Request, signal: AbortSignal): Promise<IncomingMessage> {
      try {
        return await sendOnce(path, outgoing, signal);
      } catch (error) {
        // The other side closed the idle connection while it was being reused; repeat once.
        if ((error as { isStale?: boolean }).isStale && outgoing.method === 'GET')
          return sendOnce(path, outgoing, signal);
        throw error;
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

/** Reads a body. @returns `null` if it is over the limit. */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string | null> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return null; // leaving the loop closes the connection
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
