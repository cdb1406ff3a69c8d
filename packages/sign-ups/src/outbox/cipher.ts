import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey } from '@pillion/lib/secret-key.ts';

/** The first byte of every sealed payload, so that a later format can be distinguished. */
const VERSION = 1;
/** Bytes for AES-GCM (NIST SP 800-38D): a random nonce of 96 bits and a tag of 128. */
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
/** Bytes that encryption adds. */
export const SEAL_LENGTH = IV_LENGTH + TAG_LENGTH;

const derivePayloadKey = (secretKey: string) => deriveKey(secretKey, 'sign-ups: payload');

/**
 * Encrypts the visitors' answers, so that the store cannot be read without the key (AES-256-GCM).
 * @param secretKey Encrypts and decrypts.
 * @param previous Earlier keys, which only decrypt.
 */
export function createCipher(secretKey: string, previous: readonly string[] = []) {
  const key = derivePayloadKey(secretKey);
  const keys = [key, ...previous.map(derivePayloadKey)];
  const digestKey = deriveKey(secretKey, 'sign-ups: digest');
  return {
    // The id is authenticated too, so a payload in another row cannot be opened.
    seal: (signUpId: string, content: string | Uint8Array): Uint8Array =>
      Buffer.concat([Buffer.of(VERSION), ...encrypt(key, signUpId, content)]),
    /** @throws If it was sealed with another key or for another sign-up, or has been changed. */
    open(signUpId: string, sealed: Uint8Array): Buffer {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== VERSION || bytes.length < 1 + SEAL_LENGTH) throw new Error('not sealed by this version');
      for (const candidate of keys) {
        const body = decrypt(candidate, signUpId, bytes.subarray(1));
        if (body) return body;
      }
      throw new Error('sealed with another key');
    },
    /** A digest to compare texts without revealing them. It is keyed, because short answers could be guessed. */
    digest: (text: string): string => createHmac('sha256', digestKey).update(text).digest('hex'),
  };
}

export type Cipher = ReturnType<typeof createCipher>;

/**
 * Encrypts with AES-256-GCM.
 * @param context Authenticated and not stored.
 * @returns Nonce, tag and encrypted content.
 */
export function encrypt(key: KeyObject, context: string, content: string | Uint8Array): Buffer[] {
  const iv = randomBytes(IV_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const body = cipher.update(content);
  cipher.final();
  return [iv, cipher.getAuthTag(), body];
}

/** @returns `null` if the tag is wrong: another key, another `context`, or changed data. */
export function decrypt(key: KeyObject, context: string, bytes: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_LENGTH))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(IV_LENGTH, SEAL_LENGTH));
  const body = decipher.update(bytes.subarray(SEAL_LENGTH));
  try {
    // GCM returns no further bytes here: `final` only verifies the tag.
    decipher.final();
    return body;
  } catch {
    return null;
  }
}
