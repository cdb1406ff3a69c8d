import { createHash } from 'node:crypto';

/** Leading zero bits of a proof. It takes some 8,000 digests: a fraction of a second of a browser's idle time. */
export const PROOF_BITS = 13;

/** In characters. A proof is a number, and no search gets to a longer one. */
const LONGEST_PROOF = 16;

/**
 * Whether the sender's machine has worked for this sign-up (SHA-256 with leading zeros, as in Hashcash). A proof is made
 * for one token and one id. It is worth nothing for another sign-up, so no proof needs to be kept against replay.
 */
export function isProof(proof: string, token: string, signUpId: string): boolean {
  if (proof === '' || proof.length > LONGEST_PROOF) return false;
  const digest = createHash('sha256').update(`${token}:${signUpId}:${proof}`).digest();
  return digest.readUInt32BE(0) >>> (32 - PROOF_BITS) === 0;
}
