import type { Content } from '@pillion/content/content.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import type { SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { Context, Hono } from 'hono';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Draining } from '../draining.ts';
import { isFromInside, type Proxies } from '../network.ts';
import { remoteAddress } from '../requests.ts';

interface Options {
  content: Pick<Content, 'ready'>;
  signUps: Pick<SignUps, 'ready' | 'metricsText'>;
  draining: Draining;
  proxies: Proxies;
  metrics: Metrics;
}

/** Liveness, readiness and metrics, for load balancers and operators. */
export function healthRoutes(app: Hono, { content, signUps, draining, proxies, metrics }: Options): void {
  const drainingProblem = async () => (draining.isDraining ? ['this server is about to end'] : []);
  const hasContent = async () => ((await content.ready()) ? [] : ['no content']);
  const hasStore = async () => ((await signUps.ready()) ? [] : ['no store for sign-ups']);
  const readiness =
    (...checks: (() => Promise<string[]>)[]) =>
    async (c: Context) => {
      draining.noteHealthRequest();
      const missing = (await Promise.all([drainingProblem, ...checks].map((check) => check()))).flat().join(', ');
      return c.text(`${missing || 'ready'}\n`, missing ? 503 : 200, CACHE.never);
    };

  app.get('/healthz', (c) => {
    draining.noteHealthRequest();
    return c.text('ok\n', 200, CACHE.never);
  });
  app.get('/readyz', readiness(hasContent, hasStore));
  // For a balancer: pages work without the database, and sign-ups work without content.
  app.get('/readyz/pages', readiness(hasContent));
  app.get('/readyz/sign-ups', readiness(hasStore));

  app.get('/metrics', async (c, next) => {
    // Restricted to this machine and private networks; other clients get 404.
    if (!isFromInside(remoteAddress(c), c.req.raw.headers, proxies)) return next();
    return c.text((await metrics.render()) + (await signUps.metricsText()), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      ...CACHE.never,
    });
  });
}
