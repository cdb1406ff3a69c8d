import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBudget } from '../wordpress/budget.ts';
import { createBundle } from './bundle.ts';

test.each([
  ['is no JSON', '{"id": 2 "slug"', /JSON/],
  ['lacks a member', '{"id": 2}', /^wp\/v2\/pages\/2: status/],
])('a bundled page that %s is named once in the log, with the reason', async (_, text, reason) => {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-bundle-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'en/pages'), { recursive: true });
  writeFileSync(join(directory, 'en/pages/2.json'), text);
  const warnings: unknown[] = [];
  const bundle = createBundle(directory, (...warning) => void warnings.push(warning));
  const route = { id: 2, path: '/about/', restBase: 'pages' };
  for (let tries = 0; tries < 2; tries += 1) {
    const page = await bundle.page(route as never, 'en', { budget: createBudget(5_000) });
    expect(page.ok).toBe(false);
  }
  await bundle.strings('en', { budget: createBudget(5_000) });
  expect(warnings).toEqual([
    ['content.file-unusable', { file: 'en/pages/2.json', reason: expect.stringMatching(reason) }],
  ]);
});

test('a bundled file that was missing is read as soon as it exists', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-bundle-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const bundle = createBundle(directory, () => {});
  const readStrings = () => bundle.strings('en', { budget: createBudget(5_000) });
  expect((await readStrings()).ok).toBe(false);
  mkdirSync(join(directory, 'en'));
  writeFileSync(join(directory, 'en/strings.json'), '{"brand": "B"}');
  expect((await readStrings()).ok).toBe(true);
});
