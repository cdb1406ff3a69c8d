import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  createWebhook,
  IDS_KEPT,
  type Refusal,
  type SeenIds,
  type SignedMessage,
  secretBytes,
  TOLERANCE_S,
} from './webhook.ts';

/** The header that lets a question in before its body is read. */
export const HEAD_SIGNATURE = 'pillion-signature';

/** Says which endpoint a key is for. The plugin derives the same keys (`Connection::question_key`). */
const PURPOSE = 'pillion-question.';

/** Why a question is not believed. `older plugin`: its sender signs no heads yet. */
export type QuestionRefusal = Refusal | 'older plugin';

const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * Verifies questions to one endpoint. The key is derived from the shared secret and the path, so that neither a question to
 * another endpoint nor word of a change is valid here.
 * @param secret `whsec_` and base64.
 * @param now Milliseconds since 1970.
 */
export function createQuestionJudge(secret: string, path: string, shared?: SeenIds, now: () => number = Date.now) {
  const key = hmac(secretBytes(secret), PURPOSE + path);
  const judge = createWebhook(`whsec_${key.toString('base64')}`, shared, now);
  /** Ids of the questions whose body was read: one that was overheard on the way must not take room a second time. */
  const opened = new LRUCache<string, true>({ max: IDS_KEPT, ttl: 2 * TOLERANCE_S * 1000, perf: { now } });
  return {
    /** Lets each question in once. @returns Why no byte of the body may be read; `null`: the sender knows the key. */
    refusalOfHead(said: Omit<SignedMessage, 'body'>, head: string | undefined): QuestionRefusal | null {
      if (!said.id || !said.timestamp || !said.signature) return 'unsigned';
      if (!head) return 'older plugin';
      const expected = hmac(key, `head.${said.id}.${said.timestamp}`);
      const given = Buffer.from(head, 'base64');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'wrong signature';
      if (!(Math.abs(now() / 1000 - Number(said.timestamp)) <= TOLERANCE_S)) return 'too old';
      if (opened.has(said.id)) return 'seen before';
      opened.set(said.id, true);
      return null;
    },
    /** The whole message, as `createWebhook` verifies it. */
    judge,
  };
}

export type QuestionJudge = ReturnType<typeof createQuestionJudge>;

/** The judge of an endpoint, by its path; `null`: there is no shared secret. */
export type JudgeOf = (path: string) => QuestionJudge | null;
