import { createHmac } from 'node:crypto';
import type { PreviewKind } from '@pillion/content/types.ts';
import { isSame } from '@pillion/lib/secret-key.ts';
import { secretBytes } from '@pillion/lib/standard-webhooks.ts';
import { z } from 'zod';

/** A signed permission of WordPress to see one draft. Members that only WordPress checks are ignored (decision 055). */
export interface Token {
  kind: PreviewKind;
  post: number;
  /** The user who made the token. */
  user: number;
  /** Ends of the time to open it and of its validity, in seconds since 1970. */
  openUntil: number;
  until: number;
  /** The complete token, to be sent to WordPress. */
  text: string;
}

/** Header with the token of a pane, verified before a body is read. A proxy may use `Authorization` itself. */
export const PREVIEW_TOKEN = 'pillion-preview-token';

/** Why a token is refused. */
export type TokenFault = 'wrong' | 'expired';

/** WordPress writes about 300 characters. */
const MAX_TOKEN_LENGTH = 1_000;

const TOKEN_SHAPE = /^([\w-]+)\.([\w-]+)$/;

/** Begins each signed text, so that a signature for another purpose is not valid here. */
const SIGNATURE_PREFIX = 'pillion-preview.';
const OPENED_PREFIX = 'pillion-preview-opened.';

const seconds = z.number().int().nonnegative();
const payloadSchema = z.object({
  k: z.enum(['open', 'pane', 'link']),
  p: z.number().int().positive(),
  u: z.number().int().positive(),
  o: seconds,
  e: seconds,
});

function parsePayload(encoded: string): z.output<typeof payloadSchema> | null {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

/**
 * Verifies the preview tokens of WordPress. Both sides sign with the webhook secret (HMAC: RFC 2104, SHA-256).
 * @param secret `whsec_` and base64.
 * @param now Milliseconds since 1970.
 */
export function createPreviewTokens(secret: string, now: () => number = Date.now) {
  const key = secretBytes(secret);
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  /** @param until Seconds since 1970. */
  const isOver = (until: number) => now() >= until * 1000;
  const isSigned = (signature: string, text: string) => isSame(Buffer.from(signature), Buffer.from(sign(text)));

  function read(text: string): Token | TokenFault {
    const [, encoded = '', signature = ''] = (text.length <= MAX_TOKEN_LENGTH && TOKEN_SHAPE.exec(text)) || [];
    if (encoded === '' || !isSigned(signature, SIGNATURE_PREFIX + encoded)) return 'wrong';
    const payload = parsePayload(encoded);
    if (!payload) return 'wrong';
    const { k: kind, p: post, u: user, o: openUntil, e: until } = payload;
    return isOver(until) ? 'expired' : { kind, post, user, openUntil, until, text };
  }

  /** @returns The token of an address, while it may be opened. */
  function readToOpen(text: string): Token | TokenFault {
    const token = read(text);
    if (typeof token === 'string') return token;
    return isOver(token.openUntil) ? 'expired' : token;
  }

  return {
    /** Reads a token that was opened before. */
    read,
    readToOpen,
    /** The value of the cookie. Its second signature proves that the token was opened in time. */
    sealOpened: ({ text }: Token): string => `${text}~${sign(OPENED_PREFIX + text)}`,
    /** @param value As `sealOpened` returns it. */
    readOpened(value: string): Token | TokenFault {
      const [text = '', countersignature = '', ...more] = value.length <= MAX_TOKEN_LENGTH ? value.split('~') : [];
      if (more.length > 0 || !isSigned(countersignature, OPENED_PREFIX + text)) return 'wrong';
      return read(text);
    },
    /** Remaining validity of a token, in whole seconds. */
    secondsLeft: ({ until }: Token): number => Math.max(0, Math.floor(until - now() / 1000)),
  };
}

export type Tokens = ReturnType<typeof createPreviewTokens>;
