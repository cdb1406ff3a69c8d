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
  const checkContent = async () => ((await content.ready()) ? null : 'no content');
  const checkStore = async () => ((await signUps.ready()) ? null : 'no store for sign-ups');
  /** @param checks Each returns a problem; `null`: there is no problem. */
  const readiness =
    (...checks: (() => Promise<string | null>)[]) =>
    async (c: Context) => {
      draining.noteHealthRequest();
      const drainingProblem = draining.isDraining ? 'this server is about to end' : null;
      const results = [drainingProblem, ...(await Promise.all(checks.map((check) => check())))];
      const problems = results.filter((problem) => problem !== null).join(', ');
      return c.text(`${problems || 'ready'}\n`, problems ? 503 : 200, CACHE.never);
    };

  app.get('/healthz', (c) => {
    draining.noteHealthRequest();
    return c.text('ok\n', 200, CACHE.never);
  });
  app.get('/readyz', readiness(checkContent, checkStore));
  // For a balancer: pages work without the database, and sign-ups work without content.
  app.get('/readyz/pages', readiness(checkContent));
  app.get('/readyz/sign-ups', readiness(checkStore));

  app.get('/metrics', async (c, next) => {
    // Restricted to this machine and private networks; other clients get 404.
    if (!isFromInside(remoteAddress(c), c.req.raw.headers, proxies)) return next();
    return c.text((await metrics.render()) + (await signUps.metricsText()), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      ...CACHE.never,
    });
  });
}
