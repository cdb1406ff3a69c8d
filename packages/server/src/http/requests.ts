import type { HttpBindings } from '@hono/node-server';
import { askedAt } from '@pillion/lib/fairness.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import type { Proxies } from '@pillion/lib/network.ts';
import { requestIdFor, withRequestId } from '@pillion/lib/request-id.ts';
import type { Context, Hono } from 'hono';
import { type Metrics, routeKindOf } from '../metrics/metrics.ts';

interface Options {
  /** Who may say which request it is. */
  proxies: Proxies;
  metrics: Metrics;
  log: Log;
}

/** Who opened the connection; `null` where there is none, as in a test. */
export const remoteAddress = (c: Context): string | null =>
  (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress ?? null;

/** Gives every request its id, counts it, and has a line in the log for each that is answered with a fault of ours. */
export function watchRequests(app: Hono, { proxies, metrics, log }: Options): void {
  const busyLog = sparsely(log, (_, { route }) => String(route));
  app.use((c, next) => {
    const begun = askedAt();
    const id = requestIdFor((name) => c.req.header(name), proxies.isBelieved(remoteAddress(c)));
    const route = routeKindOf(c.req.path);
    return withRequestId(id, async () => {
      await next();
      const { status } = c.res;
      c.res.headers.set('x-request-id', id);
      metrics.request(route, status, (performance.now() - begun) / 1000);
      // The visitor may have been shown the id: whoever looks for it finds what it was.
      const fault = { method: c.req.method, path: c.req.path, status };
      // Refused for want of room: a flood of them is one event.
      if (status === 503) busyLog('warn', 'answered with a fault', { ...fault, route });
      else if (status >= 500) log('warn', 'answered with a fault', fault);
    });
  });
}
