import { createHmac, randomUUID } from 'node:crypto';

const mac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * The headers of a signed question from WordPress.
 * @param path The endpoint for which the question is signed.
 * @param secret `whsec_` and base64.
 */
export function questionHeaders(path: string, body: string, secret: string): Record<string, string> {
  const [id, time] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1000))];
  const key = mac(Buffer.from(secret.replace('whsec_', ''), 'base64'), `pillion-question.${path}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${mac(key, `${id}.${time}.${body}`).toString('base64')}`,
    'pillion-signature': mac(key, `head.${id}.${time}`).toString('base64'),
  };
}
