import type { LookupFunction } from 'node:net';
import type { JsonResponse } from '@pillion/content/wordpress/client.ts';
import { failure, type Result, success } from '@pillion/content/wordpress/result.ts';
import { NO_CAMPAIGN } from '@pillion/lib/attribution.ts';
import { createTransport, readText } from '@pillion/lib/http-transport.ts';
import { signedHeaders } from '@pillion/lib/standard-webhooks.ts';
import { readRetryAfter } from '../delivery/pause.ts';
import type { FormBackend, Outgoing, Verdict } from './backend.ts';

/**
 * Sends each sign-up to any address as a signed `POST` (Standard Webhooks 1.0). The example of a form backend:
 * docs/how-to/form-backend.md.
 */

/** Timeout of one attempt in milliseconds, without files and with the time of the files. A lease is longer. */
const TIMEOUT_MS = 10_000;
const BYTES_PER_MS = 2_000;

/** Longest response that is read, in bytes. */
const MAX_RESPONSE_BYTES = 1_000_000;

/** Statuses that mean "no" for this sign-up, whenever it is sent again. */
export const REFUSALS = [400, 413, 415, 422];

/** What an operator can do for each reason. @param variable The variable with the receiver's address. */
export const remediesFor = (variable: string): Record<string, string> => ({
  'receiver-gone': `The receiver says that its address is gone permanently (410): change ${variable}, then retry.`,
  'receiver-refused': 'The receiver does not accept this sign-up: its log says why. Change it there, then retry.',
  'receiver-redirects': `${variable} redirects, and sign-ups do not follow: set the final address.`,
  'receiver-page': `${variable} answers with a web page, so nothing has accepted the sign-up: check the address.`,
  'receiver-failed': 'The receiver answers with an error: its log says why. Delivery continues when it is over.',
});

export const REMEDIES = remediesFor('FORM_WEBHOOK_URL');

/** The body. Its bytes are the same for every try, so that the receiver can compare them. */
const messageOf = ({ signUpId, formId, createdAt, answers, files = [], origin = null, attribution }: Outgoing) =>
  JSON.stringify({
    type: 'sign_up.created',
    timestamp: new Date(createdAt).toISOString(),
    data: {
      sign_up_id: signUpId,
      form_id: formId,
      answers,
      files: files.map(({ input, name, type, bytes }) => ({
        ...{ input: input.replace(/\[\]$/, ''), name, type },
        content: Buffer.from(bytes).toString('base64'),
      })),
      origin,
      attribution: attribution ?? NO_CAMPAIGN,
    },
  });

/** A website that answers every request with a page has not accepted the sign-up. @param data `null`: too long. */
const isPage = (data: unknown) => typeof data !== 'string' || /^\s*<(?:!|html|head|body)/i.test(data);

/** @param refusals Statuses besides 410 that refuse the sign-up permanently. */
export function verdictOn(response: Result<JsonResponse>, now: number, refusals: readonly number[] = []): Verdict {
  const failed = (reason: string, retryAfter: string | null = null): Verdict => ({
    kind: 'failed',
    reason,
    retryAfterMs: readRetryAfter(retryAfter, now),
  });
  if (!response.ok) return failed(`${response.error.kind}: ${response.error.message}`);
  const { status, data, retryAfter } = response.data;
  const withStatus = (name: string) => `${name}: status ${status}`;
  if (status === 410) return { kind: 'refused', reason: withStatus('receiver-gone'), fields: [] };
  if (refusals.includes(status)) return { kind: 'refused', reason: withStatus('receiver-refused'), fields: [] };
  if (status >= 300 && status < 400) return failed(withStatus('receiver-redirects'));
  if (status < 200 || status >= 400) return failed(withStatus('receiver-failed'), retryAfter);
  return isPage(data) ? failed(withStatus('receiver-page')) : { kind: 'delivered', confirmation: null };
}

export interface WebhookOptions {
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  timeoutMs?: number;
}

interface ReceiverOptions extends WebhookOptions {
  /** Resolves the host. Default: as Node does. */
  lookup?: LookupFunction | undefined;
}

/** Sends signed messages to one address. */
export function createReceiver({ url, secret, timeoutMs = TIMEOUT_MS, lookup }: ReceiverOptions) {
  const transport = createTransport(url, lookup);
  const closing = new AbortController();

  return {
    /** @param id The same for every try. @param message The body, JSON. It never rejects. */
    async send(id: string, message: string, signal: AbortSignal): Promise<Result<JsonResponse>> {
      const body = Buffer.from(message);
      const timeout = AbortSignal.timeout(timeoutMs + Math.ceil(body.byteLength / BYTES_PER_MS));
      const headers = {
        ...{ 'content-type': 'application/json', 'content-length': `${body.byteLength}`, 'user-agent': 'Pillion' },
        ...signedHeaders(secret, id, body, Date.now()),
      };
      try {
        const abort = AbortSignal.any([signal, timeout, closing.signal]);
        const response = await transport.send('', { method: 'POST', headers, body: [body] }, abort);
        const data = await readText(response, MAX_RESPONSE_BYTES);
        response.destroy();
        return success({ status: response.statusCode ?? 0, data, retryAfter: response.headers['retry-after'] ?? null });
      } catch (error) {
        if (timeout.aborted) return failure('timeout', 'the receiver did not answer in time');
        // Only the code: a message may contain the address, which may contain a secret.
        return failure('network error', (error as NodeJS.ErrnoException).code ?? 'the connection broke');
      }
    },
    close() {
      closing.abort();
      transport.close();
    },
  };
}

export function createWebhookBackend(options: WebhookOptions): FormBackend {
  const { send, close } = createReceiver(options);
  return {
    name: 'The receiver of the webhook',
    check: null,
    smallerRoom: null,
    submit: (signUp, signal) => send(signUp.signUpId, messageOf(signUp), signal),
    interpret: (response, _signUp, now) => verdictOn(response, now, REFUSALS),
    close,
  };
}
