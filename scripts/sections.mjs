// Writes the plugin's data about sections and templates from their declarations
// (packages/react/src/sections/*/section.ts, packages/react/src/templates/*/editor.ts), and copies the editor parts of
// sections next to it. The output is committed, because the plugin must work when it is copied from a clone.
// node scripts/sections.mjs [--check] [ROOT]: with --check it writes nothing, and fails if something would change
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ITEM_FIELD_KINDS, LONGEST_DRAWING, SECTION_FIELD_KINDS } from '@pillion/content/sections/declaration.ts';
import { ROOT, Stop } from './lib/project.mjs';

/** @typedef {import('@pillion/content/sections/declaration.ts').SectionDeclaration} SectionDeclaration */

/** Output folder, from the root. */
const BLOCKS = 'plugins/pillion/blocks';
const DECLARATIONS = `${BLOCKS}/sections.json`;
const EDIT = `${BLOCKS}/edit`;

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const MEMBER = /^[a-z][a-z0-9_]*$/i;
/** Names that every section or item has already. */
const TAKEN = ['type', 'id'];

/** @param {string} path */
const foldersOf = (path) =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

/**
 * @param {string} root
 * @param {string} file From the root.
 * @returns {Promise<unknown>} Its default export, not validated yet.
 */
async function load(root, file) {
  try {
    return (await import(pathToFileURL(join(root, file)).href)).default;
  } catch (error) {
    throw new Stop(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is string} */
const isWords = (value) => typeof value === 'string' && value.trim() !== '';

/**
 * A member of an object that may lack it.
 * @param {unknown} from
 * @param {unknown} name
 * @returns {unknown} `undefined` if it is missing.
 */
const memberOf = (from, name) => (isObject(from) && typeof name === 'string' ? from[name] : undefined);

/**
 * The lists in a declaration. A valid one has at most one.
 * @param {unknown} section
 */
const listsOf = (section) => {
  const fields = memberOf(section, 'fields');
  return isObject(fields) ? Object.values(fields).filter((field) => memberOf(field, 'kind') === 'list') : [];
};

/**
 * Problems of one field, each as the end of a sentence that names it.
 * @param {string} name
 * @param {unknown} field
 * @param {unknown} fields All of the section or item.
 * @param {readonly string[]} kinds Allowed kinds.
 * @returns {Generator<string, void>}
 */
function* problemsOfField(name, field, fields, kinds) {
  if (!MEMBER.test(name)) yield 'has a name that is none: begin with a letter, go on with letters, digits and _.';
  if (TAKEN.includes(name)) yield `has a name that every section or item has already: take another one.`;
  const kind = memberOf(field, 'kind');
  if (!isObject(field) || typeof kind !== 'string' || !kinds.includes(kind))
    return yield `is of the kind "${kind}", which there is not here. Use one of ${kinds.join(', ')}.`;
  if (!isWords(field.label)) yield 'has no label. Add one: an editor reads it, and it is read aloud.';
  if (field.cropOf !== undefined && memberOf(memberOf(fields, field.cropOf), 'kind') !== 'picture')
    yield `is said to be a crop of "${field.cropOf}", which is no picture of this section. Name one that is.`;
  for (const limit of ['most', 'begin']) {
    const value = field[limit];
    if (value !== undefined && !(typeof value === 'number' && Number.isInteger(value) && value >= 0))
      yield `has ${JSON.stringify(value)} as \`${limit}\`. Give a whole number.`;
  }
  if (kind !== 'list') return;
  if (!isObject(field.of))
    return yield 'does not say what its items are. Add `of: { name, title, description, fields }`.';
  const { anchor } = field;
  if (anchor !== undefined && memberOf(memberOf(field.of.fields, anchor), 'kind') !== 'text')
    yield `takes its items' ids from "${anchor}", which is no text of an item. Name one that is.`;
}

/**
 * @param {unknown} fields
 * @param {readonly string[]} kinds
 * @returns {Generator<string, void>}
 */
function* problemsOfFields(fields, kinds) {
  if (!isObject(fields)) return yield 'there are no fields. Add `fields: {}` where it has none.';
  for (const [name, field] of Object.entries(fields))
    for (const problem of problemsOfField(name, field, fields, kinds)) yield `the field "${name}" ${problem}`;
}

/**
 * @param {Record<string, unknown>} block
 * @param {string} what Its name in the sentence.
 */
function* problemsOfBlock(block, what) {
  if (!NAME.test(String(block.name ?? '')))
    yield `${what} has no name of small letters, digits and hyphens. Add \`name\`.`;
  for (const member of ['title', 'description'])
    if (!isWords(block[member])) yield `${what} has no ${member}. Add one: editors see it where they choose a block.`;
}

/**
 * @param {unknown} section
 * @param {string} folder
 * @returns {Generator<string, void>}
 */
function* problemsOfSection(section, folder) {
  if (!isObject(section)) return yield 'it has no declaration. End it with `export default defineSection({ … })`.';
  yield* problemsOfBlock(section, 'the section');
  if (section.name !== folder) yield `the section is named "${section.name}". Name it as its folder: "${folder}".`;
  yield* problemsOfFields(section.fields, SECTION_FIELD_KINDS);
  const lists = listsOf(section);
  if (lists.length > 1) yield 'it has two lists, and a block holds the items of one. Make the second a section.';
  for (const of of lists.map((list) => memberOf(list, 'of')).filter(isObject)) {
    yield* problemsOfBlock(of, 'an item');
    for (const problem of problemsOfFields(of.fields, ITEM_FIELD_KINDS)) yield `of an item ${problem}`;
  }
}

/**
 * @param {unknown} section
 * @param {string} folder
 * @param {(problem: string) => void} report Called with each problem.
 * @returns {section is SectionDeclaration} Whether it is valid.
 */
function isUsable(section, folder, report) {
  const problems = [...problemsOfSection(section, folder)];
  for (const problem of problems) report(problem);
  return problems.length === 0;
}

/**
 * @param {string} root
 * @returns Every section, in the order of the inserter.
 * @throws {Stop} With each invalid file and what to do.
 */
async function sectionsIn(root) {
  /** @type {string[]} */
  const problems = [];
  /** @type {SectionDeclaration[]} */
  const sections = [];
  /** Name of a block → the file that declares it. @type {Map<unknown, string>} */
  const owners = new Map();
  for (const folder of foldersOf(join(root, 'packages/react/src/sections'))) {
    const file = `packages/react/src/sections/${folder}/section.ts`;
    const view = `packages/react/src/sections/${folder}/view.tsx`;
    if (!existsSync(join(root, file))) {
      problems.push(`${file} is missing: a folder of sections holds a declaration. Add it, or move the folder.`);
      continue;
    }
    if (!existsSync(join(root, view))) problems.push(`${view} is missing: it draws the section. Add it.`);
    const section = await load(root, file);
    if (isUsable(section, folder, (problem) => problems.push(`${file}: ${problem}`))) sections.push(section);
    for (const block of [section, ...listsOf(section).map((list) => memberOf(list, 'of'))]) {
      const name = memberOf(block, 'name');
      const owner = owners.get(name);
      if (name && owner) problems.push(`${file}: the name "${name}" is taken by ${owner}. Give one of them another.`);
      else owners.set(name, file);
    }
  }
  if (problems.length > 0) throw new Stop(`A section's declaration cannot be used:\n  ${problems.join('\n  ')}`);
  /** @param {SectionDeclaration} section */
  const place = ({ order }) => order ?? Number.MAX_SAFE_INTEGER;
  return sections.sort((a, b) => place(a) - place(b));
}

/** @param {string} root */
async function templatesIn(root) {
  /** Name → title. @type {Record<string, string>} */
  const templates = {};
  for (const folder of foldersOf(join(root, 'packages/react/src/templates'))) {
    const file = `packages/react/src/templates/${folder}/editor.ts`;
    if (!existsSync(join(root, file))) continue;
    const title = memberOf(await load(root, file), 'title');
    if (!isWords(title)) throw new Stop(`${file}: the template has no title. Add one: editors choose it by that.`);
    templates[folder] = title;
  }
  return templates;
}

/**
 * The declarations of sections and their items, each by its name.
 * @param {readonly SectionDeclaration[]} sections
 */
function declared(sections) {
  /** @type {Record<string, import('@pillion/content/sections/declaration.ts').ItemDeclaration & { parent: string }>} */
  const items = {};
  const plain = sections.map((section) => {
    const fields = Object.entries(section.fields).map(([name, field]) => {
      if (field.kind !== 'list') return [name, field];
      items[field.of.name] = { ...field.of, parent: section.name };
      return [name, { ...field, of: field.of.name }];
    });
    return [section.name, { ...section, fields: Object.fromEntries(fields) }];
  });
  return { sections: Object.fromEntries(plain), items };
}

/**
 * Names of the sections among `files` that have an editor part.
 * @param {ReadonlyMap<string, string>} files
 * @param {'js' | 'css'} ending
 */
const editPartsOf = (files, ending) =>
  [...files.keys()].filter((file) => file.endsWith(`.${ending}`)).map((file) => basename(file, `.${ending}`));

/**
 * The files to write: path from the root → text.
 * @param {string} root
 */
async function wanted(root) {
  const sections = await sectionsIn(root);
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const { name } of sections)
    for (const ending of ['js', 'css']) {
      const source = `packages/react/src/sections/${name}/edit.${ending}`;
      if (!existsSync(join(root, source))) continue;
      const mark = `/* Written from ${source} by npm run build: change that one. */\n`;
      files.set(`${EDIT}/${name}.${ending}`, mark + readFileSync(join(root, source), 'utf8'));
    }
  const about = {
    '//': 'Written from packages/react/src/sections and packages/react/src/templates by npm run build: change those.',
    longestDrawing: LONGEST_DRAWING,
    templates: await templatesIn(root),
    edit: { js: editPartsOf(files, 'js'), css: editPartsOf(files, 'css') },
    ...declared(sections),
  };
  files.set(DECLARATIONS, `${JSON.stringify(about, null, 2)}\n`);
  return files;
}

/**
 * Files of sections that no longer exist.
 * @param {string} root
 * @param {ReadonlyMap<string, string>} files Files to keep.
 */
const leftOver = (root, files) =>
  (existsSync(join(root, EDIT)) ? readdirSync(join(root, EDIT)) : [])
    .map((name) => `${EDIT}/${name}`)
    .filter((file) => !files.has(file));

/**
 * @param {string} root
 * @returns Files to change, with their text, and files to delete.
 */
async function differences(root) {
  const files = await wanted(root);
  const changed = [...files].filter(([file, text]) => {
    const path = join(root, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  return { changed, gone: leftOver(root, files) };
}

/** Writes only changed files, so that several commands can run this at once. */
export async function writeSections(root = ROOT) {
  const { changed, gone } = await differences(root);
  for (const [file, text] of changed) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const file of gone) rmSync(join(root, file), { force: true });
  return changed.length + gone.length;
}

/** @throws {Stop} If the plugin's files do not match the declarations. */
export async function checkSections(root = ROOT) {
  const { changed, gone } = await differences(root);
  const stale = [...changed.map(([file]) => file), ...gone];
  if (stale.length > 0)
    throw new Stop(
      `Not what the sections' declarations say: ${stale.join(', ')}. Run \`npm run build\` and commit them.`,
    );
}

const isCalled = process.argv[1] && relative(process.argv[1], import.meta.filename) === '';
if (isCalled) {
  const args = process.argv.slice(2);
  const root = args.find((arg) => !arg.startsWith('-')) ?? ROOT;
  try {
    if (args.includes('--check')) await checkSections(root);
    else await writeSections(root);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
