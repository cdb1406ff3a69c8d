import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ensureNode } from './node.mjs';
import { runPhp } from './php.mjs';
import { checksumOf, ROOT, Stop } from './project.mjs';
import { capture, withNode } from './run.mjs';
import { createMariaDb, startMariaDb } from './wordpress-database.mjs';
import { fillThenRename, RELEASES, WORDPRESS_CACHE } from './wordpress-files.mjs';

const PLUGIN = join(ROOT, 'plugins/pillion');
const SEED_KIT = join(ROOT, 'scripts/wordpress/seed-kit');
const SCRIPTS = join(ROOT, 'scripts/wordpress');
/** The content for `npm run wordpress`, unless `PILLION_SEED` names another folder. */
export const DEMO_SEED = join(ROOT, 'site/seed');

/** The name of no seed: a WordPress without content. */
const EMPTY = 'empty';

/** The port of a template. A site made from it gets its own port later. */
const TEMPLATE_PORT = 8080;
/**
 * Templates of an older plugin or seed are deleted after this many milliseconds, when no process can still copy them.
 */
const KEEP_OLD_MS = 600_000;

/** @typedef {import('./wordpress-files.mjs').ReleaseName} ReleaseName */
/** @typedef {import('./wordpress-files.mjs').Release} Release */

/**
 * The content of a site's `site.json`.
 * @typedef {object} SiteInfo
 * @property {string} url Its address at the last start.
 * @property {string} wordpress Its version.
 * @property {string} database SQLite, or MariaDB's version.
 * @property {string} key Consumer key of the seed.
 * @property {string} secret Its secret.
 * @property {{ user: string, password: string, applicationPassword: string }} admin `applicationPassword` comes with the seed.
 */

/**
 * The site that shows a WordPress and receives its changes.
 * @typedef {object} NotifiedSite
 * @property {string} url
 * @property {string} secret Signs the messages.
 */

/** @param {number} port */
export const localAddress = (port) => `http://127.0.0.1:${port}`;

/**
 * A site is one folder: `html/` is served, and the database, logs and secrets are next to it.
 * @param {string} directory
 */
export const sitePaths = (directory) => ({
  html: join(directory, 'html'),
  about: join(directory, 'site.json'),
  log: join(directory, 'server.log'),
  plugin: join(directory, 'html/wp-content/plugins/pillion'),
});

/** @param {string} directory @returns {SiteInfo} */
export const readSiteInfo = (directory) => JSON.parse(readFileSync(sitePaths(directory).about, 'utf8'));

/**
 * @param {string} directory
 * @param {SiteInfo | (Omit<SiteInfo, 'admin'> & { admin: Omit<SiteInfo['admin'], 'applicationPassword'> })} info The second before
 *   the seed.
 */
const writeSiteInfo = (directory, info) =>
  writeFileSync(sitePaths(directory).about, `${JSON.stringify(info, null, 2)}\n`);

/**
 * Starts the database of a site. SQLite is a file and needs no start.
 * @param {string} directory
 * @param {number} port
 * @param {NotifiedSite} [site] Receives changes, if given.
 * @returns The environment variables for every PHP of the site, and `stop`.
 */
export async function startDatabase(directory, port, site) {
  const isSqlite = existsSync(join(sitePaths(directory).html, 'wp-content/db.php'));
  const { environment, stop } = isSqlite ? { environment: {}, stop: async () => {} } : await startMariaDb(directory);
  // Also without a site, because the shell's environment may name one.
  const siteVariables = { PILLION_SITE_URL: site?.url ?? '', PILLION_WEBHOOK_SECRET: site?.secret ?? '' };
  return { environment: { ...environment, WORDPRESS_PORT: String(port), ...siteVariables }, stop };
}

/**
 * Runs the database of a template during `work`.
 * @param {string} directory
 * @param {(environment: NodeJS.ProcessEnv) => Promise<void>} work
 */
async function withDatabase(directory, work) {
  const { environment, stop } = await startDatabase(directory, TEMPLATE_PORT);
  try {
    await work(environment);
  } finally {
    await stop();
  }
}

