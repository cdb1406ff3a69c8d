import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretKeyIn } from '@pillion/lib/secret-key.ts';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';
import { createCipher } from './cipher.ts';

const cipher = createCipher('a secret of the tests');
const { folder } = undoAfterEach();

test('sealed data is unreadable, and opens only for its sign-up with its key', () => {
  const sealed = cipher.seal('id-1', 'ada@example.org');
  expect(Buffer.from(sealed).toString('latin1')).not.toContain('ada@example');
  expect(cipher.open('id-1', sealed).toString()).toBe('ada@example.org');
  expect(cipher.open('id-1', cipher.seal('id-1', ''))).toEqual(Buffer.alloc(0));
  const notThisKey = 'sealed with another key';
  expect(() => cipher.open('id-2', sealed)).toThrow(notThisKey);
  expect(() => createCipher('another secret, as long').open('id-1', sealed)).toThrow(notThisKey);
  for (const [at, message] of [
    [0, 'not sealed by this version'],
    [sealed.length - 1, notThisKey],
  ] as const) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => cipher.open('id-1', changed)).toThrow(message);
  }
  expect(() => cipher.open('id-1', sealed.subarray(0, 28))).toThrow('not sealed by this version');
});

test('data that an earlier release stored still opens, and its digest is the same', () => {
  const stored = Buffer.from('AfxnH2wrZnz8Fz1zEW/+n4JQlCdbjvEUckQNpeH26VtMcZy1b5MMj4qPkCY=', 'base64');
  expect(cipher.open('id-1', stored).toString()).toBe('ada@example.org');
  expect(cipher.digest('x')).toBe('d20aceb0fc12d01db8a4450a970132a816bf2435d0e60755fa68f5785bafebbc');
});

test('after a change of the key, old keys open old data and do not seal new data', () => {
  const first = cipher.seal('id-1', 'ada@example.org');
  const second = createCipher('the second secret key').seal('id-2', 'grace@example.org');
  const third = createCipher('the third secret key', ['the second secret key', 'a secret of the tests']);
  expect(third.open('id-1', first).toString()).toBe('ada@example.org');
  expect(third.open('id-2', second).toString()).toBe('grace@example.org');
  expect(() => third.open('id-1', second)).toThrow();
  const sealed = third.seal('id-3', 'x');
  expect(() => cipher.open('id-3', sealed)).toThrow();
  expect(createCipher('the third secret key').open('id-3', sealed).toString()).toBe('x');
});

test('the same answers give different ciphertexts, and other digests with another key', () => {
  expect(Buffer.from(cipher.seal('id', 'x')).equals(Buffer.from(cipher.seal('id', 'x')))).toBe(false);
  expect(cipher.digest('x')).not.toBe(createCipher('another secret, as long').digest('x'));
});

test('a key is generated once, only its owner can read it, and no other file remains', () => {
  const directory = folder();
  const key = secretKeyIn(directory);
  expect(key).toHaveLength(44);
  expect(secretKeyIn(directory)).toBe(key);
  expect(readdirSync(directory)).toEqual(['secret-key']);
  expect(statSync(join(directory, 'secret-key')).mode & 0o777).toBe(0o600);
});

test('a key file without a key is an error and not replaced, because sealed data would be lost', () => {
  const directory = folder();
  writeFileSync(join(directory, 'secret-key'), '\n');
  expect(() => secretKeyIn(directory)).toThrow('contains no key');
});
