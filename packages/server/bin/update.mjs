import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packArguments, packedIn } from '@pillion/lib/kit.mjs';

/** @typedef {Record<string, string>} Dependencies */
/** @typedef {Record<'dependencies' | 'devDependencies', Dependencies | undefined>} Manifest */

const VENDOR = 'vendor';
/** Packages of a checkout. Other files in `vendor/` are the developer's. */
const PACKED_KIT = `${VENDOR}/pillion-*.tgz`;
/** The second half of the update. It is a program of the new version, so that a release can add steps. */
const AFTER_UPDATE = 'node_modules/@pillion/server/bin/after-update.mjs';

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

function installedVersion() {
  const file = 'node_modules/@pillion/server/package.json';
  if (!existsSync(file)) throw new Error('The packages of Pillion are not installed: run `npm install` first.');
  return readJson(file).version;
}

/**
 * Runs a program in a folder.
 * @param {string} program
 * @param {string[]} args
 * @returns Its output.
 * @throws With its messages, if it fails.
 */
export function run(program, args, cwd = process.cwd()) {
  const shell = process.platform === 'win32' && program === 'npm';
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, shell, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`\`${[program, ...args].join(' ')}\` failed:\n${error?.message ?? stderr}${stdout}`);
  return stdout;
}

/**
 * @param {(name: string) => Dependencies | undefined} peersOf Peer dependencies of a package of Pillion.
 * @returns {Dependencies} Ranges of the tools that a site installs, such as Vite.
 */
const toolRanges = (peersOf) => ({ ...peersOf('server'), ...peersOf('site-tests') });

/** @param {string} folder Of packages. @returns {(name: string) => Dependencies | undefined} Peer dependencies of a package. */
const readPeers = (folder) => (name) => {
  const file = join(folder, name, 'package.json');
  return existsSync(file) ? readJson(file).peerDependencies : undefined;
};

/** @param {string} version Of published packages. @returns {(name: string) => Dependencies} Peer dependencies of a package. */
const fetchPeers = (version) => (name) =>
  JSON.parse(run('npm', ['view', `@pillion/${name}@${version}`, 'peerDependencies', '--json']) || '{}');

/**
 * Sets the ranges of tools in a `package.json` that are those of the earlier version. Others are the developer's choice.
 * @param {Manifest} manifest Changed in place.
 * @param {Dependencies} before Ranges of the earlier version of Pillion.
 * @param {Dependencies} after Ranges of the new one.
 * @returns A line for each change.
 */
function updateToolRanges(manifest, before, after) {
  const changes = [];
  for (const dependencies of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const [name, range] of Object.entries(dependencies)) {
      const next = after[name];
      if (!next || next === range || range !== before[name]) continue;
      dependencies[name] = next;
      changes.push(`${name} ${range} → ${next}`);
    }
  return changes;
}

/**
 * Sets the packages of Pillion in a `package.json` to other versions.
 * @param {Manifest} manifest Changed in place.
 * @param {(name: string) => string | undefined} sourceOf Returns what `package.json` says about a package: a version or a
 *   file. `undefined`: it stays as it is.
 */
function setKitPackages(manifest, sourceOf) {
  for (const dependencies of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const name of Object.keys(dependencies)) {
      const source = name.startsWith('@pillion/') ? sourceOf(name) : undefined;
      if (source !== undefined) dependencies[name] = source;
    }
}

/**
 * Packs the kit of a checkout into `vendor/`, in place of an earlier one.
 * @param {string} checkout
 * @param {string} packFolder A temporary one.
 * @param {Manifest} manifest Changed in place.
 * @returns {Dependencies} Ranges of the tools.
 */
function takeFromCheckout(checkout, packFolder, manifest) {
  run('npm', packArguments(checkout, packFolder), checkout);
  for (const file of globSync(PACKED_KIT)) rmSync(file);
  for (const file of packedIn(packFolder).values()) {
    // npm installs a package again only if its name or version differs, and a checkout may keep its version.
    const digest = hash('sha256', readFileSync(join(packFolder, file))).slice(0, 8);
    cpSync(join(packFolder, file), join(VENDOR, file.replace(/\.tgz$/, `-${digest}.tgz`)));
  }
  const fileByName = new Map([...packedIn(VENDOR)].map(([name, file]) => [name, `file:${VENDOR}/${file}`]));
  // A newer version may have more packages.
  const added = [...fileByName].filter(([name]) => !manifest.devDependencies?.[name]);
  manifest.dependencies = { ...manifest.dependencies, ...Object.fromEntries(added) };
  setKitPackages(manifest, (name) => fileByName.get(name));
  return toolRanges(readPeers(join(checkout, 'packages')));
}

/**
 * @param {string} target A version or a tag.
 * @param {Manifest} manifest Changed in place.
 * @returns {Dependencies} Ranges of the tools.
 */
function takeFromRegistry(target, manifest) {
  const versions = JSON.parse(run('npm', ['view', `@pillion/server@${target}`, 'version', '--json']));
  // npm prints one version, or for a range a list with the newest last.
  const version = [versions].flat().at(-1);
  setKitPackages(manifest, () => version);
  return toolRanges(fetchPeers(version));
}

/**
 * Updates the site in the current folder: all packages of Pillion in one version, and the build with the plugin for
 * WordPress. Of the site's own files it changes `package.json`, also the ranges of the tools.
 * @param {string} target A version, `latest`, or the folder of a checkout of Pillion, whose packages are then in `vendor/`.
 * @throws If the packages cannot be installed; then `package.json`, `package-lock.json` and `vendor/` are as before.
 */
export function update(target = 'latest') {
  const before = installedVersion();
  const rangesBefore = toolRanges(readPeers('node_modules/@pillion'));
  const manifest = readJson('package.json');
  const isCheckout = existsSync(join(target, 'packages/create-pillion'));
  if (!isCheckout && globSync(PACKED_KIT).length > 0)
    throw new Error(
      `This site has the packages of Pillion in ${VENDOR}/. Name the folder of a newer checkout: pillion update ../pillion`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'pillion-update-'));
  const changed = ['package.json', 'package-lock.json', VENDOR];
  const copyOf = (/** @type {string} */ path) => join(folder, 'before', path);
  for (const path of changed) if (existsSync(path)) cpSync(path, copyOf(path), { recursive: true });
  // Ctrl+C ends npm, and then this function restores the files.
  const ignore = () => {};
  /** @type {string[]} */
  let changes = [];
  process.on('SIGINT', ignore);
  try {
    const ranges = isCheckout ? takeFromCheckout(target, folder, manifest) : takeFromRegistry(target, manifest);
    changes = updateToolRanges(manifest, rangesBefore, ranges);
    writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
    run('npm', ['install', '--no-audit', '--no-fund']);
  } catch (error) {
    for (const path of changed) {
      rmSync(path, { recursive: true, force: true });
      if (existsSync(copyOf(path))) cpSync(copyOf(path), path, { recursive: true });
    }
    throw error;
  } finally {
    process.off('SIGINT', ignore);
    rmSync(folder, { recursive: true });
  }
  for (const change of changes) console.log(change);
  const changelog = isCheckout ? [join(target, 'CHANGELOG.md')] : [];
  const { status } = spawnSync(process.execPath, [AFTER_UPDATE, before, ...changelog], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
