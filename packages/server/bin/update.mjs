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
const PACKED = `${VENDOR}/pillion-*.tgz`;
/** A program of the new version, so that a release can add steps to its own update. */
const AFTER = 'node_modules/@pillion/server/bin/after-update.mjs';

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
const toolsOf = (peersOf) => ({ ...peersOf('server'), ...peersOf('site-tests') });

/** @param {string} folder Of packages. @returns {(name: string) => Dependencies | undefined} */
const peersIn = (folder) => (name) => {
  const file = join(folder, name, 'package.json');
  return existsSync(file) ? readJson(file).peerDependencies : undefined;
};

/** @param {string} version Of published packages. @returns {(name: string) => Dependencies} */
const peersAt = (version) => (name) =>
  JSON.parse(run('npm', ['view', `@pillion/${name}@${version}`, 'peerDependencies', '--json']) || '{}');

/**
 * Sets the ranges of tools in a `package.json` that are those of the earlier version. Others are the developer's choice.
 * @param {Manifest} manifest Changed in place.
 * @param {Dependencies} before
 * @param {Dependencies} after
 * @returns A line for each change.
 */
function setTools(manifest, before, after) {
  const changes = [];
  for (const needed of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const [name, range] of Object.entries(needed)) {
      const next = after[name];
      if (!next || next === range || range !== before[name]) continue;
      needed[name] = next;
      changes.push(`${name} ${range} → ${next}`);
    }
  return changes;
}

/**
 * Sets the packages of Pillion in a `package.json` to other versions.
 * @param {Manifest} manifest Changed in place.
 * @param {(name: string) => string | undefined} sourceOf
 */
function setPackages(manifest, sourceOf) {
  for (const kind of /** @type {const} */ (['dependencies', 'devDependencies']))
    for (const name of Object.keys(manifest[kind] ?? {})) {
      const source = name.startsWith('@pillion/') ? sourceOf(name) : undefined;
      if (source !== undefined) /** @type {Dependencies} */ (manifest[kind])[name] = source;
    }
}

/**
 * Packs the kit of a checkout into `vendor/`, in place of an earlier one.
 * @param {string} checkout
 * @param {string} folder A temporary one.
 * @param {Manifest} manifest Changed in place.
 * @returns {Dependencies} Ranges of the tools.
 */
function takeFromCheckout(checkout, folder, manifest) {
  run('npm', packArguments(checkout, folder), checkout);
  for (const file of globSync(PACKED)) rmSync(file);
  for (const file of packedIn(folder).values()) {
    // npm installs a package again only if its name or version differs, and a checkout may keep its version.
    const sum = hash('sha256', readFileSync(join(folder, file))).slice(0, 8);
    cpSync(join(folder, file), join(VENDOR, file.replace(/\.tgz$/, `-${sum}.tgz`)));
  }
  const files = new Map([...packedIn(VENDOR)].map(([name, file]) => [name, `file:${VENDOR}/${file}`]));
  // A newer version may have more packages.
  const added = [...files].filter(([name]) => !manifest.devDependencies?.[name]);
  manifest.dependencies = { ...manifest.dependencies, ...Object.fromEntries(added) };
  setPackages(manifest, (name) => files.get(name));
  return toolsOf(peersIn(join(checkout, 'packages')));
}

/**
 * @param {string} target A version or a tag.
 * @param {Manifest} manifest Changed in place.
 * @returns {Dependencies} Ranges of the tools.
 */
function takeFromRegistry(target, manifest) {
  const found = JSON.parse(run('npm', ['view', `@pillion/server@${target}`, 'version', '--json']));
  const version = [found].flat().at(-1);
  setPackages(manifest, () => version);
  return toolsOf(peersAt(version));
}

/**
 * Updates the site in the current folder: all packages of Pillion in one version, and the build with the plugin for
 * WordPress. Of the site's own files it changes `package.json`, also the ranges of the tools.
 * @param {string} target A version, `latest`, or the folder of a checkout of Pillion, whose packages are then in `vendor/`.
 * @throws If the packages cannot be installed; then `package.json` and `vendor/` are as before.
 */
export function update(target = 'latest') {
  const before = installedVersion();
  const tools = toolsOf(peersIn('node_modules/@pillion'));
  const manifest = readJson('package.json');
  const isCheckout = existsSync(join(target, 'packages/create-pillion'));
  if (!isCheckout && globSync(PACKED).length > 0)
    throw new Error(
      `This site has the packages of Pillion in ${VENDOR}/. Name the folder of a newer checkout: pillion update ../pillion`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'pillion-update-'));
  const kept = ['package.json', 'package-lock.json', VENDOR].filter((path) => existsSync(path));
  for (const path of kept) cpSync(path, join(folder, 'before', path), { recursive: true });
  // Ctrl+C ends npm, and then this function restores the files.
  const ignore = () => {};
  /** @type {string[]} */
  let changes = [];
  process.on('SIGINT', ignore);
  try {
    const needed = isCheckout ? takeFromCheckout(target, folder, manifest) : takeFromRegistry(target, manifest);
    changes = setTools(manifest, tools, needed);
    writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
    run('npm', ['install', '--no-audit', '--no-fund']);
  } catch (error) {
    for (const path of kept) {
      rmSync(path, { recursive: true, force: true });
      cpSync(join(folder, 'before', path), path, { recursive: true });
    }
    throw error;
  } finally {
    process.off('SIGINT', ignore);
    rmSync(folder, { recursive: true });
  }
  for (const change of changes) console.log(change);
  const changelog = isCheckout ? [join(target, 'CHANGELOG.md')] : [];
  const { status } = spawnSync(process.execPath, [AFTER, before, ...changelog], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
