import { randomBytes } from 'node:crypto';
import type { Confirmation } from '@pillion/content/forms/after-sending.ts';
import { plainText } from '@pillion/content/text/plain-text.ts';
import { type Client, Encoded, type JsonResponse } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import type { Result } from '@pillion/content/wordpress/result.ts';
import type { Answers, FormField } from '@pillion/forms/form.ts';
import { namesOf } from '@pillion/forms/rules.ts';
import { escapeRegExp } from '@pillion/lib/escape.ts';
import { z } from 'zod';
import { readRetryAfter } from '../../delivery/pause.ts';
import type { Origin, StoredFile } from '../../outbox/outbox.ts';
import type { Check, Checked, FormBackend, Outgoing, Verdict } from '../backend.ts';
import { createSizeCheck } from './room.ts';

/** Timeout in milliseconds. On many sites WordPress sends mail before it responds, and no visitor waits for this. */
const TIMEOUT_MS = 10_000;
/** Extra time for files, at 16 Mbit/s. With the largest files the timeout stays shorter than a lease. */
const BYTES_PER_MS = 2_000;

/** Headers from which the companion plugin fills in the entry's page, browser and address. Headers are ASCII only. */
const originHeaders = ({ page, agent, address }: Origin): Record<string, string> => ({
  'pillion-page': page,
  'pillion-agent': encodeURIComponent(agent),
  ...(address !== '' && { 'pillion-address': address }),
});

/**
 * Gravity Forms, or the plugin's own forms, which answer the same requests: WordPress decides which of them it has.
 * A sign-up is sent like Gravity Forms' own form sends it.
 * @param timeoutMs Timeout of one attempt without files. It must be shorter than a lease.
 */
export const createGravityForms = (client: Client, timeoutMs = TIMEOUT_MS): FormBackend => ({
  name: 'WordPress',
  check: createCheck(client),
  smallerRoom: createSizeCheck(client),
  submit({ signUpId, formId, answers, files = [], origin = null, attribution = null }, signal) {
    // Not a header: a long campaign would exceed the limits of web servers.
    const campaign = attribution ? { pillion_attribution: JSON.stringify(attribution) } : {};
    const fields = { ...answers, sign_up_id: signUpId, ...campaign };
    const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    return client.post(`${PREFIXES.forms}/${formId}/submissions`, encodeForm(fields, files), {
      signal,
      headers: origin ? originHeaders(origin) : {},
      timeoutMs: timeoutMs + Math.ceil(size / BYTES_PER_MS),
    });
  },
  interpret: interpretResponse,
  close: client.close,
});

/** Each item of a list is sent as `name[]`, which PHP reads as a list. */
const formPairs = (answers: Answers): [string, string][] =>
  Object.entries(answers).flatMap(([name, answer]): [string, string][] =>
    typeof answer === 'string' ? [[name, answer]] : answer.map((one) => [`${name}[]`, one]),
  );

/** Escaped as in browsers (WHATWG, "multipart/form-data encoding algorithm"). */
const escapeName = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

function encodeMultipart(answers: Answers, files: StoredFile[]): Encoded {
  // Not a UUID: `sign_up_id` must be the only one in the request.
  const boundary = `----pillion${randomBytes(18).toString('hex')}`;
  const partHeader = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${more}\r\n`;
  const texts = formPairs(answers).map(([name, value]) => `${partHeader(name)}\r\n${value}\r\n`);
  const parts = files.flatMap(({ input, name, type, bytes }) => [
    Buffer.from(`${partHeader(input, `; filename="${escapeName(name)}"`)}Content-Type: ${type}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const chunks = [Buffer.from(texts.join('')), ...parts, Buffer.from(`--${boundary}--\r\n`)];
  return new Encoded(`multipart/form-data; boundary=${boundary}`, chunks);
}

/**
 * Encodes a sign-up as a browser does. Not as JSON: Gravity Forms 2.10.2 removes backslashes from JSON values,
 * including those that the visitor typed.
 */
function encodeForm(answers: Answers, files: StoredFile[]): Encoded {
  if (files.length > 0) return encodeMultipart(answers, files);
  const text = new URLSearchParams(formPairs(answers)).toString();
  return new Encoded('application/x-www-form-urlencoded', [Buffer.from(text)]);
}

/** Longest wait for WordPress' checks, in milliseconds. Without a response the sign-up is accepted. */
const CHECK_TIMEOUT_MS = 1500;

/** Longest header, in characters. Many servers reject headers above 8 KB. */
const MAX_HEADER_LENGTH = 6000;

const checkSchema = z.object({
  closed: z.object({ message: z.string() }).nullish(),
  /** PHP encodes an empty object as a list. */
  taken: z.preprocess((value) => (Array.isArray(value) ? {} : value), z.record(z.string(), z.string())),
});

const NO_PROBLEM: Checked = { closed: null, taken: {} };

