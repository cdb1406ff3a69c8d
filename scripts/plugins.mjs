// The bought plugins of whoever owns them: `npm run test:plugins -- FOLDER` runs the site's contract against them.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Stop } from './lib/project.mjs';

/** @typedef {'gravityforms' | 'acf' | 'yoast' | 'polylang' | 'w3tc'} PluginName */

/**
 * @typedef {object} OwnedPlugin
 * @property {PluginName} name
 * @property {string} title What people call it.
 * @property {string} directory Its folder, which is only read.
 * @property {string} file What WordPress calls it: `folder/file.php`.
 * @property {string} version
 */

/** What the suite knows to use, the folders it may lie in, and the file by which WordPress activates it. */
const KNOWN = {
  gravityforms: { title: 'Gravity Forms', folders: ['gravityforms'], main: 'gravityforms.php' },
  acf: {
    title: 'Advanced Custom Fields',
    folders: ['advanced-custom-fields', 'advanced-custom-fields-pro', 'acf'],
    main: 'acf.php',
  },
  yoast: { title: 'Yoast SEO', folders: ['wordpress-seo'], main: 'wp-seo.php' },
  polylang: { title: 'Polylang', folders: ['polylang', 'polylang-pro'], main: 'polylang.php' },
  w3tc: { title: 'W3 Total Cache', folders: ['w3-total-cache'], main: 'w3-total-cache.php' },
};

/** Exit code of a command that was called wrongly. */
const CALLED_WRONGLY = 2;
/** WordPress itself reads no more of a plugin's head, in bytes. */
const HEAD_BYTES = 8192;

/** @param {string} file */
function versionIn(file) {
  const head = readFileSync(file, 'utf8').slice(0, HEAD_BYTES);
  return /^[\s*#@]*Version:\s*(\S+)/m.exec(head)?.[1] ?? 'unknown';
}

/** @param {string} folder @param {PluginName} name @returns {OwnedPlugin | null} */
function pluginIn(folder, name) {
  const { title, folders, main } = KNOWN[name];
  const found = folders.find((each) => existsSync(join(folder, each, main)));
  if (!found) return null;
  const directory = join(folder, found);
  return { name, title, directory, file: `${found}/${main}`, version: versionIn(join(directory, main)) };
}

/**
 * Looks for the plugins in a folder.
 * @param {string} folder
 * @returns One entry for each that is there, by name, and the sentences about those that are not.
 */
export function findPlugins(folder) {
  const names = /** @type {PluginName[]} */ (Object.keys(KNOWN));
  const found = /** @type {Record<PluginName, OwnedPlugin | null>} */ (
    Object.fromEntries(names.map((name) => [name, pluginIn(folder, name)]))
  );
  const missing = names
    .filter((name) => !found[name])
    .map((name) => `${KNOWN[name].title} is skipped: there is no ${KNOWN[name].folders[0]}/${KNOWN[name].main}.`);
  return { found, missing };
}

/**
 * @param {string[]} args The folder is the first.
 * @throws Stop with exit code 2, where the folder is not given, is none, or holds none of them.
 */
export function folderOfPlugins([given]) {
  /** @param {string} sentence */
  const wrong = (sentence) =>
    new Stop(
      `${sentence} Call npm run test:plugins -- FOLDER, with a folder that holds what you own of ${Object.values(KNOWN)
        .map(({ folders }) => `${folders[0]}/`)
        .join(', ')}.`,
      CALLED_WRONGLY,
    );
  if (!given || given.startsWith('-')) throw wrong('No folder was named.');
  const folder = resolve(given);
  if (!existsSync(folder)) throw wrong(`There is no folder ${folder}.`);
  if (!statSync(folder).isDirectory()) throw wrong(`${folder} is a file.`);
  const { found } = findPlugins(folder);
  if (Object.values(found).every((plugin) => plugin === null)) throw wrong(`${folder} holds none of the plugins.`);
  return folder;
}
