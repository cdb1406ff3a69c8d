import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlugins, folderOfPlugins } from './plugins.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pillion-owned-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function own(name: string, file: string, head: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, file), head);
}

test('plugins in the folder are found with their version, and each missing one is listed', () => {
  own('gravityforms', 'gravityforms.php', '<?php\n/*\nPlugin Name: Gravity Forms\nVersion: 2.10.2\n*/');
  own('acf', 'acf.php', '<?php\n/**\n * Version:           6.8.1\n */');
  const { found, missing } = findPlugins(folder);
  expect(found.gravityforms).toMatchObject({ version: '2.10.2', file: 'gravityforms/gravityforms.php' });
  expect(found.acf).toMatchObject({ version: '6.8.1', file: 'acf/acf.php' });
  expect(missing).toEqual([
    'Yoast SEO is skipped: there is no wordpress-seo/wp-seo.php.',
    'Polylang is skipped: there is no polylang/polylang.php.',
    'W3 Total Cache is skipped: there is no w3-total-cache/w3-total-cache.php.',
  ]);
});

test.each([
  ['no folder', () => [], 'No folder was named.'],
  ['an option in its place', () => ['--watch'], 'No folder was named.'],
  ['a folder that is not there', () => [join(folder, 'nowhere')], 'There is no folder'],
  ['a file', () => [import.meta.filename], 'is a file.'],
  ['a folder with none of them', () => [folder], 'contains none of the plugins.'],
])('called with %s, it says what is wrong and what to do, with exit code 2', (_what, args, sentence) => {
  let error: unknown = null;
  try {
    folderOfPlugins(args());
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(sentence) });
  expect(error).toMatchObject({ message: expect.stringContaining('npm run test:plugins -- FOLDER') });
});
