import { z } from 'zod';
import type { Answer } from './client.ts';
import { plainText } from './plain-text.ts';
import { failure, type Result, success } from './result.ts';
import type { Rewriter } from './rewrite.ts';
import { richText } from './rich-text.ts';
import { text } from './schemas.ts';

/** What WordPress made of a sign-up. */
export type Submission =
  | { isValid: true; confirmation: { type: 'message'; html: string } | { type: 'redirect'; url: string } }
  /** Messages by input name: `input_1`. */
  | { isValid: false; errors: Record<string, string> };

const submissionSchema = z.discriminatedUnion('is_valid', [
  z.object({
    is_valid: z.literal(true),
    confirmation_message: text.catch(''),
    /** Comes with a `Location` header, which is not followed. */
    confirmation_redirect: text.catch(''),
  }),
  z.object({
    is_valid: z.literal(false),
    validation_messages: z.record(z.string(), z.unknown()).catch({}),
  }),
]);

/** Gravity Forms names a message by its field, sometimes by one part of it. */
const errorsOf = (messages: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [`input_${id.replace('.', '_')}`, plainText(String(message))]),
  );

/** Reads Gravity Forms' word on a sign-up: 200 with a confirmation, or 400 with what is wrong. */
export function submissionOf({ status, data }: Answer, rewriter: Rewriter): Result<Submission> {
  const read = submissionSchema.safeParse(data);
  const isAnswer = read.success && (read.data.is_valid ? status < 300 : status === 400 || status < 300);
  if (!isAnswer)
    return failure(status >= 400 ? 'bad request' : 'bad response', `submissions: status ${status}`, status);
  if (!read.data.is_valid) return success({ isValid: false, errors: errorsOf(read.data.validation_messages) });
  const url = rewriter.link(read.data.confirmation_redirect);
  if (url !== null) return success({ isValid: true, confirmation: { type: 'redirect', url } });
  return success({
    isValid: true,
    confirmation: { type: 'message', html: richText(read.data.confirmation_message, rewriter) },
  });
}
