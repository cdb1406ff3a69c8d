import type { Context } from 'hono';
import { readBody, saysTooLong } from './body.ts';
import type { Refusal, Webhook } from './webhook.ts';

/** A message that is believed, or why it is not. */
type Received = { body: Buffer; refusal: null } | { refusal: Refusal | 'too long' };

/** What a message says of itself in its headers (Standard Webhooks). */
export function headersOf(c: Context) {
  const header = (name: string) => c.req.header(`webhook-${name}`);
  return { id: header('id'), timestamp: header('timestamp'), signature: header('signature') };
}

/**
 * Reads a message that WordPress may have signed. Nothing is read of one that nobody signed.
 * @param longest In bytes.
 */
export async function receive(c: Context, judge: Webhook, longest: number): Promise<Received> {
  if (saysTooLong(c, longest)) return { refusal: 'too long' };
  const said = headersOf(c);
  if (!said.id || !said.timestamp || !said.signature) return { refusal: 'unsigned' };
  const body = await readBody(c, longest);
  if (body === null) return { refusal: 'too long' };
  const refusal = await judge({ ...said, body });
  return refusal === null ? { body, refusal } : { refusal };
}
