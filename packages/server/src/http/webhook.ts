import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { readBody, saysTooLong } from './body.ts';

/** Why a message is not believed. */
export type Refusal = 'unsigned' | 'wrong signature' | 'too old' | 'seen before';

/** A message older than this, or from further ahead, may be a recorded one (standardwebhooks.com: five minutes). */
export const TOLERANCE_S = 300;

/** Ids remembered, for as long as their messages could come again. */
export const IDS_KEPT = 20_000;

/** Ids of messages that others have seen too. */
export interface SeenIds {
  /** Notes an id. @returns Whether nobody had seen it; `true` too where nobody can be asked in time. Never rejects. */
  isNew: (id: string) => Promise<boolean>;
}

/** One message as it came. */
export interface SignedMessage {
  id: string | undefined;
  /** Seconds since 1970. */
  timestamp: string | undefined;
  /** One or more signatures apart by spaces, each `v1,<base64>`: two while a secret is changed. */
  signature: string | undefined;
  body: string | Uint8Array;
}

/** @param secret `whsec_` and base64. */
export const secretBytes = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

const ALONE: SeenIds = { isNew: async () => true };

/**
 * Tells messages that whoever holds the secret has just signed from all others (Standard Webhooks 1.0). Its reference
 * library is one HMAC around two packages of cryptography; Node has both built in.
 * @param secret `whsec_` and base64.
 * @param shared Asked after this server's own memory. Default: nobody.
 * @param now Milliseconds since 1970.
 */
export function createWebhook(secret: string, shared: SeenIds = ALONE, now: () => number = Date.now) {
  const key = secretBytes(secret);
  const seen = new LRUCache<string, true>({ max: IDS_KEPT, ttl: 2 * TOLERANCE_S * 1000, perf: { now } });

  const isSigned = ({ id, timestamp, signature = '', body }: SignedMessage) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return signature.split(' ').some((one) => {
      const [version, digest = ''] = one.split(',');
      const given = Buffer.from(digest, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
  };

  /** @returns Why the message is not to be believed; `null`: it is, this once. */
  return async (message: SignedMessage): Promise<Refusal | null> => {
    const { id, timestamp, signature } = message;
    if (!id || !timestamp || !signature) return 'unsigned';
    // Nothing is told of time or ids to whoever cannot sign.
    if (!isSigned(message)) return 'wrong signature';
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (!(Math.abs(now() / 1000 - seconds) <= TOLERANCE_S)) return 'too old';
    if (seen.has(id)) return 'seen before';
    // Before anybody is asked: of two at once one is the first.
    seen.set(id, true);
    return (await shared.isNew(id)) ? null : 'seen before';
  };
}

/** Believes messages that were just signed, each once. */
export type Webhook = ReturnType<typeof createWebhook>;

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
