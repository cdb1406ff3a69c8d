import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadTemplate, templateModule } from '@pillion/react/registry/templates.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownParts, writePlugin } from './own-parts.mjs';

/** A copy of the fixture's parts. Packages are found from here. */
let folder: string;

beforeEach(() => {
  mkdirSync('test-results', { recursive: true });
  folder = mkdtempSync(resolve('test-results/parts-'));
  for (const kind of ['sections', 'templates'])
    cpSync(join('tests/site', kind), join(folder, kind), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rename = (from: string, to: string) => renameSync(join(folder, from), join(folder, to));

const change = (file: string, from: string, to: string) => {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(folder, file), text.replace(from, to));
};

test('a site without sections and templates gets the plugin with the declarations of the kit', async () => {
  for (const kind of ['sections', 'templates']) rmSync(join(folder, kind), { recursive: true });
  const to = join(folder, 'plugin');
  await writePlugin(folder, to);
  const declared = 'blocks/sections.json';
  expect(readFileSync(join(to, declared), 'utf8')).toBe(readFileSync(join('plugins/pillion', declared), 'utf8'));
});

test('the written plugin has the editor parts of the kit and of the site, and no others', async () => {
  writeFileSync(join(folder, 'sections/price-list/edit.js'), '// Of the site.');
  const to = join(folder, 'plugin');
  // Left over from an earlier build.
  mkdirSync(join(to, 'blocks/edit'), { recursive: true });
  writeFileSync(join(to, 'blocks/edit/gone.js'), '');
  await writePlugin(folder, to);
  const { edit } = JSON.parse(readFileSync(join(to, 'blocks/sections.json'), 'utf8')) as {
    edit: Record<string, string[]>;
  };
  expect(edit.js).toEqual(expect.arrayContaining(['hero', 'price-list']));
  const named = Object.entries(edit).flatMap(([ending, names]) => names.map((name) => `${name}.${ending}`));
  expect(readdirSync(join(to, 'blocks/edit')).sort()).toEqual(named.sort());
  const written = (file: string) => readFileSync(join(to, 'blocks/edit', file), 'utf8');
  expect(written('hero.js')).toBe(readFileSync('packages/react/src/sections/hero/edit.js', 'utf8'));
  expect(written('price-list.js')).toBe('// Of the site.');
});

test('a section and an item with a name of the kit stop the build, and both files are named', async () => {
  rename('sections/price-list', 'sections/quote');
  change('sections/quote/section.ts', "'price-list'", "'quote'");
  change('sections/quote/section.ts', "'price'", "'question'");
  const problem = await ownParts(folder).catch(({ message }: Error) => message);
  expect(problem).toMatch(
    /parts-\w+\/sections\/quote\/section\.ts: the name "quote" is taken by packages\/react\/src\/sections\/quote\/section\.ts\. Rename this one\./,
  );
  expect(problem).toMatch(/the name "question" is taken by packages\/react\/src\/sections\/questions\/section\.ts/);
});

test('a template with a name of the kit stops the build, also if editors cannot choose that one', async () => {
  rename('templates/notice', 'templates/search');
  await expect(ownParts(folder)).rejects.toThrow(
    /parts-\w+\/templates\/search: the name of this template is taken by packages\/react\/src\/templates\/search\. Rename this folder\./,
  );
});

test('a template without a component stops the build', async () => {
  rmSync(join(folder, 'templates/notice/template.lazy.tsx'));
  await expect(ownParts(folder)).rejects.toThrow(/templates\/notice\/template\.lazy\.tsx is missing/);
});

test('the template of a site is found by its name, and an unknown name is a plain page', async () => {
  const [notice, plain, unknown] = await Promise.all(['notice', null, 'unknown'].map(loadTemplate));
  expect(notice).not.toBe(plain);
  expect(unknown).toBe(plain);
  expect(templateModule('notice')).toBe('templates/notice/template.lazy.tsx');
});
