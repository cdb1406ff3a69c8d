import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

const GALLERY = 'packages/react/src/sections/gallery/section.ts';
const KIND = /the field "quote" is of the kind "headline".*Use one of text, inline/;
const CROP = "kind: 'picture', cropOf: 'photo', ";

test.each([
  ['an unknown kind', QUOTE, "kind: 'inline'", "kind: 'headline'", KIND],
  ['a field without a label', QUOTE, "label: 'Quote', ", '', /the field "quote" has no label\. Add one/],
  ['another name than its folder’s', QUOTE, "name: 'quote'", "name: 'saying'", /Use the name of its folder: "quote"/],
  ['no title', QUOTE, "title: 'Large quote',", '', /the section has no title\. Add one/],
  ['a member that every section has', QUOTE, 'source: {', 'type: {', /the field "type" has a name that every section/],
  ['a crop of nothing', QUOTE, "kind: 'picture', ", CROP, /has cropOf "photo".*Name a picture/],
  ['TypeScript that is none', QUOTE, 'fields: {', 'fields: {{', /cannot be read/],
  [
    'a limit that is no number',
    GALLERY,
    'most: 12',
    "most: 'twelve'",
    /has "twelve" as `most`\. Give a whole number\./,
  ],
  ['a list without blocks', GALLERY, 'of: {', 'off: {', /"items" does not say what its items are\. Add `of/],
])('%s fails the build with the file and what to do', (_what, file, from, to, sentence) => {
  const before = readFileSync(join(root, WRITTEN), 'utf8');
  change(file, from, to);
  const { status, said } = sections();
  expect(status).toBe(1);
  expect(said).toContain(file);
  expect(said).toMatch(sentence);
  expect(readFileSync(join(root, WRITTEN), 'utf8')).toBe(before);
});

test('a folder without a declaration and one without a view are reported', () => {
  write('packages/react/src/sections/empty/notes.ts', '');
  rmSync(join(root, 'packages/react/src/sections/quote/view.tsx'));
  const { said } = sections();
  expect(said).toContain('packages/react/src/sections/empty/section.ts is missing');
  expect(said).toContain('packages/react/src/sections/quote/view.tsx is missing');
});
