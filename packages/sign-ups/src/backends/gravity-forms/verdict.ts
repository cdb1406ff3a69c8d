import type { Confirmation } from '@pillion/content/forms/after-sending.ts';
import { plainText } from '@pillion/content/text/plain-text.ts';
import type { Answer } from '@pillion/content/wordpress/client.ts';
import type { Result } from '@pillion/content/wordpress/result.ts';
import type { Answers } from '@pillion/forms/form.ts';
import { z } from 'zod';
import { readRetryAfter } from '../../delivery/pause.ts';
import type { Outgoing, Verdict } from '../backend.ts';

/** Gravity Forms' (2.10.2) error codes for a form that it does not process, and our names for them. */
const BLOCKED: Record<string, string> = {
  form_not_found: 'form-not-found',
  no_fields: 'form-without-fields',
  form_restriction_error: 'form-closed',
  button_logic_error: 'form-button-hidden',
};

/** Problems that affect all sign-ups, and that end on their own or with a setting in WordPress. */
const UNREACHED: Record<string, string> = {
  rest_no_route: 'rest-api-off',
  submissions_blocked: 'gravity-forms-updating',
};

const submissionSchema = z.discriminatedUnion('is_valid', [
  z.object({
    is_valid: z.literal(true),
    confirmation_type: z.string().catch(''),
    confirmation_message: z.string().catch(''),
    confirmation_redirect: z.string().catch(''),
  }),
  z.object({ is_valid: z.literal(false), validation_messages: z.record(z.string(), z.unknown()).catch({}) }),
]);
type Submission = z.output<typeof submissionSchema>;

const errorSchema = z.object({ code: z.string().regex(/^[\w-]{1,60}$/), message: z.string().catch('') });

/** Longest stored message from WordPress, in characters. */
const LONGEST_WORDS = 200;

/** Words of an answer that could identify a visitor: those with a digit or an @. */
const tokensIn = (answer: string) => answer.split(/\s+/).filter((word) => word.length > 2 && /[\d@]/.test(word));

/** WordPress' message in one line, without anything that the visitor wrote. */
function wordsOf(message: string, answers: Answers): string {
  const given = Object.values(answers).flat();
  const secrets = [...given, ...given.flatMap(tokensIn)]
    .map((text) => text.trim())
    .filter((text) => text.length > 1 && text.length <= message.length);
  let words = plainText(message).replace(/\s+/g, ' ').trim();
  for (const secret of secrets.sort((a, b) => b.length - a.length)) {
    const pattern = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
    words = words.replace(new RegExp(pattern, 'giu'), '…');
  }
  return words.slice(0, LONGEST_WORDS);
}

/**
 * Detects Gravity Forms' error for a repeated id, which a hidden field with "no duplicates" holds. It is recognised by
 * the id alone, since the message is in the editor's language.
 */
function isAlreadyUsed(messages: Record<string, unknown>, signUpId: string): boolean {
  const [message, ...others] = Object.values(messages);
  return others.length === 0 && typeof message === 'string' && message.toLowerCase().includes(signUpId);
}

function confirmationIn(submission: Submission & { is_valid: true }): Confirmation | null {
  const { confirmation_type: type, confirmation_message: html, confirmation_redirect: url } = submission;
  if (type === 'redirect') return url === '' ? null : { type: 'redirect', url };
  return html === '' ? null : { type: 'message', html };
}

type Sent = Pick<Outgoing, 'signUpId' | 'answers'>;

function judged(submission: Submission, { signUpId, answers }: Sent): Verdict {
  if (submission.is_valid) return { kind: 'delivered', confirmation: confirmationIn(submission) };
  const { validation_messages: messages } = submission;
  if (isAlreadyUsed(messages, signUpId)) return { kind: 'delivered', confirmation: null };
  const said = Object.entries(messages).map(([field, message]) => {
    const words = typeof message === 'string' ? wordsOf(message, answers) : '';
    return words === '' ? field : `${field} (${words})`;
  });
  const reason = `answers-refused: ${said.join(', ') || 'no field named'}`;
  return { kind: 'refused', reason, fields: Object.keys(messages) };
}

/** Only an explicit success from WordPress counts as delivered. */
export function verdictOn(response: Result<Answer>, sent: Sent, now: number): Verdict {
  const failed = (reason: string, retryAfter: string | null): Verdict => ({
    kind: 'failed',
    reason,
    retryAfterMs: readRetryAfter(retryAfter, now),
  });
  if (!response.ok) {
    const { kind, message, status, retryAfter = null } = response.error;
    if (status === 413) return failed('body-too-large', retryAfter);
    return failed(`${kind}: ${message}`, retryAfter);
  }
  const { status, data, retryAfter } = response.data;
  if (status === 413) return failed('body-too-large', retryAfter);
  const read = submissionSchema.safeParse(data);
  const isOk = status >= 200 && status < 300;
  if (read.success && (isOk || (status === 400 && !read.data.is_valid))) return judged(read.data, sent);
  const { code = '', message = '' } = errorSchema.safeParse(data).data ?? {};
  const words = wordsOf(message, sent.answers);
  const named = (name: string) => (words === '' ? name : `${name}: ${words}`);
  if (status === 401 || status === 403) return failed(named('key-refused'), retryAfter);
  if (UNREACHED[code]) return failed(named(UNREACHED[code]), retryAfter);
  if (BLOCKED[code]) return { kind: 'blocked', reason: named(BLOCKED[code]) };
  if (status === 400 && code !== '') return { kind: 'blocked', reason: named(`submission-refused ${code}`) };
  return failed(`${status >= 400 ? 'bad request' : 'bad response'}: no verdict, status ${status}`, retryAfter);
}
