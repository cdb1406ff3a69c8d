import type { Hono } from 'hono';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { runChecks } from '../../doctor/doctor.ts';
import type { Line } from '../../doctor/finding.ts';
import { addQuestionRoute, parseQuestion, type QuestionOptions } from '../signed-questions.ts';

const MAX_BODY_BYTES = 1_024;

/** Lifetime of cached findings. Concurrent requests share one examination. */
const CACHE_MS = 5_000;

const questionSchema = z.object({ type: z.literal('doctor') });

/**
 * `POST /api/doctor`: WordPress requests the findings of the doctor, signed for this endpoint. Other clients get
 * 401, since attackers look for versions and names of plugins.
 */
export function doctorRoutes(app: Hono, config: Config, questions: QuestionOptions): void {
  let cached: { lines: Promise<Line[]>; until: number } | null = null;

  function getFindings(): Promise<Line[]> {
    if (cached === null || cached.until < performance.now()) {
      const lines = runChecks({ config, withSite: false, withTrial: false, asStranger: true });
      const examination = { lines, until: Number.POSITIVE_INFINITY };
      cached = examination;
      // Also the rejection handler: an unhandled rejection would end the process.
      const setExpiry = () => {
        examination.until = performance.now() + CACHE_MS;
      };
      lines.then(setExpiry, setExpiry);
    }
    return cached.lines;
  }

  addQuestionRoute(app, {
    ...{ ...questions, path: '/api/doctor', maxBytes: MAX_BODY_BYTES },
    answer: parseQuestion(questionSchema, async () => ({ findings: await getFindings() })),
    failureText: 'no findings',
  });
}
