import { isSame } from '@pillion/lib/secret-key.ts';
import { secretBytes, signatureOf } from '@pillion/lib/standard-webhooks.ts';
import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { isLengthOverLimit, readBody } from './body.ts';

/** Why a message is refused. */
export type Refusal = 'unsigned' | 'wrong signature' | 'too old' | 'seen before';

/** Largest difference of a message's time from now, against replays (standardwebhooks.com: five minutes). */
const TOLERANCE_S = 300;

/** Most stored ids. */
const MAX_SEEN_IDS = 20_000;

/** Whether a message may be a replay by its time, or the time is invalid. @param timestamp Seconds since 1970. */
export function isTooOld(timestamp: string, nowMs: number): boolean {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  return !(Math.abs(nowMs / 1000 - seconds) <= TOLERANCE_S);
}

/** Creates a memory of message ids. It forgets an id when the time of its message is certainly too old. */
export const createIdMemory = (now: () => number = Date.now) =>
  new LRUCache<string, true>({ max: MAX_SEEN_IDS, ttl: 2 * TOLERANCE_S * 1000, perf: { now } });

/** Message ids that several servers share. */
export interface SeenIds {
  /** Stores an id. @returns Whether it is new; also `true` if the store does not answer in time. Never rejects. */
  isNew: (id: string) => Promise<boolean>;
}

/** A message as received. */
export interface SignedMessage {
  id: string | undefined;
  /** Seconds since 1970. */
  timestamp: string | undefined;
  /** Signatures separated by spaces, each `v1,<base64>`. There are two while a secret is replaced. */
  signature: string | undefined;
  body: string | Uint8Array;
}

const NOT_SHARED: SeenIds = { isNew: async () => true };

/**
 * Verifies signed messages (Standard Webhooks 1.0). Its reference library only wraps cryptography that Node includes.
 * @param secret `whsec_` and base64.
 * @param shared Checked after this server's own ids. Default: none.
 * @param now Milliseconds since 1970.
 */
export function createWebhookVerifier(secret: string, shared: SeenIds = NOT_SHARED, now: () => number = Date.now) {
  const key = secretBytes(secret);
  const seenIds = createIdMemory(now);

  const isSigned = ({ id = '', timestamp = '', signature = '', body }: SignedMessage) => {
    const expected = signatureOf(key, id, timestamp, body);
    return signature.split(' ').some((one) => {
      const [version, digest = ''] = one.split(',');
      return version === 'v1' && isSame(Buffer.from(digest, 'base64'), expected);
    });
  };

  /** @returns Why the message is refused; `null`: it is valid, once. */
  return async (message: SignedMessage): Promise<Refusal | null> => {
    const { id, timestamp, signature } = message;
    if (!id || !timestamp || !signature) return 'unsigned';
    // First, so that clients without the secret learn nothing about times or ids.
    if (!isSigned(message)) return 'wrong signature';
    if (isTooOld(timestamp, now())) return 'too old';
    if (seenIds.has(id)) return 'seen before';
    // Before the shared check, so that only one of two concurrent copies passes.
    seenIds.set(id, true);
    return (await shared.isNew(id)) ? null : 'seen before';
  };
}

export type VerifyWebhook = ReturnType<typeof createWebhookVerifier>;

/** The body of a valid message, or the reason for its refusal. */
type Received = { body: Buffer; refusal: null } | { refusal: Refusal | 'too long' };

/** The headers of a message (Standard Webhooks). */
export function messageHeaders(c: Context) {
  const header = (name: string) => c.req.header(`webhook-${name}`);
  return { id: header('id'), timestamp: header('timestamp'), signature: header('signature') };
}

/** Reads and verifies a message of WordPress. The body of an unsigned message is not read. */
export async function receiveMessage(c: Context, verifyWebhook: VerifyWebhook, maxBytes: number): Promise<Received> {
  if (isLengthOverLimit(c, maxBytes)) return { refusal: 'too long' };
  const headers = messageHeaders(c);
  if (!headers.id || !headers.timestamp || !headers.signature) return { refusal: 'unsigned' };
  const body = await readBody(c, maxBytes);
  if (body === null) return { refusal: 'too long' };
  const refusal = await verifyWebhook({ ...headers, body });
  return refusal === null ? { body, refusal } : { refusal };
}
