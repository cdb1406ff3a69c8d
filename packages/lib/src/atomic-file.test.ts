import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeAtomically } from './atomic-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillion-atomic-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('the new file replaces the old one, and missing folders are created', async () => {
  const path = join(directory, 'a/b/file');
  await writeAtomically(path, 'old');
  await writeAtomically(path, async (file) => {
    await file.writeFile('ne');
    await file.writeFile('w');
  });
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await readdir(join(directory, 'a/b'))).toEqual(['file']);
});

test('the old file stays complete during a write and after a failed one', async () => {
  const path = join(directory, 'file');
  await writeAtomically(path, 'old');
  const failed = writeAtomically(path, async (file) => {
    await file.writeFile('half of the n');
    expect(await readFile(path, 'utf8')).toBe('old');
    throw new Error('the source broke');
  });
  await expect(failed).rejects.toThrow('the source broke');
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(directory)).toEqual(['file']);
});
