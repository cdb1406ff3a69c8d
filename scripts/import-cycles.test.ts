import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cyclesIn, reportOf } from './import-cycles.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pillion-cycles-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes the files below `app/`. @returns What the check says of them. */
function checked(files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, 'app', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return reportOf(cyclesIn(root, ['app']));
}

const B = { 'b/b.ts': `export { a } from '../a/a.ts';` };

test.each([
  ['of a value', { 'a/a.ts': `import { b } from '../b/b.ts'; export const a = b;` }],
  ['of a type', { 'a/a.ts': `import type { b } from '../b/b.ts'; export const a: b = 1;` }],
  ['of a type in its place', { 'a/a.ts': `export let a: import('../b/b.ts').b;` }],
  ['at its time', { 'a/a.ts': `export const a = () => import('../b/b.ts');` }],
  ['that is passed on', { 'a/a.ts': `export * from '../b/b.ts';` }],
  ['of all that a pattern names', { 'a/a.ts': `export const a = import.meta.glob('../b/*.ts');` }],
  ['of a thread', { 'a/a.ts': `export const a = new URL('../b/b.ts', import.meta.url);` }],
])('an import %s makes a cycle, and its files are named', (_, a) => {
  const said = checked({ ...a, ...B });
  expect(said).toContain('These folders import each other: app/a, app/b');
  expect(said).toContain('  app/a/a.ts imports app/b/b.ts');
  expect(said).toContain('  app/b/b.ts imports app/a/a.ts');
});

test("an import in JavaScript's comments makes a cycle", () => {
  const a = `/** @type {import('../b/b.ts').B} */\nexport const a = 1;`;
  expect(checked({ 'a/a.mjs': a, 'b/b.ts': `export { a } from '../a/a.mjs';` })).toContain('app/a, app/b');
});

test('a cycle over three folders is seen, though no two files import each other', () => {
  const said = checked({
    'a/one.ts': `import '../b/one.ts';`,
    'a/two.ts': '',
    'b/one.ts': `import '../b/c/one.ts';`,
    'b/c/one.ts': `import '../../a/two.ts';`,
  });
  expect(said).toContain('app/a, app/b, app/b/c');
});

test('folders that import in one direction, files of one folder and tests make none', () => {
  const said = checked({
    'a/a.ts': `import '../b/b.ts'; import './c.ts'; import 'node:fs';`,
    'a/c.ts': `import './a.ts';`,
    'b/b.ts': '',
    'b/b.test.ts': `import '../a/a.ts';`,
  });
  expect(said).toBe('');
});
