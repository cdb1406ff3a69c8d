import type { Hono } from 'hono';
import type { z } from 'zod';
import { CACHE } from '../lib/cache-control.ts';
import { receive } from './signed-message.ts';
import type { Webhook } from './webhook.ts';

interface Options<Question> {
  path: string;
  /** `null`: nobody is believed to be WordPress. */
  judge: Webhook | null;
  /** Longest body, in bytes, and what is said of a longer one. */
  longest: number;
  tooLong: string;
  question: z.ZodType<Question>;
  /** @returns What is answered beside `ok`; `null` where it cannot be found out now, and the reason is `unknown`. */
  reply: (question: Question) => Promise<object | null>;
  unknown: string;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/**
 * Takes questions of WordPress: posted JSON, signed as its messages of a change are (Standard Webhooks). Statuses: 200 with
 * the answer, 400 no question, 401 not signed, 409 seen before, 413 too long, 503 no secret or no answer now.
 */
export function signedQuestions<Question>(app: Hono, options: Options<Question>): void {
  const { path, judge, longest, tooLong, question, reply, unknown } = options;

  app.post(path, async (c) => {
    const respond = (status: 200 | 400 | 401 | 409 | 503, body: object) => c.json(body, status, CACHE.never);
    if (!judge) return respond(503, { ok: false, reason: 'not configured' });
    const received = await receive(c, judge, longest);
    const { refusal } = received;
    if (refusal === 'too long') return c.text(tooLong, 413);
    if (refusal !== null) return respond(refusal === 'seen before' ? 409 : 401, { ok: false, reason: refusal });
    const asked = question.safeParse(parsed(received.body));
    if (!asked.success) return respond(400, { ok: false, reason: 'no question' });
    const found = await reply(asked.data);
    return found === null ? respond(503, { ok: false, reason: unknown }) : respond(200, { ok: true, ...found });
  });
}
