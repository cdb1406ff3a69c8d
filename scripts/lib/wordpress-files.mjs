import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.mjs';
import { CACHE, isSystemError, Stop } from './project.mjs';
import { capture } from './run.mjs';

/**
 * This package contains WordPress 7.1.1 and sqlite-database-integration 3.0.2, both GPL. It is packed and three of its
 * folders are extracted. It is not installed: its dependencies are huge, and npm may be the only reachable registry.
 */
const PACKAGE = 'wp-studio@1.22.0';
/** Integrity of the package, in the format of lock files. */
const INTEGRITY = 'sha512-boMtahkhgWDKKyNTBA1uTK5ghnAmxXhDY6KeQCO9FmcI3/o+YOSq8JwYW5ZYnxHCxH14Jf/mD6CJTBvTWl2Ytw==';
const FILES_IN_PACKAGE = 'package/dist/cli/wp-files';
const EXTRACTED_FOLDERS = ['latest/wordpress', 'sqlite-database-integration'];

/** Debian 12's WordPress, the oldest that the plugin supports, and the packages that its files link to. */
const DEBIAN_VERSION = '6.1.';
const DEBIAN_PACKAGES = [
  ...['wordpress', 'wordpress-theme-twentytwentythree'],
  ...['libjs-cropper', 'libjs-underscore', 'php-getid3'],
];

export const WORDPRESS_CACHE = join(CACHE, 'wordpress');
const NPM_FILES = join(WORDPRESS_CACHE, `files-${PACKAGE.split('@')[1]}`);
const DEBIAN_FILES = join(WORDPRESS_CACHE, 'files-debian-6.1');

/** @typedef {'7.1' | 'mariadb-7.1' | '6.1'} ReleaseName */

/**
 * A WordPress release to run.
 * @typedef {object} Release
 * @property {string} core Where its files are.
 * @property {string | null} sqlite SQLite's drop-in. `null`: it uses MariaDB.
 * @property {() => Promise<string>} ensure Fetches both. Resolves with the outcome for the step's line.
 */

/** @type {Release} */
const NEWEST_RELEASE = {
  core: join(NPM_FILES, 'latest/wordpress'),
  sqlite: join(NPM_FILES, 'sqlite-database-integration'),
  ensure: () => ensureFolder(NPM_FILES, fetchFromNpm, `unpacked from ${PACKAGE}`),
};

/** @type {Readonly<Record<ReleaseName, Release>>} */
export const RELEASES = {
  7.1: NEWEST_RELEASE,
  'mariadb-7.1': { ...NEWEST_RELEASE, sqlite: null },
  6.1: {
    core: join(DEBIAN_FILES, 'wordpress'),
    sqlite: null,
    ensure: () => ensureFolder(DEBIAN_FILES, fetchFromDebian, 'unpacked from Debian’s packages'),
  },
};

/**
 * Fills a temporary folder next to `directory` and renames it, so that a partial folder is never visible.
 * @param {string} directory
 * @param {(partial: string) => Promise<void>} fill
 */
export async function fillThenRename(directory, fill) {
  const partial = `${directory}.${process.pid}-${Date.now()}`;
  mkdirSync(partial, { recursive: true });
  try {
    await fill(partial);
    if (!existsSync(directory)) renameSync(partial, directory);
  } catch (cause) {
    // Another process was first. Its folder is equivalent.
    if (!isSystemError(cause) || !['ENOTEMPTY', 'EEXIST'].includes(cause.code ?? '')) throw cause;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** @param {string} directory */
async function fetchFromNpm(directory) {
  const { code, offline, errors } = await runNpm(['pack', PACKAGE, '--pack-destination', directory]);
  if (offline)
    throw new Stop('WordPress could not be fetched because npm could not reach the registry. Try again online.');
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'));
  if (code !== 0 || !tarball) throw new Stop(`WordPress could not be fetched. npm says:\n${errors}`);
  const sum = createHash('sha512').update(readFileSync(join(directory, tarball)));
  if (`sha512-${sum.digest('base64')}` !== INTEGRITY)
    throw new Stop(`WordPress was not unpacked: the checksum of ${PACKAGE} from the registry is wrong.`);
  const wanted = EXTRACTED_FOLDERS.map((folder) => `${FILES_IN_PACKAGE}/${folder}`);
  await runOrStop('tar', ['xzf', join(directory, tarball), '-C', directory, '--strip-components=4', ...wanted]);
  rmSync(join(directory, tarball));
}

/**
 * Downloads and unpacks the packages. Installing them would also install and start Apache.
 * @param {string} directory
 */
async function fetchFromDebian(directory) {
  const { output } = await capture('apt-cache', ['policy', 'wordpress']).catch(() => ({ output: '' }));
  const candidate = /Candidate: (\S+)/.exec(output)?.[1] ?? 'none';
  if (!candidate.startsWith(DEBIAN_VERSION))
    throw new Stop(`WordPress ${DEBIAN_VERSION}x comes from Debian 12’s packages; here apt offers ${candidate}.`, 77);
  await runOrStop('apt-get', ['download', '-qq', ...DEBIAN_PACKAGES], { cwd: directory });
  const root = join(directory, 'root');
  for (const name of readdirSync(directory).filter((entry) => entry.endsWith('.deb'))) {
    await runOrStop('dpkg', ['-x', join(directory, name), root]);
    rmSync(join(directory, name));
  }
  const core = join(root, 'usr/share/wordpress');
  // The only link that points outside these packages, to rules for Apache.
  rmSync(join(core, '.htaccess'), { force: true });
  await runOrStop('cp', ['-RL', core, join(directory, 'wordpress')]);
  rmSync(root, { recursive: true });
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @throws Stop If it fails.
 */
async function runOrStop(command, args, options) {
  const { code, output } = await capture(command, args, options);
  if (code !== 0) throw new Stop(`${command} failed while fetching WordPress:\n${output.slice(-500)}`);
}

/**
 * @param {string} directory
 * @param {(partial: string) => Promise<void>} fill
 * @param {string} outcome If the folder did not exist yet.
 * @returns The outcome for the step's line.
 */
async function ensureFolder(directory, fill, outcome) {
  if (existsSync(directory)) return 'in the cache';
  mkdirSync(WORDPRESS_CACHE, { recursive: true });
  await fillThenRename(directory, fill);
  return outcome;
}
