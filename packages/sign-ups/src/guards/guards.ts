import type { Form } from '@pillion/forms/form.ts';
import { isProof, PROOF_BITS } from './proof.ts';
import { createAccounts, createRateLimit, MINUTE_MS, REPEAT_MS, REPEATS_PER_MINUTE } from './rate-limit.ts';
import { type Account, NOT_SHARED, type SharedAccounts, type Use } from './shared-accounts.ts';
import { createTokens } from './token.ts';

/** Posts a minute from one network without proof of work. A whole office without script behind one address sends fewer. */
const TIGHT_PER_MINUTE = 40;
/** Posts a minute from one network with proof of work. A network that mixes both stays below 300 in any minute. */
const WIDE_PER_MINUTE = 100;

/** All posts a minute from one network, repeats too. At most twice as many pass in any minute, so 300 never do. */
const ALL_PER_MINUTE = 145;

/** Refusals a minute that one network gets as a whole page. Rendering is expensive, so further ones are plain text. */
const PAGES_PER_MINUTE = 300;

/** A person needs at least this long to read and fill in a form, in milliseconds. */
const SOONEST_MS = 3_000;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** @returns A sent value, or an empty text. */
export const textIn = (sent: FormData, name: string): string => {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
};

/** @returns The id that the visitor's browser generated; `null` if it is missing, as without script, or malformed. */
export function signUpIdIn(sent: FormData): string | null {
  const id = textIn(sent, 'sign_up_id');
  return UUID.test(id) ? id.toLowerCase() : null;
}

interface Options {
  secretKey: string;
  /** Limits that all servers share. Default: none. */
  accounts?: SharedAccounts;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Monotonic clock, in milliseconds. */
  ticks?: () => number;
}

const account = (key: string, perMinute: number): Account => ({
  key,
  costMs: MINUTE_MS / perMinute,
  windowMs: MINUTE_MS,
});

/** A post with the limits that all servers share. They are the same as those of one server. */
function sharedUse(network: string, signUpId: string | null, isWide: boolean): Use {
  const every = account(`all ${network}`, ALL_PER_MINUTE);
  const first = isWide ? account(`wide ${network}`, WIDE_PER_MINUTE) : account(`tight ${network}`, TIGHT_PER_MINUTE);
  if (signUpId === null) return { accounts: [every, first], once: null };
  const again = account(`repeats ${network}`, REPEATS_PER_MINUTE);
  return { accounts: [every], once: { key: `${network} ${signUpId}`, forMs: REPEAT_MS, first, again } };
}

/** Guards the sign-ups: limits refuse posts, and signs of spam only set a sign-up aside. */
export function createGuards({ secretKey, accounts = NOT_SHARED, now, ticks }: Options) {
  const tokens = createTokens(secretKey, now);
  const tight = createRateLimit(TIGHT_PER_MINUTE, ticks);
  const wide = createRateLimit(WIDE_PER_MINUTE, ticks);
  const all = createAccounts(ALL_PER_MINUTE, ticks ?? (() => performance.now()));
  const pages = createRateLimit(PAGES_PER_MINUTE, ticks);

  function hasWorked(sent: FormData): boolean {
    const token = textIn(sent, 'sign_up_token');
    const signUpId = signUpIdIn(sent);
    if (signUpId === null || tokens.ageOf(token) === null) return false;
    return isProof(textIn(sent, 'sign_up_proof'), token, signUpId);
  }

  return {
    /**
     * Creates the challenge that a browser solves.
     * @param shownForMs Age of the page in milliseconds, as reported by the browser.
     */
    challenge: (shownForMs: number) => ({ token: tokens.issue(shownForMs), bits: PROOF_BITS }),
    /**
     * Counts a post. This server's limits come first, so a post that it refuses causes no shared request.
     * @returns Milliseconds until the network may post again. 0: this post is accepted.
     */
    async waitOf(sent: FormData, network: string): Promise<number> {
      const isWide = hasWorked(sent);
      const signUpId = signUpIdIn(sent);
      const wait = all.waitOf(network) || (isWide ? wide : tight)({ network, signUpId });
      if (wait > 0) return wait;
      all.charge(network);
      return accounts.take(sharedUse(network, signUpId, isWide));
    },
    /** Whether the network has used up its allowance of rendered refusals. */
    isFlood: (network: string): boolean => pages({ network, signUpId: null }) > 0,
    /** @returns Why this is probably spam, for the operator. `null`: no sign of it. */
    suspicionOf({ honeypot }: Form, sent: FormData): string | null {
      if (honeypot !== null && textIn(sent, honeypot) !== '') return 'honeypot';
      const age = tokens.ageOf(textIn(sent, 'sign_up_token'));
      return age !== null && age < SOONEST_MS ? `sent ${age} ms after the form was shown` : null;
    },
  };
}

export type Guards = ReturnType<typeof createGuards>;
