import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '@pillion/lib/secret-key.ts';

/** A visitor may leave a tab open for a day. An older token was probably stored by a spam program. */
const LONGEST_AGE_MS = 86_400_000;

/**
 * Signed tokens that hold the time when a form was shown. The server stores none: every instance with the same key can
 * verify them, also after a restart.
 */
export function createTokens(secretKey: string, now: () => number = Date.now) {
  const key = deriveKey(secretKey, 'sign-ups: token');
  const signatureOf = (time: string) => createHmac('sha256', key).update(time).digest();

  return {
    /**
     * @param shownForMs Age of the visitor's page, in milliseconds. Only the browser knows it, since the page may come
     *   from a cache. A client can send a false value.
     */
    issue(shownForMs: number): string {
      const shownFor = Math.min(Math.max(Number.isFinite(shownForMs) ? shownForMs : 0, 0), LONGEST_AGE_MS / 2);
      const time = Math.round(now() - shownFor).toString(36);
      return `${time}.${signatureOf(time).toString('base64url')}`;
    },
    /** @returns Milliseconds since the form was shown; `null` if the signature is wrong or the token is too old. */
    ageOf(token: string): number | null {
      const [time = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = signatureOf(time);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const age = now() - Number.parseInt(time, 36);
      return age >= 0 && age <= LONGEST_AGE_MS ? age : null;
    },
  };
}
