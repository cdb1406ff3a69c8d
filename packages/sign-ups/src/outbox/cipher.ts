import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey } from '@pillion/lib/secret-key.ts';

/** First byte of what is sealed, so that another way can follow and know its own. */
const VERSION = 1;
/** Bytes, as AES-GCM wants them (NIST SP 800-38D): 96 bits chosen at random, a tag of 128. */
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const HEAD_LENGTH = 1 + IV_LENGTH + TAG_LENGTH;

/** Keeps what visitors wrote unreadable to whoever finds the file without the key (AES-256-GCM). */
export interface Cipher {
  seal: (signUpId: string, content: string | Uint8Array) => Uint8Array;
  /** @throws Where it was sealed with another key or for another sign-up, or was changed since. */
  open: (signUpId: string, sealed: Uint8Array) => Buffer;
  /** Tells whether two texts are the same without telling either: keyed, since answers are short enough to be guessed. */
  digest: (text: string) => string;
}

const payloadKey = (secretKey: string) => deriveKey(secretKey, 'sign-ups: payload');

/**
 * @param secretKey Seals, and opens.
 * @param previous Keys that sealed before it was changed: they open only.
 */
export function createCipher(secretKey: string, previous: readonly string[] = []): Cipher {
  const key = payloadKey(secretKey);
  const keys = [key, ...previous.map(payloadKey)];
  const digestKey = deriveKey(secretKey, 'sign-ups: digest');
  return {
    seal(signUpId, content) {
      const iv = randomBytes(IV_LENGTH);
      // The id is authenticated along: a payload moved to another row does not open.
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(signUpId));
      const body = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content);
      cipher.final();
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body]);
    },
    open(signUpId, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== VERSION || bytes.length < HEAD_LENGTH) throw new Error('not sealed by this version');
      for (const one of keys) {
        const body = opened(one, signUpId, bytes);
        if (body) return body;
      }
      throw new Error('sealed with another key');
    },
    digest: (text) => createHmac('sha256', digestKey).update(text).digest('hex'),
  };
}

/** @returns `null` where the tag does not fit: another key, another sign-up, or changed since. */
function opened(key: KeyObject, signUpId: string, bytes: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + IV_LENGTH))
    .setAAD(Buffer.from(signUpId))
    .setAuthTag(bytes.subarray(1 + IV_LENGTH, HEAD_LENGTH));
  const body = decipher.update(bytes.subarray(HEAD_LENGTH));
  try {
    // In this mode nothing is left over at the end: it only checks the tag.
    decipher.final();
    return body;
  } catch {
    return null;
  }
}
