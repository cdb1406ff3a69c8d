import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Log } from '../log.ts';
import { type Metrics, routeKindOf } from '../metrics/metrics.ts';
import { requestIdFor, withRequestId } from '../request-id.ts';

interface Options {
  /** Whether a proxy in front says which request it is. */
  trustProxy: boolean;
  metrics: Metrics;
  log: Log;
}

/** Who opened the connection; `null` where there is none, as in a test. */
export const remoteAddress = (c: Context): string | null =>
  (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress ?? null;

/** Gives every request its id, counts it, and has a line in the log for each that is answered with a fault of ours. */
export function watchRequests(app: Hono, { trustProxy, metrics, log }: Options): void {
  app.use((c, next) => {
    const begun = performance.now();
    const id = requestIdFor(c.req.raw.headers, trustProxy);
    const route = routeKindOf(c.req.path);
    return withRequestId(id, async () => {
      await next();
      const { status } = c.res;
      c.res.headers.set('x-request-id', id);
      metrics.request(route, status, (performance.now() - begun) / 1000);
      // The visitor may have been shown the id: whoever looks for it finds what it was.
      if (status >= 500) log('warn', 'answered with a fault', { method: c.req.method, path: c.req.path, status });
    });
  });
}
