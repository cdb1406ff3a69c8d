import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../secret-key.ts';

/** A tab left open for a day is still a visitor's; an older token was kept by somebody for something else. */
const LONGEST_AGE_MS = 86_400_000;

/**
 * Tokens that say when a form was shown, signed, so that their age cannot be made up afterwards. They are not kept: any
 * instance and any restart with the same key knows them.
 */
export function createTokens(secretKey: string, now: () => number = Date.now) {
  const key = deriveKey(secretKey, 'sign-ups: token');
  const signatureOf = (time: string) => createHmac('sha256', key).update(time).digest();

  return {
    /**
     * @param shownForMs How long the visitor has had the page, as her browser tells it: the page may come from a cache, so
     * that nobody else knows. A machine that lies here must know to.
     */
    issue(shownForMs: number): string {
      const shownFor = Math.min(Math.max(Number.isFinite(shownForMs) ? shownForMs : 0, 0), LONGEST_AGE_MS / 2);
      const time = Math.round(now() - shownFor).toString(36);
      return `${time}.${signatureOf(time).toString('base64url')}`;
    },
    /** @returns How long ago the form was shown, in milliseconds; `null` where the token is not ours, or too old. */
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
