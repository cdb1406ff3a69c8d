import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf } from '@pillion/lib/testing/body.ts';

/** A response of the server behind. */
export interface Behind {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface Between {
  url: string;
  stop: () => Promise<void>;
}

function pass(target: URL, req: IncomingMessage, body: Buffer): Promise<Behind> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: target.hostname,
        port: target.port,
        path: req.url,
        method: req.method,
        headers: { ...req.headers, host: target.host },
      },
      async (answer) => {
        const { statusCode: status = 0, headers } = answer;
        const body = await bodyOf(answer);
        if (body === null) reject(new Error('The server behind broke off in the middle of an answer.'));
        else resolve({ status, headers, body });
      },
    );
    sent.on('error', reject).end(body);
  });
}

/**
 * A server in front of another one, as proxies and caches are.
 * @param treat Responds, or passes on the response of `next`.
 */
export async function startBetween(
  behind: string,
  treat: (req: IncomingMessage, next: () => Promise<Behind>) => Promise<Behind>,
): Promise<Between> {
  const target = new URL(behind);
  const server = createServer(async (req, res: ServerResponse) => {
    const body = await bodyOf(req);
    if (body === null) return;
    const answer = await treat(req, () => pass(target, req, body)).catch(() => null);
    // The connection ends if the server behind has ended.
    if (answer === null) return void res.destroy();
    const { status, headers, body: said } = answer;
    const { 'transfer-encoding': _chunked, 'content-length': _length, connection: _connection, ...kept } = headers;
    res.sendDate = kept.date === undefined;
    res.writeHead(status, { ...kept, 'content-length': said.byteLength }).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
