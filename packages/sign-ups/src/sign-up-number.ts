import { createHmac } from 'node:crypto';
import { recordRead } from '@pillion/content/cache/reads.ts';
import { deriveKey, isSame } from '@pillion/lib/secret-key.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';
import type { SignUpStore } from './store/store.ts';

/** A count is cached for this long, in milliseconds. */
const CACHE_MS = 60_000;

/** Pause before the next query after an error of the store, in milliseconds. */
const RETRY_MS = 5_000;

/** Longest wait of a server's first sign-up for the first count, in milliseconds. */
const FIRST_COUNT_TIMEOUT_MS = 300;

/** Sign-ups whose number is remembered, in case they are sent again. */
const MAX_REMEMBERED = 1_000;

/** Length of a signature in bytes: 2^72 values are too many to guess. */
const SIGNATURE_BYTES = 9;

/** A site's use of the number of sign-ups (decision 061). */
export interface SignUpNumberSlot {
  /**
   * The value for pages, as `data-sign-ups` on the root. Cached pages are rendered again when it changes, so the steps
   * should grow with the count.
   */
  step(count: number): number;
  /** SVG above the text of the confirmation. Its colours must be attributes: the page's policy allows no styles. */
  picture?(number: number): string;
}

const NEUTRAL: SignUpNumberSlot = { step: () => 0 };

interface Options {
  slot?: SignUpNumberSlot | undefined;
  /** In milliseconds. */
  now?: () => number;
}

/**
 * The number of sign-ups: those that wait, are being delivered or were delivered. It excludes those that were set
 * aside, refused by the backend, or erased before delivery (decision 051). A delivered row stays without personal data
 * after its erasure, so retention does not change the count.
 */
export function createSignUpNumbers(
  { stats }: Pick<SignUpStore, 'stats'>,
  secretKey: string,
  { slot = NEUTRAL, now = Date.now }: Options = {},
) {
  const key = deriveKey(secretKey, 'sign-up number');
  const numbers = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  let cachedCount: number | null = null;
  /** New sign-ups of this server since the cached count. */
  let newSinceCount = 0;
  let refreshAt = 0;
  let isRefreshing = false;

  async function queryCount(): Promise<void> {
    // Later ones may be missing in the count, so they are still added to it.
    const includedInCount = newSinceCount;
    const { counts } = await stats();
    cachedCount = counts.waiting + counts.leased + counts.delivered;
    newSinceCount -= includedInCount;
  }

  async function refreshCount(): Promise<void> {
    isRefreshing = true;
    try {
      await queryCount();
      refreshAt = now() + CACHE_MS;
    } catch {
      refreshAt = now() + RETRY_MS;
    }
    isRefreshing = false;
  }

  /** Starts a new count if the cached one is too old. @returns The cached count, without a wait; `null`: none yet. */
  function currentCount(): number | null {
    if (!isRefreshing && now() >= refreshAt) void refreshCount();
    return cachedCount;
  }

  const stepNow = (from: number): number | null => {
    const count = currentCount();
    return count === null ? null : slot.step(from + count);
  };

  const signatureOf = (number: number) =>
    createHmac('sha256', key).update(String(number)).digest().subarray(0, SIGNATURE_BYTES).toString('base64url');

  return {
    currentCount,
    /**
     * The step that a page shows. A cached page is rendered again, at most once a minute, when the step changes
     * (decision 036).
     * @param from The editor's starting number.
     * @returns `null`: the count is unknown.
     */
    step(from: number): number | null {
      const step = stepNow(from);
      recordRead(() => ({
        check: () => ({
          standing: stepNow(from) === step ? 'same' : 'changed',
          until: isRefreshing ? now() : Math.max(refreshAt, now()),
        }),
        renew: () => {},
      }));
      return step;
    },
    /** @returns The site's picture of a number as SVG; empty without one. */
    picture: (number: number): string => slot.picture?.(number) ?? '',
    /**
     * The number of a new sign-up. A repeat of the same sign-up gets the same number. It never rejects, because the
     * sign-up is already stored.
     * @param isNew `false` for a repeat, which is already counted.
     * @returns From 1; `null`: the count is unknown. Only a server's first sign-up waits for it, for up to
     *   `FIRST_COUNT_TIMEOUT_MS`.
     */
    async numberOf(signUpId: string, isNew: boolean): Promise<number | null> {
      // A count that starts now already includes this sign-up.
      if (cachedCount === null) await valueWithin(FIRST_COUNT_TIMEOUT_MS, queryCount());
      else if (isNew) newSinceCount += 1;
      currentCount();
      const number = numbers.get(signUpId) ?? (cachedCount === null ? null : Math.max(1, cachedCount + newSinceCount));
      if (number !== null) numbers.set(signUpId, number);
      return number;
    },
    /** The signed number for the address of the confirmation page without script. */
    sign: (number: number): string => `${number}.${signatureOf(number)}`,
    /** @returns `null` if the signature is wrong. */
    readSigned(text: string): number | null {
      const [digits = '', given = ''] = text.split('.');
      if (!/^[1-9]\d{0,15}$/.test(digits)) return null;
      return isSame(Buffer.from(given), Buffer.from(signatureOf(Number(digits)))) ? Number(digits) : null;
    },
  };
}

export type SignUpNumbers = ReturnType<typeof createSignUpNumbers>;
