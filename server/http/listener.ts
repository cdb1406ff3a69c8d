import type { RequestListener } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';

/**
 * The app as Node's own server calls it.
 * @param headers Sent with the refusal of a request that is none (a host or an address that cannot be read): it ends
 * before the app, which sends them with everything else.
 */
export function listenerOf(app: Hono, headers: Record<string, string>): RequestListener {
  const errorHandler = (error: unknown) =>
    new Response('This request cannot be read.\n', {
      status: error instanceof RequestError ? 400 : 500,
      headers: { ...headers, 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' },
    });
  const answer = getRequestListener(app.fetch, { errorHandler });
  return (req, res) => void answer(req, res);
}
