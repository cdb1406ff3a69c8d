import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { loopTurns, runFor } from '@pillion/lib/fairness.ts';
import { requestIdFor } from '@pillion/lib/request-id.ts';
import type { Hono } from 'hono';
import type { Metrics } from '../metrics/metrics.ts';
import { type Proxies, queueKeyFor } from './network.ts';
import type { PageCache } from './page-cache.ts';

/**
 * The app as a request listener of Node.
 * @param headers For responses to requests with an invalid host or address, which do not reach the app.
 */
export function createListener(app: Pick<Hono, 'fetch'>, headers: Record<string, string>): RequestListener {
  const errorHandler = (error: unknown) =>
    new Response('This request cannot be read.\n', {
      status: error instanceof RequestError ? 400 : 500,
      headers: { ...headers, ...CACHE.never, 'content-type': 'text/plain; charset=utf-8' },
    });
  const listener = getRequestListener(app.fetch, { errorHandler });
  return (req, res) => void listener(req, res);
}

interface HandlerOptions {
  handleByApp: RequestListener;
  /** `null`: no cache. */
  pageCache: PageCache | null;
  proxies: Proxies;
  metrics: Metrics;
}

/**
 * Most cached responses that are sent at once in one turn of the event loop, about 4 ms of work. More of them wait for
 * the turn of their network, so that a flood does not delay other clients.
 */
const MAX_SENT_PER_TURN = 128;

const forwardedHeader = ({ headers }: IncomingMessage): string | null => headers['x-forwarded-for']?.toString() ?? null;

/** Handles all requests but those for files of the build: from the cache, or by the app in the network's turn. */
export function createRequestHandler({ handleByApp, pageCache, proxies, metrics }: HandlerOptions): RequestListener {
  let sentInTurn = 0;

  /** @returns Whether the response was cached. @param receivedAt In milliseconds of `performance.now()`. */
  function sendCached(req: IncomingMessage, res: ServerResponse, receivedAt: number): boolean {
    const remote = req.socket.remoteAddress ?? null;
    const makeId = () => requestIdFor((name) => req.headers[name], proxies.isTrusted(remote));
    const sent = pageCache?.send(req, res, makeId);
    if (!sent) return false;
    metrics.request(sent.route, sent.status, (performance.now() - receivedAt) / 1000);
    return true;
  }

  /** Sends a cached response, up to `MAX_SENT_PER_TURN` of them. @returns Whether it was sent. */
  function sendAtOnce(req: IncomingMessage, res: ServerResponse, receivedAt: number): boolean {
    if (sentInTurn >= MAX_SENT_PER_TURN || !sendCached(req, res, receivedAt)) return false;
    if (sentInTurn === 0)
      setImmediate(() => {
        sentInTurn = 0;
      });
    sentInTurn += 1;
    return true;
  }

  return (req, res) => {
    const receivedAt = performance.now();
    if (sendAtOnce(req, res, receivedAt)) return;
    const network = queueKeyFor(proxies, req.socket.remoteAddress ?? null, forwardedHeader(req));
    // A client that disconnects leaves the queue and gets no response.
    void loopTurns
      .take(network, (leave) => res.once('close', leave))
      .then(() => {
        if (!res.closed && !sendCached(req, res, receivedAt)) runFor(network, () => handleByApp(req, res), receivedAt);
      });
  };
}
