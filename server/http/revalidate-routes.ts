import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { Content } from '../content/content.ts';
import type { Log } from '../log.ts';
import { answerPath } from '../pages.ts';
import { createWebhook } from './webhook.ts';

interface Options {
  content: Content;
  /** `null`: changes are seen within a minute, and no message is believed. */
  secret: string | null;
  log: Log;
}

/** A message is a few hundred bytes. */
const LONGEST_BODY = 16_384;

/** What has changed in WordPress. A type nobody here knows may have changed anything. */
const changeSchema = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  type: z.string().catch('anything'),
  path: z.string().startsWith('/').max(2_000).nullish().catch(null),
  status: z.string().nullish().catch(null),
});

/** `POST /api/revalidate`: WordPress says what was changed, and is told when it is on the site. */
export function revalidateRoutes(app: Hono, { content, secret, log }: Options): void {
  const judge = secret === null ? null : createWebhook(secret);

  app.post(
    '/api/revalidate',
    bodyLimit({ maxSize: LONGEST_BODY, onError: (c) => c.text('No change is so long.\n', 413) }),
    async (c) => {
      const begun = performance.now();
      const answer = (status: 200 | 400 | 401 | 409 | 503, said: object) =>
        c.json(said, status, { 'cache-control': 'no-store' });
      if (!judge) return answer(503, { ok: false, message: 'This site takes no messages: set WEBHOOK_SECRET.' });
      const body = await c.req.text();
      const header = (name: string) => c.req.header(`webhook-${name}`);
      const refusal = judge({
        id: header('id'),
        timestamp: header('timestamp'),
        signature: header('signature'),
        body,
      });
      if (refusal !== null) {
        log('warn', 'revalidate.refused', { reason: refusal });
        return answer(refusal === 'seen before' ? 409 : 401, { ok: false, message: `The message is ${refusal}.` });
      }
      const change = changeSchema.safeParse(parsed(body));
      if (!change.success)
        return answer(400, { ok: false, message: 'The body is no change: { id, type, path, status }.' });
      const { type, id, path } = change.data;
      await content.refresh(type, id ?? null);
      // Shown once, so that whoever comes next need not wait for it.
      if (path) await answerPath(content, path);
      const tookMs = Math.round(performance.now() - begun);
      log('info', 'revalidate.done', { type, id: id ?? null, tookMs });
      return answer(200, { ok: true, at: new Date().toISOString(), tookMs });
    },
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
