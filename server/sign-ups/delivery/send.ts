import type { Client } from '../../content/client.ts';
import { PREFIXES } from '../../content/endpoints.ts';
import type { Outbox } from '../outbox.ts';
import type { Send } from './delivery.ts';
import { multipart } from './multipart.ts';
import { verdictOn } from './verdict.ts';

/** Taking an entry in sends mail on many sites, and nobody waits for it here, in milliseconds. */
const DEADLINE_MS = 10_000;
/** Files take time of their own: 16 Mbit/s at least. With the largest it stays below a lease. */
const BYTES_PER_MS = 2_000;

/**
 * Posts a sign-up as Gravity Forms takes it: JSON, or with files as a browser would, since it takes those in no other
 * way. The same id goes with every attempt, so that a repeat is known as one.
 * @param timeoutMs Deadline of one attempt, which files lengthen; shorter than a lease.
 */
export function createSend(client: Client, { openedOf }: Pick<Outbox, 'openedOf'>, timeoutMs = DEADLINE_MS): Send {
  return async (signUp, answers, signal) => {
    const { signUpId, formId } = signUp;
    const files = openedOf(signUp)?.files ?? [];
    const fields = { ...answers, sign_up_id: signUpId };
    const size = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    const answer = await client.post(
      `${PREFIXES.forms}/${formId}/submissions`,
      files.length > 0 ? multipart(fields, files) : fields,
      {
        signal,
        timeoutMs: timeoutMs + Math.ceil(size / BYTES_PER_MS),
      },
    );
    return verdictOn(answer, signUpId, Date.now());
  };
}
