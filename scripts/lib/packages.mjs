import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { npm } from './npm.mjs';
import { CACHE, ROOT, Stop } from './project.mjs';
import { withNode } from './run.mjs';

const PACKAGES = join(ROOT, 'node_modules');
const MARK = join(PACKAGES, '.pillion-lock');
/** There while packages are being installed, and after an install that was killed. */
const UNFINISHED = join(CACHE, 'installing');

const lockSum = () =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');

const isCurrent = () => existsSync(MARK) && readFileSync(MARK, 'utf8') === lockSum();

/**
 * Installs what the lock file names, unless it is there already. Not `npm ci`: a registry mirror may hold native
 * packages of its own platform only, the lock file then lacks the others, and `npm ci` refuses on every platform.
 * `npm install --no-save` keeps to the lock file's versions and writes neither file.
 * @returns What came of it.
 */
export const ensurePackages = async (node) =>
  isCurrent() ? 'up to date' : oneAtATime(() => (isCurrent() ? 'up to date' : install(node)));

async function install(node) {
  // npm takes a package for whole that it had only begun to unpack.
  if (existsSync(UNFINISHED)) rmSync(PACKAGES, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(UNFINISHED, '');
  const { code, offline, errors } = await npm(['install', '--no-save'], { env: withNode(node) });
  if (offline) throw new Stop('The packages could not be installed because npm reached no registry: try again online.');
  if (code !== 0) throw new Stop(`The packages could not be installed. npm says:\n${errors}`);
  writeFileSync(MARK, lockSum());
  rmSync(UNFINISHED);
  return 'installed';
}
