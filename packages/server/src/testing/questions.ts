import { createHmac, randomUUID } from 'node:crypto';
import { secretBytes, signedHeaders } from '@pillion/lib/standard-webhooks.ts';

const mac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * The headers of a signed question from WordPress.
 * @param path The endpoint for which the question is signed.
 * @param secret `whsec_` and base64.
 */
export function questionHeaders(path: string, body: string, secret: string): Record<string, string> {
  const key = mac(secretBytes(secret), `pillion-question.${path}`);
  const id = `msg_${randomUUID()}`;
  const headers = signedHeaders(`whsec_${key.toString('base64')}`, id, body, Date.now());
  const headText = `head.${id}.${headers['webhook-timestamp']}`;
  return { ...headers, 'pillion-signature': mac(key, headText).toString('base64') };
}
