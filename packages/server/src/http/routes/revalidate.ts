import { changeFrom } from '@pillion/content/change.ts';
import type { Content } from '@pillion/content/content.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import type { Log } from '@pillion/lib/log.ts';
import type { Hono } from 'hono';
import type { Purge } from '../../cdn/purge.ts';
import type { Instances } from '../../instances/instances.ts';
import { parseJson } from '../body.ts';
import { resolvePath } from '../page-responses.ts';
import type { ReportRefusal } from '../refusals.ts';
import { receiveMessage, type VerifyWebhook } from '../webhook.ts';

interface Options {
  content: Content;
  /** Verifies messages; `null`: all messages are refused, and changes are visible within a minute. */
  verifyWebhook: VerifyWebhook | null;
  instances: Pick<Instances, 'announce'>;
  /** Purges a CDN; `null`: no CDN. */
  purge: Purge | null;
  reportRefusal: ReportRefusal;
  log: Log;
}

/** A message has a few hundred bytes. */
const MAX_BODY_BYTES = 16_384;

/** `POST /api/revalidate`: WordPress reports a change. The response comes when the change is live. */
export function revalidateRoutes(
  app: Hono,
  { content, verifyWebhook, instances, purge, reportRefusal, log }: Options,
): void {
  app.post('/api/revalidate', async (c) => {
    const startedAt = performance.now();
    const respond = (status: 200 | 400 | 401 | 409 | 503, body: object) => c.json(body, status, CACHE.never);
    const refuse = (status: 400 | 401 | 409 | 503, reason: string, message: string) => {
      reportRefusal('change', reason);
      return respond(status, { ok: false, reason, message });
    };
    if (!verifyWebhook)
      return refuse(503, 'not configured', 'Webhooks are off. Set WEBHOOK_SECRET and CONTENT_SOURCE=wordpress.');
    const received = await receiveMessage(c, verifyWebhook, MAX_BODY_BYTES);
    const { refusal } = received;
    if (refusal === 'too long') return c.text('The body is too long for a change.\n', 413);
    if (refusal !== null) return refuse(refusal === 'seen before' ? 409 : 401, refusal, `The message is ${refusal}.`);
    const change = changeFrom(parseJson(received.body));
    if (!change) return refuse(400, 'no change', 'The body is not a change. Expected: { id, type, path, status }.');
    const { type, id, path } = change;
    const { isRead, servers } = await instances.announce(change);
    // Without the change, visitors still get the cached content, so it is not reported as live.
    if (!isRead) return refuse(503, 'WordPress unanswered', 'WordPress did not answer with the change in time.');
    purge?.purgeChange(change);
    // Fetches the page now, so that the next visitor does not wait for WordPress.
    if (path && type !== 'media') await resolvePath(content, path);
    const tookMs = Math.round(performance.now() - startedAt);
    log('info', 'revalidate.done', { type, id, tookMs, servers });
    return respond(200, { ok: true, at: new Date().toISOString(), tookMs, servers });
  });
}
