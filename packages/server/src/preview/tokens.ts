import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PreviewKind } from '@pillion/content/types.ts';
import { z } from 'zod';

/** A right to see one draft, as WordPress has signed it. What only WordPress checks is handed on unread (decision 055). */
export interface Token {
  kind: PreviewKind;
  /** Number of the post it was made for. */
  post: number;
  /** Number of the user who made it. */
  user: number;
  /** Until when it may be opened, and until when it shows anything, in seconds since 1970. */
  openUntil: number;
  until: number;
  /** As it came, to be handed on to WordPress. */
  text: string;
}

/** Why a token is not believed. */
export type TokenFault = 'wrong' | 'expired';

/** Longer texts are no token: WordPress writes some 300 characters. */
const LONGEST = 1_000;

const SHAPE = /^([\w-]+)\.([\w-]+)$/;

/** What is signed is named, so that nothing that was signed for another purpose is taken for it. */
const PURPOSE = 'pillion-preview.';
const OPENED = 'pillion-preview-opened.';

const seconds = z.number().int().nonnegative();
const payloadSchema = z.object({
  k: z.enum(['open', 'pane', 'link']),
  p: z.number().int().positive(),
  u: z.number().int().positive(),
  o: seconds,
  e: seconds,
});

function payloadOf(encoded: string): z.output<typeof payloadSchema> | null {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

const isSame = (given: string, expected: string) =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

/**
 * Reads the tokens of previews. WordPress makes them; both sides sign with the secret of the messages (RFC 2104, SHA-256).
 * @param secret `whsec_` and base64.
 * @param now Milliseconds since 1970.
 */
export function createTokens(secret: string, now: () => number = Date.now) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');

  function read(text: string): Token | TokenFault {
    const [, encoded = '', signature = ''] = (text.length <= LONGEST && SHAPE.exec(text)) || [];
    if (encoded === '' || !isSame(signature, sign(PURPOSE + encoded))) return 'wrong';
    const payload = payloadOf(encoded);
    if (!payload) return 'wrong';
    const { k: kind, p: post, u: user, o: openUntil, e: until } = payload;
    return now() < until * 1000 ? { kind, post, user, openUntil, until, text } : 'expired';
  }

  /** @returns The token of an address somebody follows, while it may still be opened. */
  function opening(text: string): Token | TokenFault {
    const token = read(text);
    return typeof token === 'string' || now() < token.openUntil * 1000 ? token : 'expired';
  }

  return {
    /** A token that was opened before, while it shows anything. */
    read,
    opening,
    /** What the cookie holds. An address alone, pasted into a cookie when it can no longer be opened, is worth nothing. */
    opened: ({ text }: Token): string => `${text}~${sign(OPENED + text)}`,
    /** @param value As the cookie came. */
    readOpened(value: string): Token | TokenFault {
      const [text = '', countersignature = '', ...more] = value.length <= LONGEST ? value.split('~') : [];
      if (more.length > 0 || !isSame(countersignature, sign(OPENED + text))) return 'wrong';
      return read(text);
    },
    /** Whole seconds that a token still shows anything. */
    secondsLeft: ({ until }: Token): number => Math.max(0, Math.floor(until - now() / 1000)),
  };
}

export type Tokens = ReturnType<typeof createTokens>;
