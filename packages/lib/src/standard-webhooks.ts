import { createHmac } from 'node:crypto';

/** Signatures of messages (Standard Webhooks 1.0, standardwebhooks.com). A secret is `whsec_` and base64. */

export const secretBytes = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Whether every implementation accepts the secret: exact base64 of 24 to 64 bytes. */
export function isWebhookSecret(secret: string): boolean {
  const bytes = secretBytes(secret);
  return bytes.length >= 24 && bytes.length <= 64 && secret === `whsec_${bytes.toString('base64')}`;
}

/** @param timestamp Seconds since 1970. */
export const signatureOf = (key: Uint8Array, id: string, timestamp: string, body: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();

/** The three headers of a message. @param id The same for every try. @param now Milliseconds since 1970. */
export function signedHeaders(secret: string, id: string, body: string | Uint8Array, now: number) {
  const timestamp = `${Math.floor(now / 1000)}`;
  const signature = signatureOf(secretBytes(secret), id, timestamp, body).toString('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
