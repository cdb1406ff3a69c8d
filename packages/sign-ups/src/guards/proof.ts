import { createHash } from 'node:crypto';

/** Leading zero bits of a proof. They take about 8,000 digests: a fraction of a second of a browser's idle time. */
export const PROOF_BITS = 13;

/** In characters. A proof is a number, and no browser reaches a longer one. */
const LONGEST_PROOF = 16;

/**
 * Whether the sender's machine has done the proof of work for this sign-up (SHA-256 with leading zeros, as in
 * Hashcash). A proof is valid for one token and one id only, so no list of used proofs is needed.
 */
export function isProof(proof: string, token: string, signUpId: string): boolean {
  if (proof === '' || proof.length > LONGEST_PROOF) return false;
  const digest = createHash('sha256').update(`${token}:${signUpId}:${proof}`).digest();
  return digest.readUInt32BE(0) >>> (32 - PROOF_BITS) === 0;
}
