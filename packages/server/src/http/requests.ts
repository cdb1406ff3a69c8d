import type { HttpBindings } from '@hono/node-server';
import { requestedAt } from '@pillion/lib/fairness.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import { requestIdFor, traceFor, withRequestId } from '@pillion/lib/request-id.ts';
import type { Context, Hono } from 'hono';
import { type Metrics, routeKindOf } from '../metrics/metrics.ts';
import type { Proxies } from './network.ts';

interface Options {
  /** Proxies whose request ids are trusted. */
  proxies: Proxies;
  metrics: Metrics;
  log: Log;
}

/** Address of the connection's client; `null` without a connection, as in a test. */
export const remoteAddress = (c: Context): string | null =>
  (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress ?? null;

/** Gives every request an id, counts it, and logs responses with a status from 500 on. */
export function watchRequests(app: Hono, { proxies, metrics, log }: Options): void {
  const busyLog = sparsely(log, (_, { route }) => String(route));
  app.use((c, next) => {
    const begun = requestedAt();
    const header = (name: string) => c.req.header(name);
    const isTrusted = proxies.isTrusted(remoteAddress(c));
    const id = requestIdFor(header, isTrusted);
    const route = routeKindOf(c.req.path);
    return withRequestId(id, traceFor(header, isTrusted), async () => {
      await next();
      const { status } = c.res;
      c.res.headers.set('x-request-id', id);
      metrics.request(route, status, (performance.now() - begun) / 1000);
      // An error page shows the id, which operators find in the log.
      const fault = { method: c.req.method, path: c.req.path, status };
      // Sparsely, since an overload causes many of them.
      if (status === 503) busyLog('warn', 'answered with a fault', { ...fault, route });
      else if (status >= 500) log('warn', 'answered with a fault', fault);
    });
  });
}
