import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { doneFor, type LoopTurns, loopTurns } from '@pillion/lib/fairness.ts';
import { type Proxies, turnOf } from '@pillion/lib/network.ts';
import { requestIdFor } from '@pillion/lib/request-id.ts';
import type { Hono } from 'hono';
import type { Metrics } from '../metrics/metrics.ts';
import type { Ready } from './ready.ts';

/**
 * The app as Node's own server calls it.
 * @param headers Sent with the refusal of a request that is none (a host or an address that cannot be read): it ends
 * before the app, which sends them with everything else.
 */
export function listenerOf(app: Hono, headers: Record<string, string>): RequestListener {
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
  /** `null` where nothing is kept. */
  ready: Ready | null;
  proxies: Proxies;
  metrics: Metrics;
  turns?: LoopTurns;
}

/**
 * Answers that are ready are sent at once, so many in one turn of the event loop: some 4 ms of work. More of them wait for
 * their network's turn like everything else, so that a flood of them stands in nobody's way either.
 */
const READY_IN_A_TURN = 128;

const forwardedFor = ({ headers }: IncomingMessage): string | null => headers['x-forwarded-for']?.toString() ?? null;

/** What every request comes to, files of the build aside: what is ready, or its turn with the app. */
export function createFront({ answerApp, ready, proxies, metrics, turns = loopTurns }: FrontOptions): RequestListener {
  let sentInTurn = 0;

  function sendReady(req: IncomingMessage, res: ServerResponse, came: number): boolean {
    const remote = req.socket.remoteAddress ?? null;
    const id = () => requestIdFor((name) => req.headers[name], proxies.isBelieved(remote));
    const sent = ready?.send(req, res, id);
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
    const network = turnOf(proxies, req.socket.remoteAddress ?? null, forwardedFor(req));
    // Whoever has gone meanwhile waits no more and is answered nothing.
    void turns
      .take(network, (leave) => res.once('close', leave))
      .then(() => {
        if (!res.closed && !sendReady(req, res, came)) doneFor(network, () => answerApp(req, res), came);
      });
  };
}