/** @param {string} seed @returns The folders with the site's own sections and templates that exist. */
export const findOwnParts = (seed) =>
  ['sections', 'templates'].map((kind) => join(dirname(seed), kind)).filter(existsSync);

/**
 * Writes the current plugin for the site that the seed belongs to, and copies the configuration from the repository. The
 * plugin is a copy, because deleting a linked one in wp-admin would delete its source.
 * @param {string} directory
 * @param {string} seed
 */
export async function updatePlugin(directory, seed) {
  const { html, plugin } = sitePaths(directory);
  const node = await ensureNode();
  const program = join(ROOT, 'scripts/lib/write-plugin.mjs');
  const { code, output } = await capture(node, [program, dirname(seed), plugin], { env: withNode(node) });
  if (code !== 0) throw new Stop(output.trim());
  cpSync(join(SCRIPTS, 'wp-config.php'), join(html, 'wp-config.php'));
}

/**
 * Creates a site's folder with its files and an empty database.
 * @param {string} directory
 * @param {Release} release
 */
async function createFiles(directory, { core, sqlite }) {
  const { html } = sitePaths(directory);
  await copyFolder(core, html);
  rmSync(join(html, 'wp-config.php'), { force: true });
  cpSync(join(SCRIPTS, 'wp-config.php'), join(html, 'wp-config.php'));
  mkdirSync(join(html, 'wp-content/uploads'), { recursive: true });
  writeFileSync(join(directory, 'salt'), randomBytes(32).toString('hex'));
  if (!sqlite) return createMariaDb(directory);
  cpSync(sqlite, join(html, 'wp-content/plugins/sqlite-database-integration'), { recursive: true });
  cpSync(join(sqlite, 'db.copy'), join(html, 'wp-content/db.php'));
  mkdirSync(join(directory, 'database'));
}

/**
 * `cp` takes a third of a second for WordPress' 3,800 files. Node's copy takes five times as long.
 * @param {string} from
 * @param {string} to
 */
async function copyFolder(from, to) {
  const { code, output } = await capture('cp', ['-R', from, to]);
  if (code !== 0) throw new Stop(`${to} could not be written: ${output.trim().split('\n')[0]}`);
}

/** @param {string} directory @param {string} original */
async function replaceWithCopy(directory, original) {
  rmSync(directory, { recursive: true });
  await copyFolder(original, directory);
}

/**
 * Runs a script of `scripts/wordpress` in a site.
 * @param {string} script Its name.
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} environment
 * @param {readonly string[]} args
 * @returns The JSON on the last line of its output, or `null` without output.
 */
async function runScript(script, directory, environment, args = []) {
  const output = await runPhp(
    join(SCRIPTS, script),
    [join(sitePaths(directory).html, 'wp-load.php'), ...args],
    environment,
  );
  try {
    return output ? JSON.parse(output.trim().split('\n').at(-1) ?? '') : null;
  } catch {
    throw new Stop(`scripts/wordpress/${script} failed:\n${output.slice(-2000)}`);
  }
}

/**
 * Installs WordPress with the seed's pictures, without the plugin.
 * @param {string} directory
 * @param {Release} release
 * @param {string} seed
 */
async function installWordPress(directory, release, seed) {
  await createFiles(directory, release);
  await withDatabase(directory, async (environment) => {
    const installed = await runScript('install.php', directory, { ...environment, PILLION_SEED: seed });
    writeSiteInfo(directory, {
      url: localAddress(TEMPLATE_PORT),
      ...installed,
      key: 'ck_pillion_development',
      secret: 'cs_pillion_development',
      admin: { user: 'admin', password: 'admin' },
    });
  });
}

/**
 * @param {string} directory
 * @param {string} seed
 * @param {{ PILLION_SEED: string, PILLION_SEED_LANGUAGES?: string }} content The seed, or `EMPTY`; other languages if not empty.
 */
async function activateAndSeed(directory, seed, content) {
  await updatePlugin(directory, seed);
  await withDatabase(directory, async (environment) => {
    await runScript('activate.php', directory, environment);
    const { password } = await runScript('seed.php', directory, { ...environment, ...content });
    const info = readSiteInfo(directory);
    writeSiteInfo(directory, { ...info, admin: { ...info.admin, applicationPassword: password } });
  });
}

