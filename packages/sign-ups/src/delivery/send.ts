import type { Client } from '@pillion/content/wordpress/client.ts';
import { PREFIXES } from '@pillion/content/wordpress/endpoints.ts';
import type { Origin } from '../outbox/payload.ts';
import type { Send } from './delivery.ts';
import { formBody } from './form-body.ts';
import { verdictOn } from './verdict.ts';

/** Taking an entry in sends mail on many sites, and nobody waits for it here, in milliseconds. */
const DEADLINE_MS = 10_000;
/** Files take time of their own: 16 Mbit/s at least. With the largest it stays below a lease. */
const BYTES_PER_MS = 2_000;

/** The companion plugin lets the entry be the visitor's by them, and nobody else reads them. No header has more than ASCII. */
const originHeaders = ({ page, agent, address }: Origin): Record<string, string> => ({
  'pillion-page': page,
  'pillion-agent': encodeURIComponent(agent),
  ...(address !== '' && { 'pillion-address': address }),
});

/**
 * Posts a sign-up as its form would. The same id goes with every attempt, so that a repeat is known as one.
 * @param timeoutMs Deadline of one attempt, which files lengthen; shorter than a lease.
 */
export function createSend(client: Client, timeoutMs = DEADLINE_MS): Send {
  return async ({ signUpId, formId, answers, files = [], origin = null }, signal) => {
    const fields = { ...answers, sign_up_id: signUpId };
    const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    const response = await client.post(`${PREFIXES.forms}/${formId}/submissions`, formBody(fields, files), {
      signal,
      headers: origin ? originHeaders(origin) : {},
      timeoutMs: timeoutMs + Math.ceil(size / BYTES_PER_MS),
    });
    return verdictOn(response, { signUpId, answers }, Date.now());
  };
}
