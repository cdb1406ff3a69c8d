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
      const refuse = (status: 400 | 401 | 409 | 503, reason: string, message: string) => {
        log('warn', 'revalidate.refused', { reason });
        return answer(status, { ok: false, reason, message });
      };
      if (!judge)
        return refuse(503, 'not configured', 'No messages: set WEBHOOK_SECRET, with CONTENT_SOURCE=wordpress.');
      const body = await c.req.text();
      const header = (name: string) => c.req.header(`webhook-${name}`);
      const refusal = judge({
        id: header('id'),
        timestamp: header('timestamp'),
        signature: header('signature'),
        body,
      });
      if (refusal !== null) return refuse(refusal === 'seen before' ? 409 : 401, refusal, `The message is ${refusal}.`);
      const change = changeSchema.safeParse(parsed(body));
      if (!change.success) return refuse(400, 'no change', 'The body is no change: { id, type, path, status }.');
      const { type, id = null, path, status = null } = change.data;
      const isRead = await content.refresh({ type, id, path: path ?? null, status });
      // Not said to be live before it is: what was kept is still what visitors get.
      if (!isRead) return refuse(503, 'WordPress unanswered', 'WordPress did not answer with the change in time.');
      // Shown once, so that whoever comes next need not wait for it.
      if (path) await answerPath(content, path);
      const tookMs = Math.round(performance.now() - begun);
      log('info', 'revalidate.done', { type, id, tookMs });
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
