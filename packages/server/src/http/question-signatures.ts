import { createHmac } from 'node:crypto';
import { isSame } from '@pillion/lib/secret-key.ts';
import { secretBytes } from '@pillion/lib/standard-webhooks.ts';
import {
  createIdMemory,
  createWebhookVerifier,
  isTooOld,
  type Refusal,
  type SeenIds,
  type SignedMessage,
} from './webhook.ts';

/** Header with the signature of the other headers, verified before the body is read. */
export const HEADERS_SIGNATURE = 'pillion-signature';

/** Prefix of the key's derivation. The plugin derives the same keys (`Connection::key_for`). */
const PURPOSE = 'pillion-question.';

const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * Verifies questions to one endpoint. The key is derived from the shared secret and the path, so that signatures for
 * other endpoints are not valid here.
 * @param secret `whsec_` and base64.
 */
export function createQuestionVerifier(secret: string, path: string, shared?: SeenIds) {
  const key = hmac(secretBytes(secret), PURPOSE + path);
  const verifyWebhook = createWebhookVerifier(`whsec_${key.toString('base64')}`, shared);
  /** Ids of questions whose body was read, so that a replay takes no memory. */
  const readIds = createIdMemory();
  return {
    /**
     * Accepts each question once.
     * @param headersSignature Value of `HEADERS_SIGNATURE`; `signature` can be verified only with the body.
     * @returns Why the body must not be read; `null`: the sender has the key.
     */
    verifyHeaders(
      { id, timestamp, signature }: Omit<SignedMessage, 'body'>,
      headersSignature: string | undefined,
    ): Refusal | null {
      if (!id || !timestamp || !signature || !headersSignature) return 'unsigned';
      const expected = hmac(key, `head.${id}.${timestamp}`);
      if (!isSame(Buffer.from(headersSignature, 'base64'), expected)) return 'wrong signature';
      if (isTooOld(timestamp, Date.now())) return 'too old';
      if (readIds.has(id)) return 'seen before';
      readIds.set(id, true);
      return null;
    },
    /** The whole message, as `createWebhookVerifier` verifies it. */
    verifyWebhook,
  };
}

export type QuestionVerifier = ReturnType<typeof createQuestionVerifier>;

/** The verifier of an endpoint, by its path; `null`: no shared secret. */
export type VerifierFor = (path: string) => QuestionVerifier | null;
