// Reads and validates the declarations of sections and templates. The plugin contains those of the kit; own-parts.mjs
// adds those of a site.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** @typedef {import('@pillion/content/sections/declaration.ts').SectionDeclaration} SectionDeclaration */

/**
 * @typedef {object} Parts
 * @property {string} root Messages show paths from here.
 * @property {string} folder The folder with `sections/` and `templates/`, from the root.
 * @property {(file: string) => Promise<Record<string, unknown>>} load Imports a module by its absolute path.
 * @property {Taken} [taken] Names of the kit's parts, for the parts of a site.
 */

/**
 * Names in use, each with its file.
 * @typedef {object} Taken
 * @property {Map<unknown, string>} blocks
 * @property {Map<string, string>} templates
 */

/** An invalid declaration. The message has its file and what to do. */
export class UnusableDeclaration extends Error {}

const DECLARATION = createRequire(import.meta.url).resolve('@pillion/content/sections/declaration.ts');

/** @typedef {{ SECTION_FIELD_KINDS: readonly string[], ITEM_FIELD_KINDS: readonly string[] }} Kinds Exports of `DECLARATION`. */

const BLOCK_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const FIELD_NAME = /^[a-z][a-z0-9_]*$/i;
/** Members that every section or item has. */
const RESERVED_NAMES = ['type', 'id'];

/**
 * @param {string} path
 * @returns Names of the folders in it; `[]` if it does not exist.
 */
export const listFolders = (path) =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

/**
 * @param {Parts} parts
 * @param {string} file From the root.
 * @returns {Promise<unknown>} Its default export, not validated.
 */
