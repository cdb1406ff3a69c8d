import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as it was sent, which may be compressed. */
  bytes: Buffer;
}

interface RawCall {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  localAddress?: string;
  agent?: Agent;
}

/**
 * Sends a request exactly as written: no client straightens the path, follows a redirect or adds a header.
 * @param path As it is sent; a whole address makes it a request in absolute form (RFC 9112 §3.2.2).
 */
export function rawRequest(site: string, path: string, { body, ...options }: RawCall = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(site);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, ...options }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: bytes.toString('utf8'), bytes });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
