import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { checksumOf, ROOT, Stop } from './project.mjs';
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

/** @param {Buildable} buildable */
function sourcePaths({ folder, site }) {
  const siteFolder = join(folder, site);
  const siteEntries = existsSync(join(ROOT, siteFolder)) ? readdirSync(join(ROOT, siteFolder)).sort() : [];
  return [
    ...['packages', 'plugins/pillion'],
    ...siteEntries.filter((name) => !NOT_BUILT.includes(name)).map((name) => `${siteFolder}/${name}`),
    ...['scripts/sections.mjs', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'],
  ];
}

/** Everything that the build uses, without tests. @param {Buildable} buildable */
const sourceChecksum = (buildable) =>
  checksumOf(
    sourcePaths(buildable).map((path) => join(ROOT, path)),
    (file) => !/(?:\.test\.tsx?|\/states\.ts)$/.test(file),
  );

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
export const ensureBuild = (node) => ensureUpToDate(node, SITE);

/**
 * Makes the two builds that tests use.
 * @param {string} node Path of the Node to build under.
 */
export async function buildForTests(node) {
  await step('build', () => ensureBuild(node));
  await step('fixture', () => ensureUpToDate(node, FIXTURE));
}

/** @param {string} node @param {Buildable} buildable */
async function ensureUpToDate(node, buildable) {
  const checksum = sourceChecksum(buildable);
  return isUpToDate(buildable, checksum)
    ? 'up to date'
    : withLock(() => (isUpToDate(buildable, checksum) ? 'up to date' : build(node, buildable)));
}

/** @param {Buildable} buildable */
const stampPath = ({ folder }) => join(ROOT, folder, 'build/.sources');

/** @param {Buildable} buildable @param {string} checksum */
const isUpToDate = (buildable, checksum) =>
  existsSync(stampPath(buildable)) && readFileSync(stampPath(buildable), 'utf8') === checksum;

/** @param {string} node @param {Buildable} buildable */
async function build(node, buildable) {
  // The stamp is removed first: after an interrupted build, sources that match the last build again must not skip the
  // build.
  rmSync(stampPath(buildable), { force: true });
  await writeSections(node);
  // Computed after the declarations are written and before the build, so that edits during the build trigger another
  // one.
  const checksum = sourceChecksum(buildable);
  const env = withNode(node, { NODE_ENV: 'production', PILLION_SITE: buildable.site });
  const { code, output } = await capture(node, [join(ROOT, 'packages/server/bin/pillion.mjs'), 'build'], {
    cwd: join(ROOT, buildable.folder),
    env,
  });
  if (code !== 0) throw new Stop(`The build failed:\n${output}`);
  writeFileSync(stampPath(buildable), checksum);
  return 'built';
}
