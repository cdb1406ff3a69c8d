import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { ROOT, Stop } from './project.mjs';
import { capture, withNode } from './run.mjs';
import { step } from './steps.mjs';

/**
 * @typedef {object} Buildable
 * @property {string} folder Where it is built, into `build/`: from the root.
 * @property {string} site Its `PILLION_SITE`, from `folder`.
 */

/** The site that the commands use (packages/lib/src/site-folder.mjs). @type {Buildable} */
const SITE = { folder: '', site: process.env.PILLION_SITE ?? 'site' };
/** The site without a brand that the kit's tests visit. @type {Buildable} */
const FIXTURE = { folder: 'tests/site', site: '.' };

/** Folders of a site that are not part of its build. */
const NOT_BUILT = ['assets', 'build', 'content', 'node_modules', 'seed', 'tests'];

/** @param {Buildable} what */
function sourcesOf({ folder, site }) {
  const place = join(folder, site);
  const ofSite = existsSync(join(ROOT, place)) ? readdirSync(join(ROOT, place)).sort() : [];
  return [
    ...['packages', 'plugins/pillion'],
    ...ofSite.filter((name) => !NOT_BUILT.includes(name)).map((name) => `${place}/${name}`),
    ...['scripts/sections.mjs', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'],
  ];
}

/**
 * @param {string} path
 * @returns {Generator<string>} Every file in it, in a fixed order.
 */
function* filesUnder(path) {
  if (!existsSync(path)) return;
  const entries = readdirSync(path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesUnder(join(path, entry.name));
    else yield join(path, entry.name);
  }
}

/**
 * Computes a checksum of everything that the build uses, without tests.
 * @param {Buildable} what
 */
function sourceSum(what) {
  const sum = createHash('sha256');
  for (const source of sourcesOf(what)) {
    const path = join(ROOT, source);
    const files = /\.\w+$/.test(source) ? [path].filter(existsSync) : filesUnder(path);
    for (const file of files) {
      if (/(?:\.test\.tsx?|\/states\.ts)$/.test(file)) continue;
      sum.update(file.slice(ROOT.length)).update(readFileSync(file));
    }
  }
  return sum.digest('hex');
}

/**
 * Runs `scripts/sections.mjs` with a Node that reads TypeScript: writes the plugin's data about sections.
 * @param {string} node Path of that Node.
 * @throws Stop With each invalid declaration and what to do.
 */
export async function writeSections(node) {
  const { code, output } = await capture(node, ['scripts/sections.mjs'], { env: withNode(node) });
  if (code !== 0) throw new Stop(output.trim());
}

/**
 * Builds the browser's and the server's files, unless the sources match the last build.
 * @param {string} node Path of the Node to build under.
 */
export const ensureBuild = (node) => ensure(node, SITE);

/**
 * Makes the two builds that tests use.
 * @param {string} node Path of the Node to build under.
 */
export async function buildForTests(node) {
  await step('build', () => ensureBuild(node));
  await step('fixture', () => ensure(node, FIXTURE));
}

/** @param {string} node @param {Buildable} what */
async function ensure(node, what) {
  const sum = sourceSum(what);
  return isBuildOf(what, sum)
    ? 'up to date'
    : oneAtATime(() => (isBuildOf(what, sum) ? 'up to date' : build(node, what)));
}

/** @param {Buildable} what */
const markOf = ({ folder }) => join(ROOT, folder, 'build/.sources');

/** @param {Buildable} what @param {string} sum */
const isBuildOf = (what, sum) => existsSync(markOf(what)) && readFileSync(markOf(what), 'utf8') === sum;

/** @param {string} node @param {Buildable} what */
async function build(node, what) {
  // The mark is removed first: after an interrupted build, sources that match the last build again must not skip the
  // build.
  rmSync(markOf(what), { force: true });
  await writeSections(node);
  // Computed after the declarations are written and before the build, so that edits during the build trigger another
  // one.
  const sum = sourceSum(what);
  const env = withNode(node, { NODE_ENV: 'production', PILLION_SITE: what.site });
  const { code, output } = await capture(node, [join(ROOT, 'packages/server/bin/pillion.mjs'), 'build'], {
    cwd: join(ROOT, what.folder),
    env,
  });
  if (code !== 0) throw new Stop(`The build failed:\n${output}`);
  writeFileSync(markOf(what), sum);
  return 'built';
}
