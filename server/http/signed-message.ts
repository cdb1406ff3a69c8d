import type { Context } from 'hono';
import { readBody, saysTooLong } from './body.ts';
import type { Refusal, Webhook } from './webhook.ts';

/** A message that is believed, or why it is not. */
export type Received = { body: string; refusal: null } | { refusal: Refusal | 'too long' };

/**
 * Reads a message that WordPress may have signed. Nothing is read of one that nobody signed.
 * @param longest In bytes.
 */
export async function receive(c: Context, judge: Webhook, longest: number): Promise<Received> {
  if (saysTooLong(c, longest)) return { refusal: 'too long' };
  const header = (name: string) => c.req.header(`webhook-${name}`);
  const said = { id: header('id'), timestamp: header('timestamp'), signature: header('signature') };
  if (!said.id || !said.timestamp || !said.signature) return { refusal: 'unsigned' };
  const read = await readBody(c, longest);
  if (read === null) return { refusal: 'too long' };
  const body = read.toString();
  const refusal = await judge({ ...said, body });
  return refusal === null ? { body, refusal } : { refusal };
}
