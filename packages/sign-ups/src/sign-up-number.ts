import { createHmac, timingSafeEqual } from 'node:crypto';
import { noteRead } from '@pillion/content/cache/reads.ts';
import { deriveKey } from '@pillion/lib/secret-key.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';
import type { SignUpStore } from './store/store.ts';

/** A count is good for so long, in milliseconds: a number that is a minute old disappoints nobody, and costs nothing. */
const KEPT_MS = 60_000;

/** Where the store does not answer it is asked again after so long, in milliseconds. */
const RETRY_MS = 5_000;

/** The first sign-up of a server waits so long for its first count, in milliseconds: the store has just kept it. */
const FIRST_COUNT_MS = 300;

/** Sign-ups whose number is remembered, in case they are sent again. */
const REMEMBERED = 1_000;

/** Bytes of a seal: 2^72 addresses are too many to try for another number. */
const SEAL_BYTES = 9;

/** What a site does with the number of sign-ups (decision 061). */
export interface SignUpNumberSlot {
  /**
   * What pages show of the count, as `data-sign-ups` on the root. A cached page is rendered again when it changes, so it
   * changes the more rarely the larger the count is.
   */
  step(count: number): number;
  /** SVG above the words under the thanks. It brings its own colours as attributes: the policy allows no styles. */
  picture?(number: number): string;
}

/** A site that shows nothing of the count. */
const NEUTRAL: SignUpNumberSlot = { step: () => 0 };

interface Options {
  slot?: SignUpNumberSlot | undefined;
  /** In milliseconds. */
  now?: () => number;
}

/**
 * How many sign-ups there are: those that wait, are being delivered or were delivered. Those that were set aside, refused
 * by WordPress, or erased before they were delivered do not count (decision 051). A delivered row stays when its answers
 * are erased, without anything personal, so the count survives retention.
 */
export function createSignUpNumbers(
  { stats }: Pick<SignUpStore, 'stats'>,
  secretKey: string,
  { slot = NEUTRAL, now = Date.now }: Options = {},
) {
  const key = deriveKey(secretKey, 'sign-up number');
  const numbers = new LRUCache<string, number>({ max: REMEMBERED });
  let kept: number | null = null;
  /** Thanked for here since the count that is kept. */
  let since = 0;
  let askAgainAt = 0;
  let isAsking = false;

  async function ask(): Promise<void> {
    const before = since;
    const { counts } = await stats();
    kept = counts.waiting + counts.leased + counts.delivered;
    since -= before;
  }

  /** Counts again where the count is a minute old. Nobody waits for it. @returns The count; `null`: none is known yet. */
  function known(): number | null {
    if (!isAsking && now() >= askAgainAt) {
      isAsking = true;
      ask()
        .then(
          () => KEPT_MS,
          () => RETRY_MS,
        )
        .then((wait) => {
          askAgainAt = now() + wait;
          isAsking = false;
        });
    }
    return kept;
  }

  const stepNow = (from: number): number | null => {
    const count = known();
    return count === null ? null : slot.step(from + count);
  };

  /** Digits and a seal over them. */
  const seal = (number: number) =>
    createHmac('sha256', key).update(String(number)).digest().subarray(0, SEAL_BYTES).toString('base64url');

  return {
    known,
    /**
     * The step that a page shows. A cached page is rendered again when it would show another (decision 036), at most once
     * a minute.
     * @param from The editor's starting number.
     * @returns `null`: the count is not known.
     */
    step(from: number): number | null {
      const step = stepNow(from);
      noteRead(() => ({
        judge: () => ({
          standing: stepNow(from) === step ? 'same' : 'changed',
          until: isAsking ? now() : Math.max(askAgainAt, now()),
        }),
        renew: () => {},
      }));
      return step;
    },
    /** @returns The site's picture of a number as SVG; blank if there is no picture. */
    picture: (number: number): string => slot.picture?.(number) ?? '',
    /**
     * The number of one who signed up just now: the same again for the same sign-up.
     * @param isNew Whether it is counted; one that was kept before is counted already.
     * @returns From 1; `null`: the count is not known. Nobody waits for it but the first after a start, and not for long.
     *   It never rejects: what is kept is thanked for.
     */
    async numberOf(signUpId: string, isNew: boolean): Promise<number | null> {
      // A count that begins now has this one already.
      if (kept === null) await valueWithin(FIRST_COUNT_MS, ask());
      else if (isNew) since += 1;
      known();
      const number = numbers.get(signUpId) ?? (kept === null ? null : Math.max(1, kept + since));
      if (number !== null) numbers.set(signUpId, number);
      return number;
    },
    /** A number in an address that nobody makes up, for the page that thanks without script. */
    sealed: (number: number): string => `${number}.${seal(number)}`,
    /** @returns `null` where the number was not sealed here. */
    unsealed(text: string): number | null {
      const [digits = '', given = ''] = text.split('.');
      if (!/^[1-9]\d{0,15}$/.test(digits)) return null;
      const [a, b] = [Buffer.from(seal(Number(digits))), Buffer.from(given)];
      return a.length === b.length && timingSafeEqual(a, b) ? Number(digits) : null;
    },
  };
}

export type SignUpNumbers = ReturnType<typeof createSignUpNumbers>;
