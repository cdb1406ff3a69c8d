import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { offline } from './packages.mjs';
import { CACHE, Stop } from './project.mjs';
import { capture } from './run.mjs';

/** `node:sqlite` without a flag, and Vite's and Vitest's own needs. */
const OLDEST = [22, 22];
/** Long-term support line that is fetched where the machine's own Node is older. */
const PRIVATE_LINE = '24';

const isNewEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
};

export const needsPrivateNode = () => !isNewEnough(process.versions.node);

/**
 * A Node that is new enough: the machine's own, or a private one that npm's `node` package brings into the cache.
 * @returns Path of its binary.
 */
export async function ensureNode() {
  if (!needsPrivateNode()) return process.execPath;
  const directory = join(CACHE, 'node');
  const binary = join(directory, 'node_modules/node/bin/node');
  if (existsSync(binary)) return binary;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const { code, output } = await capture('npm', ['install', '--no-save', '--no-package-lock', `node@${PRIVATE_LINE}`], {
    cwd: directory,
  });
  if (code === 0 && existsSync(binary)) return binary;
  throw new Stop(
    `Node ${process.versions.node} is too old and a private Node ${PRIVATE_LINE} could not be fetched${offline(output)}. Install Node ${OLDEST.join('.')} or newer, or try again online.`,
  );
}
