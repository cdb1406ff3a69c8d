import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { CACHE, ROOT, Stop } from './project.mjs';
import { withNode } from './run.mjs';

/**
 * A file with the checksum of the lock file that the packages were installed from.
 * @param {string} folder
 */
const stampPath = (folder) => join(folder, 'node_modules/.pillion-lock');
/**
 * A file that exists during an installation, and after one that was killed.
 * @param {string} folder
 */
const unfinishedPath = (folder) =>
  join(CACHE, ['installing', ...relative(ROOT, folder).split(sep)].filter(Boolean).join('-'));

/** @param {string} folder */
const lockChecksum = (folder) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');

/** @param {string} folder */
const isCurrent = (folder) =>
  existsSync(stampPath(folder)) && readFileSync(stampPath(folder), 'utf8') === lockChecksum(folder);

/**
 * Installs the packages of the lock file, unless they are current. It does not use `npm ci`: a registry mirror may have
 * native packages of one platform only, the lock file then lacks the others, and `npm ci` fails on every platform.
 * `npm install --no-save` uses the lock file's versions and writes neither file.
 * @param {string} node Path of the Node to run npm under.
 * @param {string} folder Folder of the packages: the root, or one whose packages the site does not need, such as `assets/`.
 * @returns The outcome for the step's line.
 */
export const ensurePackages = async (node, folder = ROOT) =>
  isCurrent(folder) ? 'up to date' : withLock(() => (isCurrent(folder) ? 'up to date' : installPackages(node, folder)));

/** @param {string} node @param {string} folder */
async function installPackages(node, folder) {
  const unfinished = unfinishedPath(folder);
  // npm treats a package as complete even if it was only partly unpacked.
  if (existsSync(unfinished)) rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(unfinished, '');
  const { code, offline, errors } = await runNpm(['install', '--no-save'], { cwd: folder, env: withNode(node) });
  if (offline)
    throw new Stop('The packages could not be installed because npm could not reach the registry. Try again online.');
  if (code !== 0) throw new Stop(`The packages could not be installed. npm says:\n${errors}`);
  writeFileSync(stampPath(folder), lockChecksum(folder));
  rmSync(unfinished);
  return 'installed';
}
