import { randomUUID } from 'node:crypto';
import { failure } from '@pillion/content/wordpress/result.ts';
import type { Answers } from '@pillion/forms/form.ts';
import { NO_CAMPAIGN } from '@pillion/lib/attribution.ts';
import type { Purpose } from '@pillion/lib/consent.ts';
import { isUrlOutOfReach, lookupWithin, PRIVATE_ADDRESS_CODE, type Reach } from '@pillion/lib/private-networks.ts';
import type { FormBackend, Outgoing } from '../backends/backend.ts';
import { createReceiver, REFUSALS, remediesFor, verdictOn } from '../backends/webhook.ts';
import type { AcceptedSignUp, CopyDetails } from '../outbox/outbox.ts';

/** An address that gets a copy of each sign-up as a signed message, besides the backend. */
export interface DestinationOptions {
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  /** Only sign-ups whose visitor agreed to it are sent; `none`: all. */
  purpose: Purpose | 'none';
  /** Names of the fields to send: of all forms, or by id of the form. `input_1` includes its parts, as `input_1_3`. */
  fields: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** Addresses besides public ones that it may have. */
  reach: Reach;
  timeoutMs?: number;
}

export interface Destination extends Pick<FormBackend, 'name' | 'submit' | 'interpret' | 'close'> {
  /** The part of a sign-up that it gets; `null`: nothing. */
  copyOf: (signUp: AcceptedSignUp) => { answers: Answers; copy: CopyDetails } | null;
  /** Sends a test message. */
  ping: () => ReturnType<FormBackend['submit']>;
}

const NO_CONSENT = 'no-consent';

/** What an operator can do, by reason. */
export const REMEDIES: Record<string, string> = {
  ...remediesFor('DESTINATION_URL or the address under Pillion → Destinations'),
  'private-address':
    'The address of the destination resolves to a private network: set DESTINATION_PRIVATE=true if it may.',
  [NO_CONSENT]: 'The purpose of the destination changed, and this visitor did not agree to the new purpose.',
};

/** Whether an answer belongs to a chosen field: `input_5`, a part `input_5_3`, or an item of a list `input_5[0]`. */
export const isOfField = (field: string, name: string) =>
  name === field || name.startsWith(`${field}_`) || name.startsWith(`${field}[`);

export function createDestination({ purpose, fields, reach, ...options }: DestinationOptions): Destination {
  const { send, close } = createReceiver({ ...options, lookup: lookupWithin(reach) });
  const isOutOfReach = isUrlOutOfReach(reach, options.url);

  const isAllowed = (consent: readonly Purpose[]) => purpose === 'none' || consent.includes(purpose);
  /** The answers to the chosen fields. */
  const selectAnswers = ({ formId, answers }: Pick<Outgoing, 'formId' | 'answers'>) => {
    const chosen: readonly string[] =
      (Array.isArray(fields) ? fields : (fields as Record<string, readonly string[]>)[formId]) ?? [];
    return Object.fromEntries(
      Object.entries(answers).filter(([name]) => chosen.some((field) => isOfField(field, name))),
    );
  };

  /** The body. Its bytes are the same for every try, as long as the chosen fields do not change. */
  function messageOf({ signUpId, formId, createdAt, answers, copy }: Outgoing): string {
    return JSON.stringify({
      type: 'sign_up.stored',
      timestamp: new Date(createdAt).toISOString(),
      data: {
        sign_up_id: signUpId,
        form_id: formId,
        language: copy?.language ?? '',
        page_path: copy?.pagePath ?? '',
        fields: selectAnswers({ formId, answers }),
        attribution: copy?.attribution ?? NO_CAMPAIGN,
      },
    });
  }

  /** Sends no message to an IP address out of reach. `lookup` checks the addresses of names. */
  const post: typeof send = async (id, message, signal) =>
    isOutOfReach ? failure('network error', PRIVATE_ADDRESS_CODE) : send(id, message, signal);

  return {
    name: 'The destination',
    copyOf({ formId, answers, consent = [], language = '', origin, attribution }) {
      if (!isAllowed(consent)) return null;
      const pagePath = URL.parse(origin?.page ?? '')?.pathname ?? '';
      return {
        answers: selectAnswers({ formId, answers }),
        copy: { pagePath, language, consent, attribution: attribution ?? NO_CAMPAIGN },
      };
    },
    async submit(signUp, signal) {
      // The purpose may have changed since the sign-up was stored.
      if (!isAllowed(signUp.copy?.consent ?? [])) return failure('bad request', NO_CONSENT);
      return post(signUp.signUpId, messageOf(signUp), signal);
    },
    interpret(response, _signUp, now) {
      const problem = response.ok ? null : response.error.message;
      if (problem === NO_CONSENT) return { kind: 'refused', reason: NO_CONSENT, fields: [] };
      if (problem === PRIVATE_ADDRESS_CODE) return { kind: 'failed', reason: 'private-address', retryAfterMs: null };
      // The destination is up: this copy alone has a problem.
      const isRejected = response.ok && REFUSALS.includes(response.data.status);
      if (isRejected) return { kind: 'blocked', reason: `receiver-refused: status ${response.data.status}` };
      return verdictOn(response, now);
    },
    ping() {
      const message = { type: 'ping', timestamp: new Date().toISOString(), data: {} };
      return post(randomUUID(), JSON.stringify(message), new AbortController().signal);
    },
    close,
  };
}
