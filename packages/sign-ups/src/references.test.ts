import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createReferences } from './references.ts';

test('a reference gives the sign-up’s id for ten minutes, only with the key, and does not contain it', () => {
  let now = 1_800_000_000_000;
  const references = createReferences('a secret of the tests', () => now);
  const id = randomUUID();
  const reference = references.issue(id, 1);
  expect(reference).toMatch(/^[\w-]+$/);
  expect(Buffer.from(reference, 'base64url').toString('hex')).not.toContain(id.slice(0, 8));
  expect(references.read(reference, 1)).toBe(id);
  expect(references.read(reference, 2), 'of another form').toBeNull();
  expect(createReferences('another secret, as long', () => now).read(reference, 1)).toBeNull();
  for (const wrong of ['', 'x', `A${reference.slice(1)}`, `${reference}AA`])
    expect(references.read(wrong, 1)).toBeNull();
  const fromLater = createReferences('a secret of the tests', () => now + 1).issue(id, 1);
  expect(references.read(fromLater, 1)).toBeNull();
  now += 599_999;
  expect(references.read(reference, 1)).toBe(id);
  now += 1;
  expect(references.read(reference, 1)).toBeNull();
});
