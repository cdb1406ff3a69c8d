import { CACHE } from '@pillion/lib/cache-control.ts';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { parseJson } from './body.ts';
import type { BodyBudget } from './body-budget.ts';
import { HEADERS_SIGNATURE, type VerifierFor } from './question-signatures.ts';
import type { ReportRefusal } from './refusals.ts';
import { messageHeaders, type Refusal } from './webhook.ts';

/** The members of a response next to `ok`, or why the question has no answer. */
export type Reply = object | 'no question' | 'too long' | null;

export interface QuestionOptions {
  verifierFor: VerifierFor;
  bodies: BodyBudget;
  reportRefusal: ReportRefusal;
}

interface Options extends QuestionOptions {
  path: string;
  /** Longest body, in bytes. */
  maxBytes: number;
  /** @returns `null` if there is no answer now, with the reason `failureText`. */
  answer: (body: Buffer) => Promise<Reply>;
  failureText: string;
}

/** Parses the question of a body for `answer`. */
export const parseQuestion =
  <Question>(schema: z.ZodType<Question>, answer: (question: Question) => Promise<object | null>) =>
  async (body: Buffer): Promise<Reply> => {
    const question = schema.safeParse(parseJson(body));
    return question.success ? answer(question.data) : 'no question';
  };

/**
 * Adds an endpoint that answers questions of WordPress: JSON that is posted and signed for this endpoint only (`question-signatures.ts`). It
 * verifies the headers before it reads the body, and the body before it parses it. Statuses: 200 with the answer, 400
 * no question, 401 not signed, 408 too slow, 409 seen before, 413 too long, 503 no secret, no room or no answer now.
 */
export function addQuestionRoute(app: Hono, options: Options): void {
  const { path, verifierFor, bodies, reportRefusal, maxBytes, answer, failureText } = options;
  const verifier = verifierFor(path);

  const respond = (c: Context, status: 200 | 400 | 401 | 408 | 409 | 413 | 503, body: object) =>
    c.json(body, status, { ...CACHE.never, ...(status === 503 && { 'retry-after': '1' }) });

  const refuse = (c: Context, status: 400 | 401 | 408 | 409 | 413 | 503, reason: string) => {
    reportRefusal('question', reason);
    return respond(c, status, { ok: false, reason });
  };

  const refuseUnverified = (c: Context, reason: Refusal) => refuse(c, reason === 'seen before' ? 409 : 401, reason);

  app.post(path, async (c) => {
    if (!verifier) return refuse(c, 503, 'not configured');
    const headers = messageHeaders(c);
    const refusal = verifier.verifyHeaders(headers, c.req.header(HEADERS_SIGNATURE));
    if (refusal !== null) return refuseUnverified(c, refusal);
    const outcome = await bodies.withBody(c, maxBytes, async (body) => {
      const refusal = await verifier.verifyWebhook({ ...headers, body });
      if (refusal !== null) return refuseUnverified(c, refusal);
      const reply = await answer(body);
      if (reply === 'no question') return refuse(c, 400, reply);
      if (reply === 'too long') return reply;
      return reply === null
        ? respond(c, 503, { ok: false, reason: failureText })
        : respond(c, 200, { ok: true, ...reply });
    });
    if (outcome === 'too long') return refuse(c, 413, outcome);
    if (outcome === 'busy') return refuse(c, 503, outcome);
    if (outcome !== 'too slow') return outcome;
    // Otherwise the server would read the rest of the body before the connection's next request.
    c.header('connection', 'close');
    return refuse(c, 408, outcome);
  });
}
