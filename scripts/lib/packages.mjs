import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, Stop } from './project.mjs';
import { capture, withNode } from './run.mjs';

const MARK = join(ROOT, 'node_modules/.pillion-lock');

const NO_NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/;

/** A few words for npm's output where it found no network. */
export const offline = (output) => (NO_NETWORK.test(output) ? ' because npm reached no registry' : '');

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
export async function ensurePackages(node) {
  if (isCurrent()) return 'up to date';
  const { code, output } = await capture('npm', ['install', '--no-save'], { env: withNode(node) });
  if (code !== 0) {
    const words = output
      .split('\n')
      .filter((line) => /npm error/.test(line))
      .slice(0, 6)
      .join('\n');
    throw new Stop(`The packages could not be installed${offline(output)}. Try again online.\n${words}`);
  }
  writeFileSync(MARK, lockSum());
  return 'installed';
}
