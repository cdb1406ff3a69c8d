import type { Hono } from 'hono';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { examine } from '../../doctor/doctor.ts';
import type { Line } from '../../doctor/finding.ts';
import { asked, type QuestionOptions, signedQuestions } from '../signed-questions.ts';

/** In bytes. */
const LONGEST_BODY = 1_024;

/** Lifetime of cached findings, in milliseconds. Concurrent requests share one examination. */
const KEPT_MS = 5_000;

const questionSchema = z.object({ type: z.literal('doctor') });

/**
 * `POST /api/doctor`: WordPress requests the findings of the doctor, signed for this endpoint. Other clients get
 * 401, since attackers look for versions and names of plugins.
 */
export function doctorRoutes(app: Hono, config: Config, questions: QuestionOptions): void {
  let kept: { lines: Promise<Line[]>; until: number } | null = null;

  function findings(): Promise<Line[]> {
    if (kept === null || kept.until < performance.now()) {
      const lines = examine({ config, withSite: false, withTrial: false, asStranger: true });
      const own = { lines, until: Number.POSITIVE_INFINITY };
      kept = own;
      // Also the rejection handler: an unhandled rejection would end the process.
      const over = () => {
        own.until = performance.now() + KEPT_MS;
      };
      lines.then(over, over);
    }
    return kept.lines;
  }

  signedQuestions(app, {
    ...{ ...questions, path: '/api/doctor', longest: LONGEST_BODY },
    reply: asked(questionSchema, async () => ({ findings: await findings() })),
    unknown: 'no findings',
  });
}
