import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext, Script } from 'node:vm';
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
  writeFileSync(
    join(folder, 'sections/price-list/edit.js'),
    "window.pillionSections.register('price-list', () => 'Site');",
  );
  const to = join(folder, 'plugin');
  // Left over from an earlier build.
  mkdirSync(join(to, 'blocks/edit'), { recursive: true });
  writeFileSync(join(to, 'blocks/edit/gone.js'), '');
  await writePlugin(folder, to);
  const { editStyles } = JSON.parse(readFileSync(join(to, 'blocks/sections.json'), 'utf8')) as { editStyles: string[] };
  expect(editStyles).toEqual(expect.arrayContaining(['hero', 'price-list']));
  expect(readdirSync(join(to, 'blocks/edit')).sort()).toEqual(editStyles.map((name) => `${name}.css`).sort());
  const script = readFileSync(join(to, 'blocks/sections.js'), 'utf8');
  expect(script).toMatch(/register\(`price-list`,/);
  expect(script).toContain('pillion-scroll');
});

test('the written plugin has scripts that a page loads without modules, and none of their sources', async () => {
  const to = join(folder, 'plugin');
  await writePlugin(folder, to);
  expect(globSync('**/*.{ts,js}', { cwd: to }).sort()).toEqual([
    'assets/editor.js',
    'assets/forms.js',
    'assets/look.js',
    'assets/receipts.js',
    'assets/texts.js',
    'blocks/sections.js',
  ]);
  for (const file of globSync('**/*.js', { cwd: to })) {
    const code = readFileSync(join(to, file), 'utf8');
    expect(() => new Script(code)).not.toThrow();
    expect(code).not.toMatch(/\beval\(|\bnew Function\b|\bimport\(/);
  }
});

test('a syntax error in an editor part stops the build, names its file, and keeps the earlier plugin', async () => {
  const to = join(folder, 'plugin');
  await writePlugin(folder, to);
  writeFileSync(join(folder, 'sections/price-list/edit.js'), 'const = 1;');
  await expect(writePlugin(folder, to)).rejects.toThrow(/sections\/price-list\/edit\.js/);
  expect(existsSync(join(to, 'blocks/sections.js'))).toBe(true);
});

/** What a site's `edit.js` can use, so none may be removed. */
const PARTS =
  'Add Backdrop Content Drawing DrawingPanel Field Framed Guide HEADLINE_FORMATS Item Items Line PicturePanel PictureTools Rows Section Sidebar Tool bind bindPicture declared edits el icon register useAnswer useIsPreview usePicture useSection useStrings'.split(
    ' ',
  );

/** Runs the script of sections with WordPress' functions that do nothing. Returns the registered blocks. */
function registered(script: string) {
  const blocks: string[] = [];
  const nothing: unknown = new Proxy(() => nothing, { get: () => nothing });
  const registerBlockType = (name: string) => blocks.push(name);
  const errors: string[] = [];
  const window: Record<string, unknown> = {
    pillionDeclared: JSON.parse(readFileSync(join(folder, 'plugin/blocks/sections.json'), 'utf8')),
  };
  const wp = new Proxy({}, { get: (_, name) => (name === 'blocks' ? { registerBlockType } : nothing) });
  runInNewContext(script, { window, wp, console: { error: (text: string) => errors.push(text) } });
  return { blocks, errors, parts: Object.keys(window.pillionSections as object) };
}

test('editor parts find the documented parts; a failing one is reported, and all sections are registered', async () => {
  writeFileSync(join(folder, 'sections/price-list/edit.ts'), "throw new Error('broken' as string);");
  await writePlugin(folder, join(folder, 'plugin'));
  const { blocks, errors, parts } = registered(readFileSync(join(folder, 'plugin/blocks/sections.js'), 'utf8'));
  expect(blocks).toEqual(expect.arrayContaining(['pillion/hero', 'pillion/price-list', 'pillion/price']));
  expect(errors).toEqual([expect.stringContaining('"price-list"')]);
  expect(parts.sort()).toEqual(PARTS);
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
