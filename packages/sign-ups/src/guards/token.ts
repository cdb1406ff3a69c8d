import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '@pillion/lib/secret-key.ts';

/** A visitor may leave a tab open for a day. An older token was probably kept by a machine. */
const LONGEST_AGE_MS = 86_400_000;

/**
 * Tokens say when a form was shown. They are signed, so that nobody can change the time. The server keeps none: every
 * instance with the same key can check them, also after a restart.
 */
export function createTokens(secretKey: string, now: () => number = Date.now) {
  const key = deriveKey(secretKey, 'sign-ups: token');
  const signatureOf = (time: string) => createHmac('sha256', key).update(time).digest();

  return {
    /**
     * @param shownForMs How long the visitor has had the page, in milliseconds. Only her browser knows it, since the page
     * may come from a cache. A machine can lie here, but it must know that it has to.
     */
    issue(shownForMs: number): string {
      const shownFor = Math.min(Math.max(Number.isFinite(shownForMs) ? shownForMs : 0, 0), LONGEST_AGE_MS / 2);
      const time = Math.round(now() - shownFor).toString(36);
      return `${time}.${signatureOf(time).toString('base64url')}`;
    },
    /** @returns Milliseconds since the form was shown. `null` where the token is not ours, or is too old. */
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
