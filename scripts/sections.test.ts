import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A copy of the input and output, because each test changes it. */
const PARTS = ['packages/react/src/sections', 'packages/react/src/templates', 'plugins/pillion/blocks', 'package.json'];
const WRITTEN = 'plugins/pillion/blocks/sections.json';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pillion-declarations-'));
  for (const part of PARTS) cpSync(part, join(root, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function sections(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/sections.mjs', root, ...args], { encoding: 'utf8' });
  return { status, said: stderr };
}

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

const change = (path: string, from: string, to: string) => {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toContain(from);
  write(path, text.replace(from, to));
};

const QUOTE = 'packages/react/src/sections/quote/section.ts';

test('the plugin’s committed files match the declarations', () => {
  expect(sections('--check')).toEqual({ status: 0, said: '' });
});

test('after a changed declaration the check names the file and the command that updates it', () => {
  change(QUOTE, "title: 'Large quote'", "title: 'Words'");
  const { status, said } = sections('--check');
  expect(status).toBe(1);
  expect(said).toContain(WRITTEN);
  expect(said).toContain('npm run build');
  expect(sections()).toEqual({ status: 0, said: '' });
  expect(readFileSync(join(root, WRITTEN), 'utf8')).toContain('"title": "Words"');
  expect(sections('--check').status).toBe(0);
});

test('removing a section removes its editor part', () => {
  rmSync(join(root, 'packages/react/src/sections/hero'), { recursive: true });
  expect(sections('--check').said).toContain('blocks/edit/hero.js');
  expect(sections().status).toBe(0);
  expect(existsSync(join(root, 'plugins/pillion/blocks/edit/hero.js'))).toBe(false);
});

test.each([
  [
    'an unknown kind',
    "kind: 'inline'",
    "kind: 'headline'",
    /the field "quote" is of the kind "headline".*Use one of text, inline/,
  ],
  ['a field without a label', "label: 'Quote', ", '', /the field "quote" has no label\. Add one/],
  ['a name that is not the folder’s', "name: 'quote'", "name: 'saying'", /Use the name of its folder: "quote"/],
  ['no title', "title: 'Large quote',", '', /the section has no title\. Add one/],
  [
    'a member that every section has',
    'source: {',
    'type: {',
    /the field "type" has a name that every section or item already has/,
  ],
  [
    'a crop of nothing',
    "kind: 'picture', ",
    "kind: 'picture', cropOf: 'photo', ",
    /has cropOf "photo".*Name a picture/,
  ],
  ['TypeScript that is none', 'fields: {', 'fields: {{', /cannot be read/],
])('%s fails the build with the file and what to do', (_what, from, to, sentence) => {
  const before = readFileSync(join(root, WRITTEN), 'utf8');
  change(QUOTE, from, to);
  const { status, said } = sections();
  expect(status).toBe(1);
  expect(said).toContain(QUOTE);
  expect(said).toMatch(sentence);
  expect(readFileSync(join(root, WRITTEN), 'utf8')).toBe(before);
});

test('two sections with one name are reported with both files', () => {
  cpSync(join(root, 'packages/react/src/sections/quote'), join(root, 'packages/react/src/sections/saying'), {
    recursive: true,
  });
  const { status, said } = sections();
  expect(status).toBe(1);
  expect(said).toContain(`packages/react/src/sections/saying/section.ts: the name "quote" is taken by ${QUOTE}`);
});

test('an item with the name of a section is reported', () => {
  change('packages/react/src/sections/acts/section.ts', "name: 'act'", "name: 'hero'");
  expect(sections().said).toMatch(
    /hero\/section\.ts: the name "hero" is taken by packages\/react\/src\/sections\/acts\/section\.ts/,
  );
});

test('a list without blocks and limits that are not numbers are reported', () => {
  change('packages/react/src/sections/gallery/section.ts', 'most: 12', "most: 'twelve'");
  expect(sections().said).toMatch(/the field "items" has "twelve" as `most`\. Give a whole number\./);
  change('packages/react/src/sections/gallery/section.ts', "most: 'twelve'", 'most: 12');
  change('packages/react/src/sections/gallery/section.ts', 'of: {', 'off: {');
  expect(sections().said).toMatch(/the field "items" does not say what its items are\. Add `of/);
});

test('a folder without a declaration and one without a view are reported', () => {
  write('packages/react/src/sections/empty/notes.ts', '');
  rmSync(join(root, 'packages/react/src/sections/quote/view.tsx'));
  const { said } = sections();
  expect(said).toContain('packages/react/src/sections/empty/section.ts is missing');
  expect(said).toContain('packages/react/src/sections/quote/view.tsx is missing');
});
