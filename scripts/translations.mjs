// Writes the plugin's translations: the template (.pot) from its texts, and for each language the merged .po, from it the
// .mo for PHP and a .json per built script, with the texts of its sources. They are committed, because the plugin of a checkout is packed without a build.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { buildScripts } from '@pillion/server/vite/plugin-scripts.mjs';
import { mo, po } from 'gettext-parser';
import { ROOT } from './lib/project.mjs';

/**
 * @typedef {import('gettext-parser').GetTextTranslation} Text
 * @typedef {import('gettext-parser').GetTextTranslations} Texts
 */

const PLUGIN = join(ROOT, 'plugins/pillion');
const FOLDER = join(PLUGIN, 'languages');
/** Sections of the kit. Their editor parts are built into the plugin. */
const SECTIONS = join(ROOT, 'packages/react/src/sections');

const STRING = String.raw`\s*'((?:\\.|[^'\\])*)',\s*`;
/** A call of a translation function with the plugin's text domain, in PHP or JavaScript. */
const CALL = new RegExp(String.raw`_[_e]\(${STRING}'pillion'|\b_n\(${STRING}${STRING}[^;]*?'pillion'`, 'g');
const HEADER = /^ \* (?:Plugin Name|Description): +(.+)$/gm;

/** Members of the declarations that editors see; must match `Declarations` in PHP. */
const TEXT_MEMBERS = ['title', 'description', 'label', 'placeholder', 'help', 'hint', 'guide', 'add', 'then'];
const TEXT_GROUPS = ['keywords', 'names', 'choices', 'example', 'templates'];

/** @param {string} file @param {string} source @returns {Text[]} Texts in the calls of a file. */
const textsOfCalls = (file, source) =>
  [...source.matchAll(CALL)].map(({ index, 1: one, 2: singular = '', 3: plural }) => {
    const [, note] = source.slice(0, index).match(/translators: ([^*]+?) \*\/[^;{}]*$/) ?? [];
    const unescaped = (/** @type {string} */ string) => string.replace(/\\(.)/g, '$1');
    return {
      msgid: unescaped(one ?? singular),
      ...(plural && { msgid_plural: unescaped(plural) }),
      msgstr: plural ? ['', ''] : [''],
      comments: { reference: file, ...(note && { extracted: `translators: ${note}` }) },
    };
  });

/**
 * @param {unknown} value Parsed JSON.
 * @param {boolean} [isText] Whether all strings in it are texts.
 * @returns {string[]}
 */
const textsOfDeclarations = (value, isText = false) =>
  Object.entries(/** @type {object} */ (value)).flatMap(([key, member]) => {
    if (key === 'default') return [];
    if (typeof member === 'string')
      return /\p{L}/u.test(member) && (isText || TEXT_MEMBERS.includes(key)) ? [member] : [];
    return member && typeof member === 'object' ? textsOfDeclarations(member, isText || TEXT_GROUPS.includes(key)) : [];
  });

const EDITORS = globSync('*/edit.ts', { cwd: SECTIONS }).map((file) => join(SECTIONS, file));

/** @param {string} path @returns Its reference in the translations, from the plugin's folder. */
const referenceOf = (path) => relative(PLUGIN, path).replaceAll('\\', '/');

/** @returns {Text[]} Every text of the plugin, once, in the order of the files. */
export function collectTexts() {
  const paths = globSync('{*.php,{src,assets,blocks}/**/*.{php,ts},{blocks,data}/*.json}', { cwd: PLUGIN });
  const all = [...paths.sort(), ...EDITORS.map(referenceOf)].flatMap((file) => {
    const source = readFileSync(join(PLUGIN, file), 'utf8');
    const plain = file.endsWith('.json') ? textsOfDeclarations(JSON.parse(source)) : [];
    if (file === 'pillion.php') plain.push(...[...source.matchAll(HEADER)].map(([, text = '']) => text));
    const found = plain.map((msgid) => ({ msgid, msgstr: [''], comments: { reference: file } }));
    return [...found, ...textsOfCalls(file, source)];
  });
  return [...Map.groupBy(all, ({ msgid }) => msgid).values()].map((same) => ({
    ...Object.assign({}, ...same),
    comments: {
      ...Object.assign({}, ...same.map(({ comments }) => comments)),
      reference: [...new Set(same.map(({ comments }) => comments?.reference))].join('\n'),
    },
  }));
}

const HEADERS = {
  'Project-Id-Version': 'Pillion',
  'MIME-Version': '1.0',
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': '8bit',
  'X-Domain': 'pillion',
};

/** @param {Text[]} list @param {Record<string, string>} headers @returns {Texts} */
const createCatalogue = (list, headers) => ({
  charset: 'utf-8',
  headers,
  translations: { '': Object.fromEntries(list.map((text) => [text.msgid, text])) },
});

/**
 * @param {Texts} texts
 * @param {string[]} sources References of a script's sources.
 * @returns Content of the script's `.json`; `false` if its sources have no texts.
 */
function scriptTranslations({ headers, translations }, sources) {
  const scriptTexts = Object.values(translations[''] ?? {}).filter(
    ({ msgid, comments }) => msgid && comments?.reference?.split('\n').some((file) => sources.includes(file)),
  );
  const about = { domain: 'pillion', lang: headers.Language, 'plural-forms': headers['Plural-Forms'] };
  const messages = Object.fromEntries(scriptTexts.map(({ msgid, msgstr }) => [msgid, msgstr]));
  return (
    scriptTexts.length > 0 && `${JSON.stringify({ locale_data: { messages: { '': about, ...messages } } }, null, 1)}\n`
  );
}

/** @returns Content of every file in `languages/` by its name, and the texts without a translation by language. */
export async function buildTranslations() {
  const list = collectTexts();
  /** @type {Map<string, Buffer | string>} */
  const files = new Map([['pillion.pot', po.compile(createCatalogue(list, HEADERS), { foldLength: 0 })]]);
  /** @type {Record<string, string[]>} */
  const missing = {};
  const scripts = await buildScripts(
    PLUGIN,
    Object.fromEntries(EDITORS.map((file) => [basename(dirname(file)), file])),
  );
  for (const file of globSync('*.po', { cwd: FOLDER })) {
    const name = basename(file, '.po');
    const old = po.parse(readFileSync(join(FOLDER, file)));
    const merged = createCatalogue(
      list.map((text) => ({ ...text, msgstr: old.translations['']?.[text.msgid]?.msgstr ?? text.msgstr })),
      old.headers,
    );
    missing[name] = list.map(({ msgid }) => msgid).filter((id) => merged.translations['']?.[id]?.msgstr.includes(''));
    files.set(file, po.compile(merged, { foldLength: 0 }));
    for (const script of scripts) {
      const content = scriptTranslations(merged, script.sources.map(referenceOf));
      // WordPress finds the file of a script by the hash of the script's path.
      if (content) files.set(`${name}-${createHash('md5').update(script.file).digest('hex')}.json`, content);
    }
    // Removes texts without a translation from `merged`.
    files.set(`${name}.mo`, mo.compile(merged));
  }
  return { files, missing };
}

if (process.argv[1] && relative(process.argv[1], import.meta.filename) === '') {
  const { files, missing } = await buildTranslations();
  for (const name of globSync('*', { cwd: FOLDER })) if (!files.has(name)) rmSync(join(FOLDER, name));
  for (const [name, content] of files) writeFileSync(join(FOLDER, name), content);
  for (const [name, list] of Object.entries(missing))
    console.log(
      `${name}.po: ${list.length === 0 ? 'complete' : `translate ${list.length} texts, then run this again`}`,
    );
}
