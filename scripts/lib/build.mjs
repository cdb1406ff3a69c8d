import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './lock.mjs';
import { ROOT, Stop } from './project.mjs';
import { capture, withNode } from './run.mjs';

const MARK = join(ROOT, 'build/.sources');
/** The site that is built (packages/lib/src/site-folder.mjs). */
const SITE = process.env.PILLION_SITE ?? 'site';
/** Folders of a site that are not part of its build. */
const NOT_BUILT = ['assets', 'content', 'node_modules', 'seed', 'tests'];
const ofSite = existsSync(join(ROOT, SITE)) ? readdirSync(join(ROOT, SITE)).sort() : [];
const SOURCES = [
  ...['packages', 'plugins/pillion/blocks/sections.json', 'plugins/pillion/data/texts.json'],
  ...ofSite.filter((name) => !NOT_BUILT.includes(name)).map((name) => `${SITE}/${name}`),
  ...['scripts/sections.mjs', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'],
];

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

/** A checksum of everything that the build uses, without tests. */
function sourceSum() {
  const sum = createHash('sha256');
  for (const source of SOURCES) {
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
export async function ensureBuild(node) {
  const sum = sourceSum();
  return isBuildOf(sum) ? 'up to date' : oneAtATime(() => (isBuildOf(sum) ? 'up to date' : build(node)));
}

/** @param {string} sum */
const isBuildOf = (sum) => existsSync(MARK) && readFileSync(MARK, 'utf8') === sum;

/** @param {string} node */
async function build(node) {
  // The mark is removed first: after an interrupted build, sources that match the last build again must not skip the
  // build.
  rmSync(MARK, { force: true });
  await writeSections(node);
  // Computed after the declarations are written and before the build, so that edits during the build trigger another
  // one.
  const sum = sourceSum();
  const env = withNode(node, { NODE_ENV: 'production' });
  const { code, output } = await capture(node, ['packages/server/bin/pillion.mjs', 'build'], { env });
  if (code !== 0) throw new Stop(`The build failed:\n${output}`);
  writeFileSync(MARK, sum);
  return 'built';
}
