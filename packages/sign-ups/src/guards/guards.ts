import { createHmac, hash } from 'node:crypto';
import type { Form } from '@pillion/forms/form.ts';
import { deriveKey, isSame } from '@pillion/lib/secret-key.ts';
import { createAllowances, createRateLimit, MINUTE_MS, REPEAT_MS, REPEATS_PER_MINUTE } from './rate-limit.ts';
import { type Account, NOT_SHARED, type SharedAccounts, type Use } from './shared-accounts.ts';

/** Posts a minute from one network without proof of work. An office without script behind one address sends fewer. */
const WITHOUT_PROOF_PER_MINUTE = 40;
/** Posts a minute from one network with proof of work. A network that mixes both stays below 300 in any minute. */
const WITH_PROOF_PER_MINUTE = 100;

/** All posts a minute from one network, repeats too. At most twice as many pass in any minute, so 300 never do. */
const ALL_PER_MINUTE = 145;

/** Refusals a minute that one network gets as a whole page. Rendering is expensive, so further ones are plain text. */
const REFUSAL_PAGES_PER_MINUTE = 300;

/** A person needs at least this long to read and fill in a form, in milliseconds. */
const MIN_AGE_MS = 3_000;

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** @returns A sent value, or an empty text. */
export const textField = (sent: FormData, name: string): string => {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
};

/** @returns The id that the visitor's browser generated; `null` if it is missing, as without script, or malformed. */
export function signUpIdIn(sent: FormData): string | null {
  const id = textField(sent, 'sign_up_id');
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

/** @param key Identifies the account in the database, so servers of two versions must use the same keys. */
const accountOf = (key: string, perMinute: number): Account => ({
  key,
  costMs: MINUTE_MS / perMinute,
  windowMs: MINUTE_MS,
});

/** A post with the limits that all servers share. They are the same as those of one server. */
function sharedUseOf(network: string, signUpId: string | null, isProven: boolean): Use {
  const every = accountOf(`all ${network}`, ALL_PER_MINUTE);
  const first = isProven
    ? accountOf(`wide ${network}`, WITH_PROOF_PER_MINUTE)
    : accountOf(`tight ${network}`, WITHOUT_PROOF_PER_MINUTE);
  if (signUpId === null) return { accounts: [every, first], once: null };
  const again = accountOf(`repeats ${network}`, REPEATS_PER_MINUTE);
  return { accounts: [every], once: { key: `${network} ${signUpId}`, forMs: REPEAT_MS, first, again } };
}

/** A visitor may leave a tab open for a day. An older token was probably stored by a spam program. */
const MAX_AGE_MS = 86_400_000;

/**
 * Signed tokens that hold the time when a form was shown. The server stores none: every instance with the same key can
 * verify them, also after a restart.
 */
function createTokens(secretKey: string, now: () => number = Date.now) {
  const key = deriveKey(secretKey, 'sign-ups: token');
  const signatureOf = (time: string) => createHmac('sha256', key).update(time).digest();

  return {
    /**
     * @param shownForMs Age of the visitor's page, in milliseconds. Only the browser knows it, since the page may come
     *   from a cache. A client can send a false value.
     */
    issue(shownForMs: number): string {
      const shownFor = Math.min(Math.max(Number.isFinite(shownForMs) ? shownForMs : 0, 0), MAX_AGE_MS / 2);
      const time = Math.round(now() - shownFor).toString(36);
      return `${time}.${signatureOf(time).toString('base64url')}`;
    },
    /** @returns Milliseconds since the form was shown; `null` if the signature is wrong or the token is too old. */
    ageOf(token: string): number | null {
      const [time = '', signature = ''] = token.split('.');
      const sentSignature = Buffer.from(signature, 'base64url');
      if (!isSame(sentSignature, signatureOf(time))) return null;
      const age = now() - Number.parseInt(time, 36);
      return age >= 0 && age <= MAX_AGE_MS ? age : null;
    },
  };
}

/** Leading zero bits of a proof. They take about 8,000 digests: a fraction of a second of a browser's idle time. */
export const PROOF_BITS = 13;

/** In characters. A proof is a number, and no browser reaches a longer one. */
const MAX_PROOF_LENGTH = 16;

/**
 * Whether the sender's machine has done the proof of work for this sign-up (SHA-256 with leading zeros, as in
 * Hashcash). A proof is valid for one token and one id only, so no list of used proofs is needed.
 */
export function isProof(proof: string, token: string, signUpId: string): boolean {
  if (proof === '' || proof.length > MAX_PROOF_LENGTH) return false;
  const digest = hash('sha256', `${token}:${signUpId}:${proof}`, 'buffer');
  return digest.readUInt32BE(0) >>> (32 - PROOF_BITS) === 0;
}

/** Guards the sign-ups: limits refuse posts, and signs of spam only set a sign-up aside. */
export function createGuards({ secretKey, accounts = NOT_SHARED, now, ticks }: Options) {
  const tokens = createTokens(secretKey, now);
  const withoutProofLimit = createRateLimit(WITHOUT_PROOF_PER_MINUTE, ticks);
  const withProofLimit = createRateLimit(WITH_PROOF_PER_MINUTE, ticks);
  const allPostsLimit = createAllowances(ALL_PER_MINUTE, ticks ?? (() => performance.now()));
  const pageLimit = createRateLimit(REFUSAL_PAGES_PER_MINUTE, ticks);

  function hasProof(sent: FormData): boolean {
    const token = textField(sent, 'sign_up_token');
    const signUpId = signUpIdIn(sent);
    if (signUpId === null || tokens.ageOf(token) === null) return false;
    return isProof(textField(sent, 'sign_up_proof'), token, signUpId);
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
    async countPost(sent: FormData, network: string): Promise<number> {
      const isProven = hasProof(sent);
      const signUpId = signUpIdIn(sent);
      const wait =
        allPostsLimit.waitOf(network) || (isProven ? withProofLimit : withoutProofLimit)({ network, signUpId });
      if (wait > 0) return wait;
      // Charged last, so that a post that the other limit refuses is not charged.
      allPostsLimit.charge(network);
      return accounts.take(sharedUseOf(network, signUpId, isProven));
    },
    /** Whether the network has used up its allowance of rendered refusals. */
    isFlood: (network: string): boolean => pageLimit({ network, signUpId: null }) > 0,
    /** @returns Why this is probably spam, for the operator. `null`: no sign of it. */
    suspicionOf({ honeypot }: Form, sent: FormData): string | null {
      if (honeypot !== null && textField(sent, honeypot) !== '') return 'honeypot';
      const age = tokens.ageOf(textField(sent, 'sign_up_token'));
      return age !== null && age < MIN_AGE_MS ? `sent ${age} ms after the form was shown` : null;
    },
  };
}

export type Guards = ReturnType<typeof createGuards>;
