import { deriveKey } from '@pillion/lib/secret-key.ts';
import { decrypt, encrypt, SEAL_LENGTH } from './outbox/cipher.ts';
import { formatUuid } from './sign-up-ids.ts';

/** Visitors may reload the confirmation page for this long, in milliseconds. Later the address shows nothing. */
const VALID_MS = 600_000;

/** Bytes of a time in milliseconds; a UUID has 16. */
const TIME_BYTES = 6;
const REFERENCE_LENGTH = SEAL_LENGTH + TIME_BYTES + 16;

/**
 * References to sign-ups, for addresses. The id and an expiry time are encrypted, and the form's id is authenticated.
 * So a reference is unreadable, cannot be forged, and is invalid for another form. Any instance with the key reads it.
 */
export function createReferences(secretKey: string, now: () => number = Date.now) {
  const key = deriveKey(secretKey, 'sign-ups: thanks');
  return {
    issue(signUpId: string, formId: number): string {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(now() + VALID_MS, 0, TIME_BYTES);
      const content = Buffer.concat([time, Buffer.from(signUpId.replaceAll('-', ''), 'hex')]);
      return Buffer.concat(encrypt(key, String(formId), content)).toString('base64url');
    },
    /** @returns The sign-up's id; `null` if the reference is forged, expired, or for another form. */
    read(reference: string, formId: number): string | null {
      const bytes = Buffer.from(reference, 'base64url');
      if (bytes.length !== REFERENCE_LENGTH) return null;
      const body = decrypt(key, String(formId), bytes);
      if (!body) return null;
      const remainingMs = body.readUIntBE(0, TIME_BYTES) - now();
      return remainingMs > 0 && remainingMs <= VALID_MS ? formatUuid(body.toString('hex', TIME_BYTES)) : null;
    },
  };
}

export type References = ReturnType<typeof createReferences>;
