import { hash, randomUUID } from 'node:crypto';
import type { Answers } from '@pillion/forms/form.ts';
import { LRUCache } from 'lru-cache';
import type { AcceptedSignUp } from './outbox/outbox.ts';
import type { SentFile } from './uploads/read-upload.ts';

/** The same post within this time, in milliseconds, is a second press of the button or a reload of the page. */
const REPEAT_MS = 60_000;

/** Maximum number of remembered posts. */
const MAX_REMEMBERED = 10_000;

interface Post {
  /** Network and browser, since two visitors may give the same answers. */
  sender: string;
  form: number;
  answers: Answers;
  sentFiles: SentFile[];
}

const digestOf = (value: unknown) => hash('sha256', JSON.stringify(value), 'buffer');

/** @param hex The 32 digits of a UUID. */
export const formatUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A UUID from the first 16 bytes (RFC 9562, version 8). */
function uuidFromDigest(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return formatUuid(bytes.toString('hex'));
}

/**
 * Ids for sign-ups that are sent without one. The form cannot contain an id, because visitors share cached pages. A
 * second press of the button is recognised by the same sender, form, answers and files within a minute.
 */
export function createSignUpIds() {
  const idsByPost = new LRUCache<string, string>({ max: MAX_REMEMBERED, ttl: REPEAT_MS });
  return {
    /** @returns The id of the same post up to `REPEAT_MS` ago, or a new one. */
    idFor(post: Post | null): string {
      if (post === null) return randomUUID();
      const { sender, form, answers, sentFiles } = post;
      const files = sentFiles.map(({ input, name, size, head }) => [input, name, size, hash('sha256', head)]);
      const key = digestOf([sender, form, answers, files]).toString('base64url');
      const id = idsByPost.get(key) ?? randomUUID();
      idsByPost.set(key, id);
      return id;
    },
  };
}

/** The id of corrected answers, after the backend refused the first ones under `signUpId`. A repeat has the same id. */
export const correctedId = ({ signUpId, answers, files = [] }: AcceptedSignUp): string =>
  uuidFromDigest(digestOf([signUpId, answers, files.map(({ name, bytes }) => [name, hash('sha256', bytes)])]));
