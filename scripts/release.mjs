// Sets the version of a release in every file that has it: node scripts/launch.mjs release 1.2.0|major|minor|patch
// It is no `version` script of npm, because `ignore-scripts` in .npmrc stops that (docs/how-to/releasing.md).
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNewer } from '@pillion/server/bin/update-steps.mjs';
import { ROOT, Stop } from './lib/project.mjs';

/** @typedef {Record<string, string>} Dependencies */
/** @typedef {{ version: string, dependencies?: Dependencies, devDependencies?: Dependencies }} Manifest */

const README = 'plugins/pillion/readme.txt';
const SHIPPED_CHANGELOG = 'packages/server/CHANGELOG.md';
/** The version in files that are not JSON. @type {readonly (readonly [string, RegExp])[]} */
const VERSION_PLACES = [
  ['plugins/pillion/pillion.php', /(?<=^ \* Version: +)\S+$/m],
  ['plugins/pillion/pillion.php', /(?<=^const VERSION = ')[^']+/m],
  [README, /(?<=^Stable tag: )\S+$/m],
  ['deploy/kubernetes/pillion.yaml', /(?<=^ +image: \S+\/pillion:)\S+$/m],
];
const VERSION_PARTS = ['major', 'minor', 'patch'];
const UNRELEASED = /^## .*not released yet.*$/im;

/**
 * @param {string} current
 * @param {string} wanted A version, or which part of the current one grows.
 * @returns {string}
 * @throws {Stop} For other words, and an older version.
 */
function nextVersion(current, wanted) {
  const [major = 0, minor = 0, patch = 0] = current.split(/[.-]/).map(Number);
  if (current.includes('-') && VERSION_PARTS.includes(wanted))
    throw new Stop(
      `The current version ${current} is a pre-release: name the next version, such as ${major}.${minor}.${patch}.`,
    );
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (!/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(wanted))
    throw new Stop('Name the version, such as `npm run release -- 1.2.0`, or one of major, minor and patch.');
  if (isNewer(current, wanted)) throw new Stop(`${wanted} is older than the current version ${current}.`);
  return wanted;
}

/**
 * @param {Manifest} manifest Changed in place: its version, and those of the packages of Pillion that it needs.
 * @param {string} version
 */
function setManifestVersion(manifest, version) {
  manifest.version = version;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies])
    for (const name of Object.keys(dependencies ?? {}))
      if (name.startsWith('@pillion/')) /** @type {Dependencies} */ (dependencies)[name] = version;
}

/**
 * Sets the version, dates the changelog's first section, and copies the changelog to the package that ships it.
 * @param {string} wanted See {@link nextVersion}.
 * @returns The version.
 * @throws {Stop} Before it writes anything, if the changelogs have no section for the version, or a file has no version.
 */
export function setVersion(wanted, root = ROOT, today = new Date()) {
  /** @param {string} path */
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const { version: current, workspaces } = JSON.parse(read('package.json'));
  const version = nextVersion(current, wanted);
  const [heading = ''] = /^## .+$/m.exec(read('CHANGELOG.md')) ?? [];
  if (!UNRELEASED.test(heading))
    throw new Stop('CHANGELOG.md has no changes for a release: its first section must be `## Not released yet`.');
  if (!read(README).includes(`\n= ${version} =\n`))
    throw new Stop(`${README} has no section \`= ${version} =\`: write one, with the changes of the plugin.`);
  for (const [path, pattern] of VERSION_PLACES)
    if (!pattern.test(read(path))) throw new Stop(`${path} has no version that matches ${pattern}.`);

  /** @param {string} path @param {RegExp | string} pattern @param {string} text */
  const replace = (path, pattern, text) =>
    writeFileSync(
      join(root, path),
      read(path).replace(pattern, () => text),
    );
  /** @param {string} path @param {(json: any) => void} change */
  const rewrite = (path, change) => {
    const json = JSON.parse(read(path));
    change(json);
    writeFileSync(join(root, path), `${JSON.stringify(json, null, 2)}\n`);
  };
  const folders = ['.', .../** @type {string[]} */ (workspaces)].map((folder) => `${folder}/package.json`);
  for (const path of globSync(folders, { cwd: root })) rewrite(path, (about) => setManifestVersion(about, version));
  rewrite('package-lock.json', (lock) => {
    lock.version = version;
    for (const [path, about] of Object.entries(lock.packages))
      if (!path.includes('node_modules')) setManifestVersion(about, version);
  });
  for (const [path, pattern] of VERSION_PLACES) replace(path, pattern, version);
  replace('CHANGELOG.md', heading, `## ${version} (${today.toISOString().slice(0, 10)})`);
  // `pillion update` reads it there. The pages that it links are not in the package.
  writeFileSync(join(root, SHIPPED_CHANGELOG), read('CHANGELOG.md').replace(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1'));
  return version;
}

if (process.argv[1] === import.meta.filename) {
  try {
    const version = setVersion(process.argv[2] ?? '');
    console.log(
      `  Set to ${version}. Next: check the changes, \`npm test\`, commit as "Release ${version}", tag v${version}.`,
    );
  } catch (error) {
    console.error(error instanceof Stop ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
