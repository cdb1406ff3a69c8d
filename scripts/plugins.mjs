// Runs the site's contract against plugins that the user owns: `npm run test:plugins -- FOLDER`.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Stop } from './lib/project.mjs';

/** @typedef {'gravityforms' | 'acf' | 'yoast' | 'polylang' | 'w3tc'} PluginName */

/**
 * @typedef {object} OwnedPlugin
 * @property {PluginName} name
 * @property {string} title Its display name.
 * @property {string} directory Its folder (read only).
 * @property {string} file WordPress' name for it: `folder/file.php`.
 * @property {string} version
 */

/** The plugins that the suite supports, their possible folder names, and the file by which WordPress activates them. */
const PLUGINS = {
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

/** Exit code for wrong arguments. */
const USAGE_ERROR = 2;
/** WordPress reads at most this many bytes of a plugin's header. */
const HEADER_BYTES = 8192;

/** @param {string} file */
function readVersion(file) {
  const head = readFileSync(file, 'utf8').slice(0, HEADER_BYTES);
  return /^[\s*#@]*Version:\s*(\S+)/m.exec(head)?.[1] ?? 'unknown';
}

/** @param {string} folder @param {PluginName} name @returns {OwnedPlugin | null} */
function findPlugin(folder, name) {
  const { title, folders, main } = PLUGINS[name];
  const found = folders.find((folderName) => existsSync(join(folder, folderName, main)));
  if (!found) return null;
  const directory = join(folder, found);
  return { name, title, directory, file: `${found}/${main}`, version: readVersion(join(directory, main)) };
}

/**
 * Looks for the plugins in a folder.
 * @param {string} folder
 * @returns The plugins that exist, by name, and a sentence for each that does not.
 */
export function findPlugins(folder) {
  const names = /** @type {PluginName[]} */ (Object.keys(PLUGINS));
  const found = /** @type {Record<PluginName, OwnedPlugin | null>} */ (
    Object.fromEntries(names.map((name) => [name, findPlugin(folder, name)]))
  );
  const missing = names
    .filter((name) => !found[name])
    .map((name) => `${PLUGINS[name].title} is skipped: there is no ${PLUGINS[name].folders[0]}/${PLUGINS[name].main}.`);
  return { found, missing };
}

/**
 * @param {string[]} args The folder is the first.
 * @throws Stop Exit code 2, if the folder is missing, not a folder, or contains none of the plugins.
 */
export function folderOfPlugins([given]) {
  /** @param {string} sentence */
  const usageError = (sentence) =>
    new Stop(
      `${sentence} Call npm run test:plugins -- FOLDER, with the folder of your plugins, any of ${Object.values(PLUGINS)
        .map(({ folders }) => `${folders[0]}/`)
        .join(', ')}.`,
      USAGE_ERROR,
    );
  if (!given || given.startsWith('-')) throw usageError('No folder was named.');
  const folder = resolve(given);
  if (!existsSync(folder)) throw usageError(`There is no folder ${folder}.`);
  if (!statSync(folder).isDirectory()) throw usageError(`${folder} is a file.`);
  const { found } = findPlugins(folder);
  if (Object.values(found).every((plugin) => plugin === null))
    throw usageError(`${folder} contains none of the plugins.`);
  return folder;
}
