import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { CACHE, ROOT, Stop } from './project.mjs';

/**
 * The oldest Node that the code runs on, from `engines`: `node:sqlite` without a flag, and the packages' requirements.
 * The launcher itself also runs on Node 20.
 */
const [OLDEST_MAJOR = 0, OLDEST_MINOR = 0] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .engines.node.match(/\d+/g)
  .map(Number);
/** The long-term support release that is fetched if the machine's Node is older. */
const PRIVATE_VERSION = '24.21.0';
/**
 * Checksums of npm's packages of it, by platform and processor. npm rejects other content under their names.
 * @type {Readonly<Record<string, string>>}
 */
const CHECKSUMS = {
  'linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};
const NODE_FOLDER = join(CACHE, 'node');
const BINARY_IN_FOLDER = 'node_modules/node/bin/node';
const BINARY = join(NODE_FOLDER, BINARY_IN_FOLDER);

/** @param {string} version */
const isNewEnough = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR);
};

export const needsPrivateNode = () => !isNewEnough(process.versions.node);

/**
 * Finds a Node that is new enough: the machine's, or a private one from npm's `node` package in the cache.
 * @returns Path of its binary.
 */
export async function ensureNode() {
  if (!needsPrivateNode()) return process.execPath;
  if (!existsSync(BINARY)) await withLock(fetchNode);
  return BINARY;
}

/**
 * What npm installs. For a platform with a known checksum, its own package under the name `node`, without running its
 * scripts. For others, the package that selects the right one, by its exact version.
 */
function installationPlan() {
  const platform = `${process.platform}-${process.arch}`;
  const integrity = CHECKSUMS[platform];
  // The install script of `node` fetches the package of this platform.
  if (!integrity) return { args: [`node@${PRIVATE_VERSION}`, '--ignore-scripts=false'], lock: null };
  const name = `node-${platform}`;
  const dependencies = { node: `npm:${name}@${PRIVATE_VERSION}` };
  const packages = { '': { dependencies }, 'node_modules/node': { name, version: PRIVATE_VERSION, integrity } };
  return { args: ['--ignore-scripts'], dependencies, lock: { lockfileVersion: 3, requires: true, packages } };
}

/** Fetches into a temporary folder and renames it, so that an interrupted fetch leaves no partial Node. */
async function fetchNode() {
  if (existsSync(BINARY)) return;
  const directory = `${NODE_FOLDER}-new`;
  for (const folder of [directory, NODE_FOLDER]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const { args, dependencies, lock } = installationPlan();
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies }));
  if (lock) writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(lock));
  const install = ['install', '--no-save', ...(lock ? [] : ['--no-package-lock']), ...args];
  const { code, offline, errors } = await runNpm(install, { cwd: directory });
  if (code === 0 && existsSync(join(directory, BINARY_IN_FOLDER))) return renameSync(directory, NODE_FOLDER);
  const reason = offline ? ' because npm could not reach the registry' : '';
  throw new Stop(
    `Node ${process.versions.node} is too old and a private Node ${PRIVATE_VERSION} could not be fetched${reason}: install Node ${OLDEST_MAJOR}.${OLDEST_MINOR} or newer, or try again online.${offline || !errors ? '' : `\n${errors}`}`,
  );
}
