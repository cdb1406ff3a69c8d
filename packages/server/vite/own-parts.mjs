// A site's own sections and templates, for the server and the WordPress plugin.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { listFolders, mergeParts, readParts } from './declarations.mjs';
import { importFile } from './import-file.mjs';
import { buildScripts } from './plugin-scripts.mjs';

const require = createRequire(import.meta.url);

const KIT_SOURCES = join(dirname(require.resolve('@pillion/react/package.json')), 'src');
const PLUGIN = dirname(require.resolve('@pillion/plugin/package.json'));
/** Declarations of the kit, written by `npm run build` of its repository. */
export const KIT_DECLARATIONS = join(PLUGIN, 'blocks/sections.json');

const readKitParts = () => JSON.parse(readFileSync(KIT_DECLARATIONS, 'utf8'));

/** Folders of a site that have its own parts. */
export const PART_FOLDERS = ['sections', 'templates'];

/**
 * Names that a site's parts cannot have, because parts of the kit have them.
 * @param {import('./declarations.mjs').Declarations} kit
 * @param {string} root Messages show paths from here.
 * @returns {import('./declarations.mjs').Taken}
 */
function namesTakenBy(kit, root) {
  /** @param {string[]} path */
  const shownPath = (...path) => relative(root, join(KIT_SOURCES, ...path));
  /** @param {string} section */
  const declaration = (section) => shownPath('sections', section, 'section.ts');
  const items = Object.entries(kit.items).map(
    ([name, { parent }]) => /** @type {const} */ ([name, declaration(parent)]),
  );
  const sections = Object.keys(kit.sections).map((name) => /** @type {const} */ ([name, declaration(name)]));
  const templates = listFolders(join(KIT_SOURCES, 'templates'));
  return {
    blocks: new Map([...items, ...sections]),
    templates: new Map(templates.map((name) => [name, shownPath('templates', name)])),
  };
}

/**
 * @param {string} folder Absolute path of the site's folder.
 * @param {string} [root] Messages show paths from here.
 * @returns The declarations of kit and site; `null` if the site has neither sections nor templates.
 * @throws {import('./declarations.mjs').UnusableDeclaration} Also if the kit uses a name already.
 */
export async function ownParts(folder, root = process.cwd()) {
  if (!PART_FOLDERS.some((name) => existsSync(join(folder, name)))) return null;
  const kit = readKitParts();
  const own = await readParts({
    ...{ root, folder: relative(root, folder), taken: namesTakenBy(kit, root) },
    load: (file) => importFile(file, root),
  });
  return mergeParts(kit, own);
}

/**
 * Packs a folder as a zip file next to it, for *Plugins → Add New → Upload Plugin* of WordPress.
 * @param {string} folder Its name is the first part of every path in the file, as WordPress requires.
 */
export function packPlugin(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const entries = files.map((file) => {
    const path = join(file.parentPath, file.name);
    return /** @type {const} */ ([
      `${basename(folder)}/${relative(folder, path).replaceAll('\\', '/')}`,
      readFileSync(path),
    ]);
  });
  writeFileSync(`${folder}.zip`, zipSync(Object.fromEntries(entries)));
}

/**
 * Writes the WordPress plugin for a site: a copy with the site's own sections and templates, and with the editor parts of
 * all sections. Scripts are built from the plugin's TypeScript, which is not copied.
 * @param {string} folder Absolute path of the site's folder.
 * @param {string} to Target folder. It is emptied first, unless the plugin cannot be built.
 */
export async function writePlugin(folder, to) {
  const own = await ownParts(folder);
  /** @type {import('./declarations.mjs').Declarations} */
  const { sections, editStyles } = own ?? readKitParts();
  /** Files `edit.…` of a section, of the site or the kit. @param {string} section @param {string[]} endings */
  const editFiles = (section, ...endings) =>
    [folder, KIT_SOURCES]
      .flatMap((sources) => endings.map((ending) => join(sources, 'sections', section, `edit.${ending}`)))
      .filter(existsSync);
  const editors = Object.keys(sections).flatMap((name) => editFiles(name, 'js', 'ts').map((file) => [name, file]));
  const scripts = await buildScripts(PLUGIN, Object.fromEntries(editors));
  rmSync(to, { recursive: true, force: true });
  cpSync(PLUGIN, to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  for (const { file, code } of scripts) writeFileSync(join(to, file), code);
  if (own) writeFileSync(join(to, 'blocks/sections.json'), `${JSON.stringify(own, null, 2)}\n`);
  for (const name of editStyles)
    for (const file of editFiles(name, 'css')) cpSync(file, join(to, 'blocks/edit', `${name}.css`));
}
