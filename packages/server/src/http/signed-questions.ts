import { CACHE } from '@pillion/lib/cache-control.ts';
import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { jsonOf } from './body.ts';
import type { BodyBudget } from './body-budget.ts';
import { HEAD_SIGNATURE, type VerifierOf } from './question-signatures.ts';
import type { Refuse } from './refusals.ts';
import { headersOf, type Refusal } from './webhook.ts';

/** The members of a response next to `ok`, or why the question has no answer. */
export type Reply = object | 'no question' | 'too long' | null;

export interface QuestionOptions {
  verifierOf: VerifierOf;
  bodies: BodyBudget;
  refused: Refuse;
}

interface Options extends QuestionOptions {
  path: string;
  /** Longest body, in bytes. */
  longest: number;
  /** @returns `null` if there is no answer now, with the reason `unknown`. */
  reply: (body: Buffer) => Promise<Reply>;
  unknown: string;
}

/** Parses the question of a body for `reply`. */
export const asked =
  <Question>(schema: z.ZodType<Question>, reply: (question: Question) => Promise<object | null>) =>
  async (body: Buffer): Promise<Reply> => {
    const question = schema.safeParse(jsonOf(body));
    return question.success ? reply(question.data) : 'no question';
  };

/**
 * Answers questions of WordPress: JSON that is posted and signed for this endpoint only (`question-signatures.ts`). It
 * verifies the headers before it reads the body, and the body before it parses it. Statuses: 200 with the answer, 400
 * no question, 401 not signed, 408 too slow, 409 seen before, 413 too long, 503 no secret, no room or no answer now.
 */
export function signedQuestions(app: Hono, options: Options): void {
  const { path, verifierOf, bodies, refused, longest, reply, unknown } = options;
  const verifier = verifierOf(path);

  const respond = (c: Context, status: 200 | 400 | 401 | 408 | 409 | 413 | 503, body: object) =>
    c.json(body, status, { ...CACHE.never, ...(status === 503 && { 'retry-after': '1' }) });

  const refuse = (c: Context, status: 400 | 401 | 408 | 409 | 413 | 503, reason: string) => {
    refused('question', reason);
    return respond(c, status, { ok: false, reason });
  };

  const disbelieve = (c: Context, reason: Refusal) => refuse(c, reason === 'seen before' ? 409 : 401, reason);

  app.post(path, async (c) => {
    if (!verifier) return refuse(c, 503, 'not configured');
    const said = headersOf(c);
    const refusal = verifier.refusalOfHead(said, c.req.header(HEAD_SIGNATURE));
    if (refusal !== null) return disbelieve(c, refusal);
    const answered = await bodies.withBody(c, longest, async (body) => {
      const refusal = await verifier.verifyWebhook({ ...said, body });
      if (refusal !== null) return disbelieve(c, refusal);
      const found = await reply(body);
      if (found === 'no question') return refuse(c, 400, found);
      if (found === 'too long') return found;
      return found === null ? respond(c, 503, { ok: false, reason: unknown }) : respond(c, 200, { ok: true, ...found });
    });
    if (answered === 'too long') return refuse(c, 413, answered);
    if (answered === 'busy') return refuse(c, 503, answered);
    if (answered !== 'too slow') return answered;
    // Otherwise the server would read the rest of the body before the connection's next request.
    c.header('connection', 'close');
    return refuse(c, 408, answered);
  });
}
