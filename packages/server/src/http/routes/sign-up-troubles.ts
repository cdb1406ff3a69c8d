import type { Log } from '@pillion/lib/log.ts';
import type { SignUps } from '@pillion/sign-ups/sign-ups.ts';
import type { Troubled } from '@pillion/sign-ups/troubles.ts';
import type { Hono } from 'hono';
import { z } from 'zod';
import { addQuestionRoute, parseQuestion, type QuestionOptions } from '../signed-questions.ts';

interface Options {
  signUps: SignUps;
  questions: QuestionOptions;
  log: Log;
}

/** A question has about a hundred bytes. */
const MAX_BODY_BYTES = 4_096;

const questionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sign-ups.troubles') }),
  z.object({
    type: z.literal('sign-ups.retry'),
    reason: z.string().min(1).max(100),
    form_id: z.number().int().positive().optional(),
    /** Id. Absent: the delivery to WordPress. */
    destination: z.string().min(1).max(100).optional(),
  }),
]);

const toWire = ({ formId, oldestAt, ...trouble }: Troubled) => ({
  ...trouble,
  form_id: formId,
  oldest: new Date(oldestAt).toISOString(),
});

const destinationToWire = ({
  lastDeliveredAt,
  troubles,
  isEnabled,
  ...counts
}: Awaited<ReturnType<SignUps['destinationStatus']>>[number]) => ({
  ...counts,
  enabled: isEnabled,
  last_sent: lastDeliveredAt === null ? null : new Date(lastDeliveredAt).toISOString(),
  troubles: troubles.map(toWire),
});

/**
 * `POST /api/sign-ups/troubles`: WordPress requests the reasons why deliveries fail, or a retry after an editor has
 * fixed the cause. Signed for this endpoint. The response has counts, reasons and messages of WordPress, and nothing
 * that a visitor wrote.
 */
export function troubleRoutes(app: Hono, { signUps, questions, log }: Options): void {
  addQuestionRoute(app, {
    ...{ ...questions, path: '/api/sign-ups/troubles', maxBytes: MAX_BODY_BYTES },
    answer: parseQuestion(questionSchema, async (question) => {
      try {
        return { at: new Date().toISOString(), ...(await answerQuestion(question)) };
      } catch (error) {
        log('error', 'sign-up troubles not read', { error });
        return null;
      }
    }),
    failureText: 'no store',
  });

  async function answerQuestion(question: z.output<typeof questionSchema>) {
    if (question.type === 'sign-ups.troubles') {
      const [troubles, destinations] = await Promise.all([signUps.troubles(), signUps.destinationStatus()]);
      return { troubles: troubles.map(toWire), destinations: destinations.map(destinationToWire) };
    }
    const { reason, form_id: formId, destination = null } = question;
    const count = await signUps.retry({ reason, formId }, destination);
    log('info', 'sign-ups sent again', { reason, form_id: formId ?? null, destination, count });
    return { count };
  }
}
