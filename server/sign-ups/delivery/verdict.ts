import { z } from 'zod';
import type { Answer } from '../../content/client.ts';
import type { Result } from '../../content/result.ts';

/** What WordPress made of one attempt. */
export type Verdict =
  | { kind: 'delivered' }
  /** It read the sign-up and said no. Field ids only: its messages may repeat what the visitor wrote. */
  | { kind: 'refused'; fields: string[] }
  /** Nothing was decided. `retryAfterMs`: WordPress asked to be left alone that long. */
  | { kind: 'failed'; reason: string; retryAfterMs: number | null };

const submissionSchema = z.discriminatedUnion('is_valid', [
  z.object({ is_valid: z.literal(true) }),
  z.object({ is_valid: z.literal(false), validation_messages: z.record(z.string(), z.unknown()).catch({}) }),
]);

/**
 * Gravity Forms' word on a hidden field with "no duplicates" that holds the id: it names the value that "has already been
 * used". Known by the id alone, since the sentence comes in the editor's language.
 */
function isAlreadyUsed(messages: Record<string, unknown>, signUpId: string): boolean {
  const [message, ...others] = Object.values(messages);
  return others.length === 0 && typeof message === 'string' && message.toLowerCase().includes(signUpId);
}

/** Seconds or a date (RFC 9110, 10.2.3). @returns Milliseconds from `now`, `null` where nothing is asked for. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Judges an answer to a submission: only WordPress' own yes counts as one. */
export function verdictOn(answer: Result<Answer>, signUpId: string, now: number): Verdict {
  const failed = (reason: string, retryAfter: string | null): Verdict => ({
    kind: 'failed',
    reason,
    retryAfterMs: readRetryAfter(retryAfter, now),
  });
  if (!answer.ok) {
    const { kind, message, retryAfter = null } = answer.error;
    return failed(`${kind}: ${message}`, retryAfter);
  }
  const { status, data, retryAfter } = answer.data;
  const read = submissionSchema.safeParse(data);
  const isOk = status >= 200 && status < 300;
  if (!read.success || !(isOk || (status === 400 && !read.data.is_valid)))
    return failed(`${status >= 400 ? 'bad request' : 'bad response'}: no verdict, status ${status}`, retryAfter);
  if (read.data.is_valid) return { kind: 'delivered' };
  const { validation_messages: messages } = read.data;
  if (isAlreadyUsed(messages, signUpId)) return { kind: 'delivered' };
  return { kind: 'refused', fields: Object.keys(messages) };
}
