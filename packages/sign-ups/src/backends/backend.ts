import type { Confirmation } from '@pillion/content/forms/after-sending.ts';
import type { JsonResponse } from '@pillion/content/wordpress/client.ts';
import type { Result } from '@pillion/content/wordpress/result.ts';
import type { Answers, Form, FormField } from '@pillion/forms/form.ts';
import type { Payload } from '../outbox/outbox.ts';

/**
 * The system that receives the sign-ups. How it writes its forms is a `FormFormat` of `@pillion/content`, because a
 * form is read, stored and bundled with the content.
 */
export interface FormBackend {
  /** For the log. */
  name: string;
  /** Checks what only the backend knows, before a sign-up is stored; `null`: nothing. */
  check: Check | null;
  /** Tells whether the backend's server refuses a size, before an upload is stored; `null`: not known. */
  smallerRoom: SmallerRoom | null;
  /** Sends one sign-up. Every try has the same id, so that the backend recognises a repeat. It never rejects. */
  submit: (signUp: Outgoing, signal: AbortSignal) => Promise<Result<JsonResponse>>;
  /** @param now Milliseconds since 1970. */
  interpret: (response: Result<JsonResponse>, signUp: Outgoing, now: number) => Verdict;
  /** Ends all requests. */
  close: () => void;
}

/** Everything that a backend receives of one sign-up. */
export interface Outgoing
  extends Pick<Payload, 'answers'>,
    Partial<Pick<Payload, 'files' | 'origin' | 'attribution' | 'copy'>> {
  signUpId: string;
  formId: number;
  createdAt: number;
}

/**
 * Result of one attempt. A `reason` is a name (`form-closed`), which may be followed by a colon and the backend's own
 * message without anything that the visitor wrote.
 */
export type Verdict =
  | { kind: 'delivered'; confirmation: Confirmation | null }
  /** The backend read the answers and refused them permanently. */
  | { kind: 'refused'; reason: string; fields: string[] }
  /** The form is closed, or something in the backend blocks the request. An operator can fix it. */
  | { kind: 'blocked'; reason: string }
  /** The backend has not decided. `retryAfterMs`: from `Retry-After`. */
  | { kind: 'failed'; reason: string; retryAfterMs: number | null };

/** The name at the start of a reason. Rows are counted, listed and retried by it. */
export const nameOfReason = (reason: string | null): string => (reason ?? 'new').replace(/[:(].*$/s, '').trim();

export interface Checked {
  /** Message that replaces the form, as plain text; `null`: the form is open. */
  closed: string | null;
  /** Message for each answer that was sent before, by the name of its first control. */
  taken: Record<string, string>;
}

/**
 * Sends no request if the form needs no check. If a check cannot be made, the sign-up is accepted.
 * @param visible The fields that these answers leave visible.
 */
export type Check = (form: Form, visible: FormField[], answers: Answers) => Promise<Checked>;

/**
 * Tells whether the backend's server refuses a request of this size. Such a sign-up would be confirmed, and refused at
 * every delivery.
 * @returns A size that it accepts, in bytes, and what an operator can do; `null` if it accepts this one, or does not
 *   answer: it may be down, and the delivery is retried.
 */
export type SmallerRoom = (bytes: number) => Promise<{ bytes: number; todo: string } | null>;
