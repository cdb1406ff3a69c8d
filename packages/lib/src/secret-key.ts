import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'secret-key';

/** Shorter ones can be guessed; `openssl rand -base64 32` makes 44 characters. */
export const SHORTEST_SECRET_KEY = 16;

function write(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a key and puts it on the disk before it is used. Of several first starts at once the first one's key stays. */
function makeKey(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    write(draft, `${randomBytes(32).toString('base64')}\n`);
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
 * The key kept in `DATA_DIR/secret-key`, made where there is none; only its owner may read it.
 * @throws Where it cannot be read or written, or is too short to be one.
 */
export function secretKeyIn(directory: string): string {
  const path = join(directory, FILE);
  const kept = readKey(path);
  if (kept === null) makeKey(path);
  const key = kept ?? readKey(path) ?? '';
  if (key.length < SHORTEST_SECRET_KEY) throw new Error('it holds no key');
  return key;
}

/**
 * Derives a key of 32 bytes for one purpose (HKDF, RFC 5869), so that no two parts of the server share one.
 * @param purpose Named in the key: the same secret gives another key for another purpose.
 */
export const deriveKey = (secretKey: string, purpose: string): KeyObject =>
  // As an object: made anew from bytes with every call it would cost more than the sealing itself.
  createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'pillion', purpose, 32)));
