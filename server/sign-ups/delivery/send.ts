import type { Client } from '../../content/client.ts';
import { PREFIXES } from '../../content/endpoints.ts';
import type { Send } from './delivery.ts';
import { verdictOn } from './verdict.ts';

/** Taking an entry in sends mail on many sites, and nobody waits for it here, in milliseconds. */
const DEADLINE_MS = 10_000;

/**
 * Posts a sign-up as Gravity Forms takes it. The same id goes with every attempt, so that a repeat is known as one.
 * @param timeoutMs Deadline of one attempt; shorter than a lease.
 */
export function createSend(client: Client, timeoutMs = DEADLINE_MS): Send {
  return async ({ signUpId, formId }, answers, signal) => {
    const address = `${PREFIXES.forms}/${formId}/submissions`;
    const answer = await client.post(address, { ...answers, sign_up_id: signUpId }, { signal, timeoutMs });
    return verdictOn(answer, signUpId, Date.now());
  };
}