/**
 * @param {string} name
 * @param {readonly string[]} paths
 * @param {(partial: string) => Promise<void>} fill
 * @returns A folder in the cache, filled once for each state of `paths`, and whether it was filled by this call.
 */
async function ensureCached(name, paths, fill) {
  const directory = join(WORDPRESS_CACHE, `${name}-${checksumOf(paths).slice(0, 16)}`);
  if (existsSync(directory)) return { directory, isNew: false };
  pruneCache(name);
  await fillThenRename(directory, fill);
  return { directory, isNew: true };
}

/**
 * The seed's part of a template's name; empty for the demo's seed.
 * @param {string} seed
 */
export const seedSuffix = (seed) => (seed === DEMO_SEED ? '' : `-${relative(ROOT, seed).replace(/\W+/g, '-')}`);

/**
 * Makes an installed and seeded site to copy, once for each state of plugin and seed. Its pictures, which take longest,
 * are cached separately.
 * @param {ReleaseName} name
 * @param {string} seed Folder of the site's seed.
 * @param {boolean} hasLanguages Whether the site has all its languages. Default: only English.
 */
export function ensureTemplate(name, seed, hasLanguages = false) {
  const suffix = seedSuffix(seed);
  return ensureCached(
    `${hasLanguages ? 'languages' : 'template'}${suffix}-${name}`,
    [PLUGIN, SEED_KIT, seed, SCRIPTS],
    async (partial) => {
      const pictures = [join(seed, 'media'), join(seed, 'media.php'), join(SEED_KIT, 'uploads.php'), SCRIPTS];
      const base = await ensureCached(`base${suffix}-${name}`, pictures, (empty) =>
        installWordPress(empty, RELEASES[name], seed),
      );
      await replaceWithCopy(partial, base.directory);
      await activateAndSeed(partial, seed, { PILLION_SEED: seed, PILLION_SEED_LANGUAGES: hasLanguages ? 'all' : '' });
    },
  );
}

/**
 * Makes an installed WordPress with the plugin and without content.
 * @param {ReleaseName} name
 * @param {string} seed Folder of the site whose own parts the plugin has.
 */
export function ensureEmpty(name, seed) {
  return ensureCached(`empty-${name}`, [PLUGIN, SCRIPTS, ...findOwnParts(seed)], async (partial) => {
    await installWordPress(partial, RELEASES[name], EMPTY);
    await activateAndSeed(partial, seed, { PILLION_SEED: EMPTY });
  });
}

/** Deletes old folders of a name. @param {string} name */
function pruneCache(name) {
  for (const old of readdirSync(WORDPRESS_CACHE).filter((entry) => entry.startsWith(`${name}-`))) {
    const path = join(WORDPRESS_CACHE, old);
    if (statSync(path).mtimeMs < Date.now() - KEEP_OLD_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {string} directory */
export const isSite = (directory) => existsSync(sitePaths(directory).about);

/**
 * Creates a site from a template.
 * @param {string} directory Missing or empty.
 * @param {string} template Its folder.
 * @throws Stop If the folder contains something else.
 */
export async function createSite(directory, template) {
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new Stop(`${directory} contains other files than a local WordPress. Choose another folder.`);
  rmSync(directory, { recursive: true, force: true });
  await fillThenRename(directory, async (partial) => {
    await replaceWithCopy(partial, template);
    // `wp-config.php` derives the login keys from it. With the template's salt, a login to one site opens all others.
    writeFileSync(join(partial, 'salt'), randomBytes(32).toString('hex'));
  });
}

/**
 * Changes a site's address to its current one if it differs from the last start. Its database must be running.
 * @param {string} directory
 * @param {string} url
 * @param {NodeJS.ProcessEnv} environment
 */
export async function moveSite(directory, url, environment) {
  const info = readSiteInfo(directory);
  if (info.url === url) return;
  await runScript('move.php', directory, environment, [info.url, url]);
  writeSiteInfo(directory, { ...info, url });
}
