import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { npm } from './npm.mjs';
import { CACHE, ROOT, Stop } from './project.mjs';
import { withNode } from './run.mjs';

/**
 * Says of which lock file the packages are.
 * @param {string} folder
 */
const markOf = (folder) => join(folder, 'node_modules/.pillion-lock');
/**
 * There while packages are being installed, and after an install that was killed.
 * @param {string} folder
 */
const unfinishedOf = (folder) =>
  join(CACHE, ['installing', ...relative(ROOT, folder).split(sep)].filter(Boolean).join('-'));

/** @param {string} folder */
const lockSum = (folder) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');

/** @param {string} folder */
const isCurrent = (folder) => existsSync(markOf(folder)) && readFileSync(markOf(folder), 'utf8') === lockSum(folder);

/**
 * Installs what the lock file names, unless it is there already. Not `npm ci`: a registry mirror may hold native
 * packages of its own platform only, the lock file then lacks the others, and `npm ci` refuses on every platform.
 * `npm install --no-save` keeps to the lock file's versions and writes neither file.
 * @param {string} node Path of the Node to run npm under.
 * @param {string} folder Whose packages: the site's own, or those of `assets/`, which the site does without.
 * @returns What came of it.
 */
export const ensurePackages = async (node, folder = ROOT) =>
  isCurrent(folder) ? 'up to date' : oneAtATime(() => (isCurrent(folder) ? 'up to date' : install(node, folder)));

/** @param {string} node @param {string} folder */
async function install(node, folder) {
  const unfinished = unfinishedOf(folder);
  // npm takes a package for whole that it had only begun to unpack.
  if (existsSync(unfinished)) rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(unfinished, '');
  const { code, offline, errors } = await npm(['install', '--no-save'], { cwd: folder, env: withNode(node) });
  if (offline) throw new Stop('The packages could not be installed because npm reached no registry: try again online.');
  if (code !== 0) throw new Stop(`The packages could not be installed. npm says:\n${errors}`);
  writeFileSync(markOf(folder), lockSum(folder));
  rmSync(unfinished);
  return 'installed';
}
