import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'pillion-create-'));
const programs = mkdtempSync(join(tmpdir(), 'pillion-create-'));

beforeAll(() => {
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\necho "npm error code ENOSPC" >&2; exit 1\n');
  chmodSync(join(programs, 'npm'), 0o755);
});
afterAll(() => {
  for (const one of [folder, programs]) rmSync(one, { recursive: true });
});

/** Runs the command with an npm that always fails. */
function create(...words: string[]) {
  const { status, stderr } = spawnSync(process.execPath, ['packages/create-pillion/src/create-pillion.mjs', ...words], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
    input: '',
    timeout: 30_000,
  });
  return { status, said: stderr.trim() };
}

test('refuses a name without quotes, and a folder that is a file or cannot be made', () => {
  const site = join(folder, 'site');
  expect(create(site, '--name', 'My', 'Brand')).toEqual({
    status: 1,
    said: 'Name one folder, without "Brand". Put a name of several words in quotes: --name "My Brand"',
  });
  expect(create('package.json')).toEqual({
    status: 1,
    said: expect.stringMatching(/^\S+ is a file\. Name a new folder\.$/),
  });
  expect(create('/proc/none/site')).toEqual({
    status: 1,
    said: '/proc/none/site cannot be written (ENOENT). Name another folder.',
  });
});

test('leaves an empty folder empty and a new one away if npm fails, and prints its error', () => {
  for (const place of [folder, join(folder, 'site')])
    expect(create(place)).toEqual({ status: 1, said: expect.stringContaining('ENOSPC') });
  expect(readdirSync(folder)).toEqual([]);
});