async function importDefault({ root, load }, file) {
  try {
    return (await load(join(root, file))).default;
  } catch (error) {
    throw new UnusableDeclaration(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is string} */
const isNonEmptyText = (value) => typeof value === 'string' && value.trim() !== '';

/**
 * A member of a value that may not be an object.
 * @param {unknown} from
 * @param {unknown} name
 * @returns {unknown} `undefined` if it is missing.
 */
const memberOf = (from, name) => (isObject(from) && typeof name === 'string' ? from[name] : undefined);

/**
 * The lists of a declaration. A valid one has at most one.
 * @param {unknown} section
 */
const listsOf = (section) => {
  const fields = memberOf(section, 'fields');
  return isObject(fields) ? Object.values(fields).filter((field) => memberOf(field, 'kind') === 'list') : [];
};

/**
 * The problems of one field, each as the end of a sentence that begins with the field.
 * @param {string} name
 * @param {unknown} field
 * @param {unknown} fields All fields of the section or item.
 * @param {readonly string[]} kinds The allowed kinds.
 * @returns {Generator<string, void>}
 */
function* problemsOfField(name, field, fields, kinds) {
  if (!FIELD_NAME.test(name)) yield 'has an invalid name: begin with a letter, then use letters, digits and _.';
  if (RESERVED_NAMES.includes(name)) yield 'has a name that every section or item already has. Use another name.';
  const kind = memberOf(field, 'kind');
  if (!isObject(field) || typeof kind !== 'string' || !kinds.includes(kind))
    return yield `is of the kind "${kind}", which does not exist. Use one of ${kinds.join(', ')}.`;
  if (!isNonEmptyText(field.label)) yield 'has no label. Add one: editors and screen readers need it.';
  // A film must name a picture; a picture may name another one, of which it is a crop.
  const reference = kind === 'film' ? 'poster' : 'cropOf';
  const pictureName = field[reference];
  const needsPicture = kind === 'film' || pictureName !== undefined;
  if (needsPicture && memberOf(memberOf(fields, pictureName), 'kind') !== 'picture')
    yield `has ${reference} "${pictureName}", which is not a picture of this section. Name a picture of this section.`;
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
    yield `takes its items' ids from "${anchor}", which is not a text field of an item. Name a text field.`;
}

/**
 * @param {unknown} fields All fields of a section or item.
 * @param {readonly string[]} kinds The allowed kinds.
 * @returns {Generator<string, void>}
 */
function* problemsOfFields(fields, kinds) {
  if (!isObject(fields)) return yield '`fields` is missing. Add `fields: {}` if there are no fields.';
  for (const [name, field] of Object.entries(fields))
    for (const problem of problemsOfField(name, field, fields, kinds)) yield `the field "${name}" ${problem}`;
}

/**
 * The problems of what editors see of a section or item in the block editor.
 * @param {Record<string, unknown>} block
 * @param {string} what Subject of the sentence.
 */
function* problemsOfBlock(block, what) {
  if (!BLOCK_NAME.test(String(block.name ?? '')))
    yield `${what} needs a name of lower-case letters, digits and hyphens. Add \`name\`.`;
  for (const member of ['title', 'description'])
    if (!isNonEmptyText(block[member]))
      yield `${what} has no ${member}. Add one: editors see it in the list of blocks.`;
}

/**
 * The problems of a section, each as a sentence.
 * @param {unknown} section The default export of its declaration.
 * @param {string} folder Name of its folder.
 * @param {Kinds} kinds
 * @returns {Generator<string, void>}
 */
function* problemsOfSection(section, folder, kinds) {
  if (!isObject(section))
    return yield 'it has no declaration. End the file with `export default defineSection({ … })`.';
  yield* problemsOfBlock(section, 'the section');
  if (section.name !== folder) yield `the section is named "${section.name}". Use the name of its folder: "${folder}".`;
  yield* problemsOfFields(section.fields, kinds.SECTION_FIELD_KINDS);
  const lists = listsOf(section);
  if (lists.length > 1) yield 'it has two lists, but a section can have only one. Make the second list a section.';
  for (const of of lists.map((list) => memberOf(list, 'of')).filter(isObject)) {
    yield* problemsOfBlock(of, 'an item');
    for (const problem of problemsOfFields(of.fields, kinds.ITEM_FIELD_KINDS)) yield `of an item ${problem}`;
  }
}

/**
 * @param {Parts} parts
 * @returns Every section, in the order of the inserter.
 * @throws {UnusableDeclaration} With each invalid file and what to do.
 */
async function readSections(parts) {
  const { root, folder, taken } = parts;
  const kinds = /** @type {Kinds} */ (await parts.load(DECLARATION));
  /** @type {string[]} */
  const problems = [];
  /** @type {SectionDeclaration[]} */
  const sections = [];
  /** Name of a block → its file. */
  const owners = new Map(taken?.blocks);
  for (const name of listFolders(join(root, folder, 'sections'))) {
    const file = join(folder, 'sections', name, 'section.ts');
    const view = join(folder, 'sections', name, 'view.tsx');
    if (!existsSync(join(root, file))) {
      problems.push(`${file} is missing: each folder in sections/ needs a declaration. Add it, or move the folder.`);
      continue;
    }
    if (!existsSync(join(root, view))) problems.push(`${view} is missing: it renders the section. Add it.`);
    const section = await importDefault(parts, file);
    const ofSection = [...problemsOfSection(section, name, kinds)];
    problems.push(...ofSection.map((problem) => `${file}: ${problem}`));
    if (ofSection.length === 0) sections.push(/** @type {SectionDeclaration} */ (section));
    // A section and its items are blocks of WordPress, whose names must differ.
    for (const block of [section, ...listsOf(section).map((list) => memberOf(list, 'of'))]) {
      const blockName = memberOf(block, 'name');
      const owner = owners.get(blockName);
      if (blockName && owner) problems.push(`${file}: the name "${blockName}" is taken by ${owner}. Rename this one.`);
      else owners.set(blockName, file);
    }
  }
  if (problems.length > 0)
    throw new UnusableDeclaration(`A section's declaration cannot be used:\n  ${problems.join('\n  ')}`);
  return sections.sort(compareOrder);
}

/**
 * Compares two sections by their place in the inserter.
 * @param {Pick<SectionDeclaration, 'order'>} a
 * @param {Pick<SectionDeclaration, 'order'>} b
 */
const compareOrder = (a, b) => (a.order ?? Number.MAX_SAFE_INTEGER) - (b.order ?? Number.MAX_SAFE_INTEGER);

/**
 * @param {Parts} parts
 * @returns Title of each template by its name. One without `editor.ts` is missing: editors cannot choose it.
 * @throws {UnusableDeclaration} With the first invalid file and what to do.
 */
async function readTemplates(parts) {
  const { root, folder, taken } = parts;
  /** @type {Record<string, string>} */
  const templates = {};
  for (const name of listFolders(join(root, folder, 'templates'))) {
    const templateFolder = join(folder, 'templates', name);
    const owner = taken?.templates.get(name);
    if (owner)
      throw new UnusableDeclaration(
        `${templateFolder}: the name of this template is taken by ${owner}. Rename this folder.`,
      );
    if (!['template.tsx', 'template.lazy.tsx'].some((file) => existsSync(join(root, templateFolder, file))))
      throw new UnusableDeclaration(`${templateFolder}/template.lazy.tsx is missing: it renders the page. Add it.`);
    const file = join(templateFolder, 'editor.ts');
    if (!existsSync(join(root, file))) continue;
    const title = memberOf(await importDefault(parts, file), 'title');
    if (!isNonEmptyText(title))
      throw new UnusableDeclaration(
        `${file}: the template has no title. Add one: editors see it in the list of templates.`,
      );
    templates[name] = title;
  }
  return templates;
}

/**
 * The declarations of sections and of their items, by name. A list then names its item instead of declaring it.
 * @param {readonly SectionDeclaration[]} sections
 */
function indexByName(sections) {
  /** @type {Record<string, import('@pillion/content/sections/declaration.ts').ItemDeclaration & { parent: string }>} */
  const items = {};
  const byName = sections.map((section) => {
    const fields = Object.entries(section.fields).map(([name, field]) => {
      if (field.kind !== 'list') return [name, field];
      items[field.of.name] = { ...field.of, parent: section.name };
      return [name, { ...field, of: field.of.name }];
    });
    return [section.name, { ...section, fields: Object.fromEntries(fields) }];
  });
  return { sections: Object.fromEntries(byName), items };
}

/**
 * @param {Parts} parts
 * @returns The declarations for plugin and server. `editStyles` has the names of the sections with an `edit.css`.
 * @throws {UnusableDeclaration} With each invalid file and what to do.
 */
export async function readParts(parts) {
  const sections = await readSections(parts);
  const names = sections.map(({ name }) => name);
  return {
    templates: await readTemplates(parts),
    editStyles: names.filter((name) => existsSync(join(parts.root, parts.folder, 'sections', name, 'edit.css'))),
    ...indexByName(sections),
  };
}

/** @typedef {Awaited<ReturnType<typeof readParts>>} Declarations */

/**
 * Merges the parts of a site into those of the kit.
 * @template {Declarations} Kit
 * @param {Kit} kit
 * @param {Declarations} own
 */
export function mergeParts(kit, own) {
  const sections = Object.entries({ ...kit.sections, ...own.sections });
  return {
    ...kit,
    templates: { ...kit.templates, ...own.templates },
    editStyles: [...kit.editStyles, ...own.editStyles],
    sections: Object.fromEntries(sections.sort(([, a], [, b]) => compareOrder(a, b))),
    items: { ...kit.items, ...own.items },
  };
}
