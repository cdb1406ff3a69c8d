import type { Form } from '../../../app/content/types.ts';
import { isProof, PROOF_BITS } from './proof.ts';
import { createRateLimit } from './rate-limit.ts';
import { createTokens } from './token.ts';

/** Posts a minute from one network without proof of work; a whole office without script behind one address is fewer. */
const TIGHT_PER_MINUTE = 40;
/** With it. Both together stay below 300 in any minute, whoever mixes them. */
const WIDE_PER_MINUTE = 100;

/** Refusals a minute that one network is told of in a whole page; a flood beyond is not worth rendering one. */
const PAGES_PER_MINUTE = 300;

/** Nobody has read and filled in a form so soon after it was shown, in milliseconds. The contract's limit is 5 s. */
const SOONEST_MS = 3_000;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** One value of what was sent, empty where there is none. */
export const textIn = (sent: FormData, name: string): string => {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
};

/** The id the visitor's browser made; `null` without script, or where it is none. */
export function signUpIdIn(sent: FormData): string | null {
  const id = textIn(sent, 'sign_up_id');
  return UUID.test(id) ? id.toLowerCase() : null;
}

interface Options {
  secretKey: string;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Milliseconds that never jump. */
  ticks?: () => number;
}

/** What stands between the network and a sign-up: limits that refuse, and signs of a machine that only set aside. */
export function createGuards({ secretKey, now, ticks }: Options) {
  const tokens = createTokens(secretKey, now);
  const tight = createRateLimit(TIGHT_PER_MINUTE, ticks);
  const wide = createRateLimit(WIDE_PER_MINUTE, ticks);
  const pages = createRateLimit(PAGES_PER_MINUTE, ticks);

  function hasWorked(sent: FormData): boolean {
    const token = textIn(sent, 'sign_up_token');
    const signUpId = signUpIdIn(sent);
    if (signUpId === null || tokens.ageOf(token) === null) return false;
    return isProof(textIn(sent, 'sign_up_proof'), token, signUpId);
  }

  return {
    /** What a browser needs to vouch for its visitor. @param shownForMs Age of the page, as the browser tells it. */
    challenge: (shownForMs: number) => ({ token: tokens.issue(shownForMs), bits: PROOF_BITS }),
    /** @returns Milliseconds until a post of this network is let in again; 0: it is let in now. */
    waitOf(sent: FormData, network: string): number {
      const limit = hasWorked(sent) ? wide : tight;
      return limit({ network, signUpId: signUpIdIn(sent) });
    },
    /** Whether a network that is asked to wait has had its share of pages that say so. */
    isFlood: (network: string): boolean => pages({ network, signUpId: null }) > 0,
    /** @returns Why this is probably no visitor's, for the operator's eyes; `null` where nothing speaks against it. */
    suspicionOf({ honeypot }: Form, sent: FormData): string | null {
      if (honeypot !== null && textIn(sent, honeypot) !== '') return 'honeypot';
      const age = tokens.ageOf(textIn(sent, 'sign_up_token'));
      return age !== null && age < SOONEST_MS ? `sent ${age} ms after the form was shown` : null;
    },
  };
}

export type Guards = ReturnType<typeof createGuards>;
