import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { npm } from './npm.mjs';
import { CACHE, Stop } from './project.mjs';

/** `node:sqlite` without a flag, and Vite's and Vitest's own needs. */
const OLDEST = [22, 22];
/** Long-term support line that is fetched where the machine's own Node is older. */
const PRIVATE_LINE = '24';
const PLACE = join(CACHE, 'node');
const WITHIN = 'node_modules/node/bin/node';
const BINARY = join(PLACE, WITHIN);

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
  if (!existsSync(BINARY)) await oneAtATime(fetchNode);
  return BINARY;
}

/** Fetched beside its place and moved there whole: a fetch that was killed leaves no half of a Node to run. */
async function fetchNode() {
  if (existsSync(BINARY)) return;
  const directory = `${PLACE}-new`;
  for (const remains of [directory, PLACE]) rmSync(remains, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const install = ['install', '--no-save', '--no-package-lock', `node@${PRIVATE_LINE}`];
  const { code, offline, errors } = await npm(install, { cwd: directory });
  if (code === 0 && existsSync(join(directory, WITHIN))) return renameSync(directory, PLACE);
  const why = offline ? ' because npm reached no registry' : '';
  throw new Stop(
    `Node ${process.versions.node} is too old and a private Node ${PRIVATE_LINE} could not be fetched${why}: install Node ${OLDEST.join('.')} or newer, or try again online.${offline || !errors ? '' : `\n${errors}`}`,
  );
}
