import { createHash } from 'node:crypto';

/** Leading zero bits a proof must have: some 8,000 digests, a fraction of a second in a browser's idle time. */
export const PROOF_BITS = 13;

/** Longest proof, in characters: a number, however long one searched for it. */
const LONGEST_PROOF = 16;

/**
 * Whether somebody's machine has worked for this one sign-up (SHA-256 with leading zeros, as in Hashcash). The proof is
 * made for a token and an id together: for another sign-up it is none, so that none needs to be kept against replay.
 */
export function isProof(proof: string, token: string, signUpId: string): boolean {
  if (proof === '' || proof.length > LONGEST_PROOF) return false;
  const digest = createHash('sha256').update(`${token}:${signUpId}:${proof}`).digest();
  return digest.readUInt32BE(0) >>> (32 - PROOF_BITS) === 0;
}