/** For a header, because access logs contain addresses and the answers are personal data. */
const encodeHeader = (answers: Answers) => Buffer.from(JSON.stringify(answers)).toString('base64url');

/** Answers that must be unique, by control name; none if they are too long for a header. */
function uniqueAnswers(visible: FormField[], answers: Answers): Answers {
  const names = visible.filter(({ isUnique }) => isUnique).flatMap(namesOf);
  const unique = Object.fromEntries(names.flatMap((name) => (answers[name]?.length ? [[name, answers[name]]] : [])));
  return encodeHeader(unique).length > MAX_HEADER_LENGTH ? {} : unique;
}

function createCheck(client: Pick<Client, 'get'>): Check {
  return async (form, visible, answers) => {
    const unique = uniqueAnswers(visible, answers);
    if (Object.keys(unique).length === 0 && !form.isLimited) return NO_PROBLEM;
    const path = `${PREFIXES.checks}/${form.id}/check`;
    const headers = { 'x-pillion-answers': encodeHeader(unique) };
    const response = await client.get(path, { timeoutMs: CHECK_TIMEOUT_MS, headers });
    const result = response.ok ? checkSchema.safeParse(response.data).data : undefined;
    if (!result) return NO_PROBLEM;
    const taken = visible.flatMap(({ id, inputs: [first] }) => {
      const message = result.taken[id];
      return message && first ? [[first.name, plainText(message)] as const] : [];
    });
    return {
      closed: result.closed ? plainText(result.closed.message) : null,
      taken: Object.fromEntries(taken),
    };
  };
}

/** Gravity Forms' (2.10.2) error codes for a form that it does not process, and our names for them. */
const BLOCKED: Record<string, string> = {
  form_not_found: 'form-not-found',
  no_fields: 'form-without-fields',
  form_restriction_error: 'form-closed',
  button_logic_error: 'form-button-hidden',
};

/** Problems that affect all sign-ups, and that end on their own or with a setting in WordPress. */
const UNAVAILABLE: Record<string, string> = {
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
const MAX_MESSAGE_LENGTH = 200;

/** Words of an answer that could identify a visitor: those with a digit or an @. */
const identifyingWords = (answer: string) =>
  answer.split(/\s+/).filter((word) => word.length > 2 && /[\d@]/.test(word));

/** WordPress' message in one line, without anything that the visitor wrote. */
function redactMessage(message: string, answers: Answers): string {
  const given = Object.values(answers).flat();
  const secrets = [...given, ...given.flatMap(identifyingWords)]
    .map((text) => text.trim())
    .filter((text) => text.length > 1 && text.length <= message.length);
  let words = plainText(message).replace(/\s+/g, ' ').trim();
  for (const secret of secrets.sort((a, b) => b.length - a.length)) {
    const pattern = escapeRegExp(secret).replace(/\s+/g, '\\s+');
    words = words.replace(new RegExp(pattern, 'giu'), '…');
  }
  return words.slice(0, MAX_MESSAGE_LENGTH);
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

function verdictOnSubmission(submission: Submission, { signUpId, answers }: Outgoing): Verdict {
  if (submission.is_valid) return { kind: 'delivered', confirmation: confirmationIn(submission) };
  const { validation_messages: messages } = submission;
  if (isAlreadyUsed(messages, signUpId)) return { kind: 'delivered', confirmation: null };
  const problems = Object.entries(messages).map(([field, message]) => {
    const words = typeof message === 'string' ? redactMessage(message, answers) : '';
    return words === '' ? field : `${field} (${words})`;
  });
  const reason = `answers-refused: ${problems.join(', ') || 'no field named'}`;
  return { kind: 'refused', reason, fields: Object.keys(messages) };
}

/** Only an explicit success from WordPress counts as delivered. */
function interpretResponse(response: Result<JsonResponse>, sent: Outgoing, now: number): Verdict {
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
  const submission = submissionSchema.safeParse(data);
  const isOk = status >= 200 && status < 300;
  if (submission.success && (isOk || (status === 400 && !submission.data.is_valid)))
    return verdictOnSubmission(submission.data, sent);
  const { code = '', message = '' } = errorSchema.safeParse(data).data ?? {};
  const words = redactMessage(message, sent.answers);
  const withMessage = (name: string) => (words === '' ? name : `${name}: ${words}`);
  if (status === 401 || status === 403) return failed(withMessage('key-refused'), retryAfter);
  if (UNAVAILABLE[code]) return failed(withMessage(UNAVAILABLE[code]), retryAfter);
  if (BLOCKED[code]) return { kind: 'blocked', reason: withMessage(BLOCKED[code]) };
  if (status === 400 && code !== '') return { kind: 'blocked', reason: withMessage(`submission-refused ${code}`) };
  return failed(`${status >= 400 ? 'bad request' : 'bad response'}: no verdict, status ${status}`, retryAfter);
}
