import { createSecretKey, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'secret-key';

/** In characters. Shorter keys can be guessed; `openssl rand -base64 32` generates 44. */
export const MIN_SECRET_KEY_LENGTH = 16;

function writeKeyFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Generates a key and writes it to disk before it is used. If several servers start at once, the first key wins. */
function generateKey(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeKeyFile(draft, `${randomBytes(32).toString('base64')}\n`);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKey(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Reads the key in `DATA_DIR/secret-key`, or generates it. Only the file's owner may read it.
 * @throws If the file cannot be read or written, or is too short.
 */
export function secretKeyIn(directory: string): string {
  const path = join(directory, FILE);
  const stored = readKey(path);
  if (stored === null) generateKey(path);
  const key = stored ?? readKey(path) ?? '';
  if (key.length < MIN_SECRET_KEY_LENGTH) throw new Error('it contains no key');
  return key;
}

/** Compares a signature in constant time, so that the duration does not reveal the expected one. */
export const isSame = (given: Uint8Array, expected: Uint8Array): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

/**
 * Derives a 32-byte key for one purpose (HKDF, RFC 5869), so that no two parts of the server share a key.
 * @param purpose Each purpose gives a different key.
 */
export const deriveKey = (secretKey: string, purpose: string): KeyObject =>
  // A KeyObject: creating it from bytes on each call would cost more than the encryption.
  createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'pillion', purpose, 32)));
