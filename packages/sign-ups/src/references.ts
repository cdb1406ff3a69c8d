import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '@pillion/lib/secret-key.ts';

/** Who was just thanked may look again after a while; an address that lies in a history for longer shows nothing. */
const VALID_MS = 600_000;

/** Bytes, as AES-GCM wants them, and of a time in milliseconds and a UUID. */
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const TIME_LENGTH = 6;
const LENGTH = IV_LENGTH + TAG_LENGTH + TIME_LENGTH + 16;

const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Names a sign-up in an address: sealed together with its form, so that it says nothing and cannot be made up or used for
 * another form. Valid for a short time; any instance with the same key reads it.
 */
export function createReferences(secretKey: string, now: () => number = Date.now) {
  const key = deriveKey(secretKey, 'sign-ups: thanks');
  return {
    issue(signUpId: string, formId: number): string {
      const iv = randomBytes(IV_LENGTH);
      const time = Buffer.alloc(TIME_LENGTH);
      time.writeUIntBE(now() + VALID_MS, 0, TIME_LENGTH);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(String(formId)));
      const body = cipher.update(Buffer.concat([time, Buffer.from(signUpId.replaceAll('-', ''), 'hex')]));
      cipher.final();
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    /** @returns The sign-up's id; `null` where the reference is not ours, for another form, or too old. */
    read(reference: string, formId: number): string | null {
      const bytes = Buffer.from(reference, 'base64url');
      if (bytes.length !== LENGTH) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_LENGTH));
      decipher.setAAD(Buffer.from(String(formId)));
      decipher.setAuthTag(bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH));
      const body = decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH));
      try {
        decipher.final();
      } catch {
        return null;
      }
      const left = body.readUIntBE(0, TIME_LENGTH) - now();
      return left > 0 && left <= VALID_MS ? uuidOf(body.toString('hex', TIME_LENGTH)) : null;
    },
  };
}

export type References = ReturnType<typeof createReferences>;
