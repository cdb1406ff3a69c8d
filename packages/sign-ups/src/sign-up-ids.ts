import { createHash, randomUUID } from 'node:crypto';
import type { Answers } from '@pillion/forms/form.ts';
import { LRUCache } from 'lru-cache';
import type { TakenSignUp } from './outbox/outbox.ts';
import type { SentFile } from './uploads/read-upload.ts';

/** A second press of the button, or a page sent again, comes this soon, in milliseconds. The same from another visitor hardly does. */
const REPEAT_MS = 60_000;

/** Posts remembered. */
const KEPT = 10_000;

/** What one press of the button sends. */
interface Post {
  /** Network and browser: two visitors may well say the same. */
  sender: string;
  form: number;
  answers: Answers;
  sentFiles: SentFile[];
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest();

/** A UUID of 16 bytes that are given (RFC 9562, version 8). */
function uuidOf(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Ids of sign-ups that come without one. The form cannot hold one: pages are cached, so all readers would share it. A
 * second press of the button is known by this: the same visitor sends the same answers right after.
 */
export function createSignUpIds(now: () => number = () => performance.now()) {
  const seen = new LRUCache<string, string>({ max: KEPT, ttl: REPEAT_MS, perf: { now } });
  return {
    /** @returns The id of the same post a moment ago, or a new one. */
    idFor(post: Post | null): string {
      if (post === null) return randomUUID();
      const { sender, form, answers, sentFiles } = post;
      const files = sentFiles.map(({ input, name, size, head }) => [
        input,
        name,
        size,
        createHash('sha256').update(head).digest().toString('hex'),
      ]);
      const key = digestOf([sender, form, answers, files]).toString('base64url');
      const id = seen.get(key) ?? randomUUID();
      seen.set(key, id);
      return id;
    },
  };
}

/** The id of answers that were corrected after WordPress had refused those under `signUpId`: always the same for both. */
export const correctedId = ({ signUpId, answers, files = [] }: TakenSignUp): string =>
  uuidOf(
    digestOf([
      signUpId,
      answers,
      files.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest().toString('hex')]),
    ]),
  );
