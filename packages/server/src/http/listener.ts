import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { type LoopTurns, loopTurns, runFor } from '@pillion/lib/fairness.ts';
import { requestIdFor } from '@pillion/lib/request-id.ts';
import type { Hono } from 'hono';
import type { Metrics } from '../metrics/metrics.ts';
import { type Proxies, queueKeyFor } from './network.ts';
import type { PageCache } from './page-cache.ts';

/**
 * The app as a request listener of Node.
 * @param headers For responses to requests with an invalid host or address, which do not reach the app.
 */
export function listenerOf(app: Pick<Hono, 'fetch'>, headers: Record<string, string>): RequestListener {
  const errorHandler = (error: unknown) =>
    new Response('This request cannot be read.\n', {
      status: error instanceof RequestError ? 400 : 500,
      headers: { ...headers, ...CACHE.never, 'content-type': 'text/plain; charset=utf-8' },
    });
  const answer = getRequestListener(app.fetch, { errorHandler });
  return (req, res) => void answer(req, res);
}

interface FrontOptions {
  answerApp: RequestListener;
  /** `null`: no cache. */
  pageCache: PageCache | null;
  proxies: Proxies;
  metrics: Metrics;
  turns?: LoopTurns;
}

/**
 * Most cached responses that are sent at once in one turn of the event loop, about 4 ms of work. More of them wait for
 * the turn of their network, so that a flood does not delay other clients.
 */
const READY_IN_A_TURN = 128;

const forwardedFor = ({ headers }: IncomingMessage): string | null => headers['x-forwarded-for']?.toString() ?? null;

/** Handles all requests but those for files of the build: from the cache, or by the app in the network's turn. */
export function createFront({
  answerApp,
  pageCache,
  proxies,
  metrics,
  turns = loopTurns,
}: FrontOptions): RequestListener {
  let sentInTurn = 0;

  function sendReady(req: IncomingMessage, res: ServerResponse, came: number): boolean {
    const remote = req.socket.remoteAddress ?? null;
    const id = () => requestIdFor((name) => req.headers[name], proxies.isTrusted(remote));
    const sent = pageCache?.send(req, res, id);
    if (!sent) return false;
    metrics.request(sent.route, sent.status, (performance.now() - came) / 1000);
    return true;
  }

  function isSentAtOnce(req: IncomingMessage, res: ServerResponse, came: number): boolean {
    if (sentInTurn >= READY_IN_A_TURN || !sendReady(req, res, came)) return false;
    if (sentInTurn === 0)
      setImmediate(() => {
        sentInTurn = 0;
      });
    sentInTurn += 1;
    return true;
  }

  return (req, res) => {
    const came = performance.now();
    if (isSentAtOnce(req, res, came)) return;
    const network = queueKeyFor(proxies, req.socket.remoteAddress ?? null, forwardedFor(req));
    // A client that disconnects leaves the queue and gets no response.
    void turns
      .take(network, (leave) => res.once('close', leave))
      .then(() => {
        if (!res.closed && !sendReady(req, res, came)) runFor(network, () => answerApp(req, res), came);
      });
  };
}
