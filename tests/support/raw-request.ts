import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as it was sent, which may be compressed. */
  bytes: Buffer;
}

interface RawInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  localAddress?: string;
  /** `false`: a connection for this request alone. */
  agent?: Agent | false;
}

/**
 * Sends a request exactly as written: no client straightens the path, follows a redirect or adds a header.
 * @param path As it is sent; a whole address makes it a request in absolute form (RFC 9112 §3.2.2).
 */
export function sendRawRequest(site: string, path: string, { body, ...options }: RawInit = {}): Promise<RawResponse> {
  const { hostname, port } = new URL(site);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: bytes.toString('utf8'), bytes });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
