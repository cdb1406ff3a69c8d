// A real WordPress with the plugin and a site's content on loopback, for `npm run wordpress` and tests.
import { existsSync, renameSync, rmSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensurePhp } from './lib/php.mjs';
import { tryPort } from './lib/ports.mjs';
import { ROOT, Stop } from './lib/project.mjs';
import { END_SIGNALS } from './lib/run.mjs';
import { step } from './lib/steps.mjs';
import { ensureMariaDb } from './lib/wordpress-database.mjs';
import { RELEASES, WORDPRESS_CACHE } from './lib/wordpress-files.mjs';
import { serveSite } from './lib/wordpress-server.mjs';
import {
  createSite,
  DEMO_SEED,
  ensureEmpty,
  ensureTemplate,
  findOwnParts,
  isSite,
  localAddress,
  moveSite,
  readSiteInfo,
  seedSuffix,
  startDatabase,
  updatePlugin,
} from './lib/wordpress-site.mjs';

/** @typedef {import('./lib/wordpress-files.mjs').ReleaseName} ReleaseName */

const DEFAULT_PORT = 8080;
/** The site of `npm run wordpress -- --empty`. */
export const EMPTY_SITE = join(WORDPRESS_CACHE, 'site-empty');
/** Editors save in bursts. The plugin is copied this many milliseconds after the last change. */
const SAVE_DEBOUNCE_MS = 200;

/**
 * Shows nothing. `npm run wordpress` passes `step`, which shows name, outcome and duration.
 * @param {string} _name
 * @param {() => Promise<string>} work
 */
const runSilently = (_name, work) => work();

/** @param {string} name @returns {name is ReleaseName} */
const isRelease = (name) => Object.hasOwn(RELEASES, name);

/** `PILLION_WORDPRESS=6.1` selects the oldest supported WordPress, on MariaDB, from Debian's packages. */
function releaseFromEnvironment() {
  const name = process.env.PILLION_WORDPRESS || '7.1';
  if (isRelease(name)) return name;
  throw new Stop(`PILLION_WORDPRESS is "${name}": one of ${Object.keys(RELEASES).join(', ')} is expected.`);
}

/** @param {ReleaseName} release */
async function ensureFiles(release) {
  if (!RELEASES[release].sqlite) await ensureMariaDb();
  return RELEASES[release].ensure();
}

/**
 * Renames the folder before it deletes it: a partly deleted folder could be taken for a site.
 * @param {string} directory
 */
function removeSite(directory) {
  const renamed = `${directory}.old`;
  rmSync(renamed, { recursive: true, force: true });
  if (!existsSync(directory)) return;
  renameSync(directory, renamed);
  rmSync(renamed, { recursive: true });
}

/** The seed folder from the environment, by default the demo's. */
const seedFromEnvironment = () => (process.env.PILLION_SEED ? resolve(process.env.PILLION_SEED) : DEMO_SEED);

/**
 * @param {string} directory
 * @param {ReleaseName} release
 * @param {string} seed
 * @param {Pick<StartOptions, 'fresh' | 'languages' | 'empty'>} options
 * @returns The outcome for the step's line.
 */
async function ensureSite(directory, release, seed, { fresh, languages, empty }) {
  if (fresh) removeSite(directory);
  if (isSite(directory)) return 'as it was left';
  const template = await (empty ? ensureEmpty(release, seed) : ensureTemplate(release, seed, languages));
  await createSite(directory, template.directory);
  return template.isNew ? 'installed' : 'copied from the template';
}

/** @param {number} port 0: any. @throws Stop If it is in use. */
async function requireFreePort(port) {
  const available = await tryPort(port);
  if (available) return available;
  throw new Stop(`Port ${port} is in use: stop the program that listens there, or set WORDPRESS_PORT to another port.`);
}

/**
 * @typedef {object} StartOptions
 * @property {number} [port] 0 (default): any free one.
 * @property {string} [directory] Folder of the site, created from the seed if it does not exist. Default: the site of
 *   `npm run wordpress`.
 * @property {boolean} [fresh] Start over from the seed.
 * @property {boolean} [empty] Creates a new site without content.
 * @property {boolean} [languages] Creates a new site with all languages of its seed. Default: only English.
 * @property {string} [seed] Folder of its texts and pictures. Default: `PILLION_SEED`, or the demo's.
 * @property {import('./lib/wordpress-site.mjs').NotifiedSite} [site] The site that it notifies of changes. Default: none.
 * @property {(name: string, work: () => Promise<string>) => Promise<unknown>} [show] Called for each step.
 */

/**
 * @typedef {object} RunningWordPress
 * @property {string} url `http://127.0.0.1:<port>`
 * @property {number} port
 * @property {string} directory The site's folder: It contains `server.log`, `debug.log` and the database.
 * @property {string} key Consumer key of the seed.
 * @property {string} secret Its secret.
 * @property {import('./lib/wordpress-site.mjs').SiteInfo['admin']} admin `password` for wp-admin,
 *   `applicationPassword` to write over REST.
 * @property {Record<string, string>} environment Environment for another PHP process that loads this site.
 * @property {() => Promise<void>} stop
 * @property {Promise<number | null>} ended
 */

/**
 * Starts a WordPress that ends with this process.
 * @param {StartOptions} options
 * @returns {Promise<RunningWordPress>}
 * @throws Stop With one sentence: PHP missing, port in use, no network.
 */
export async function startWordPress({
  port = 0,
  directory,
  fresh = false,
  languages = false,
  empty = false,
  seed = seedFromEnvironment(),
  site,
  show = runSilently,
} = {}) {
  const release = releaseFromEnvironment();
  const suffix = `${seedSuffix(seed)}${release === '7.1' ? '' : `-${release}`}`;
  const siteDirectory =
    directory ??
    (empty && release === '7.1' ? EMPTY_SITE : join(WORDPRESS_CACHE, `site${empty ? '-empty' : ''}${suffix}`));
  const availablePort = await requireFreePort(port);
  await show('php', ensurePhp);
  await show('wordpress', () => ensureFiles(release));
  await show('site', () => ensureSite(siteDirectory, release, seed, { fresh, languages, empty }));
  /** @type {Pick<RunningWordPress, 'environment' | 'stop' | 'ended'> | undefined} */
  let running;
  await show('server', async () => {
    running = await startServers(siteDirectory, availablePort, seed, site);
    return `WordPress ${readSiteInfo(siteDirectory).wordpress} with ${readSiteInfo(siteDirectory).database}`;
  });
  if (!running) throw new Error('`show` did not run its work');
  const { key, secret, admin } = readSiteInfo(siteDirectory);
  const address = { url: localAddress(availablePort), port: availablePort };
  return { ...address, directory: siteDirectory, key, secret, admin, ...running };
}

/**
 * Starts the database and the web server of a site.
 * @param {string} directory
 * @param {number} port
 * @param {string} seed
 * @param {StartOptions['site']} site
 */
async function startServers(directory, port, seed, site) {
  await updatePlugin(directory, seed);
  const database = await startDatabase(directory, port, site);
  try {
    // Moving the address is not an editor's change, and the site is not running yet.
    const withoutSite = { ...database.environment, PILLION_SITE_URL: '' };
    await moveSite(directory, localAddress(port), withoutSite);
    const server = await serveSite(directory, port, database.environment);
    const stop = async () => {
      await server.stop();
      await database.stop();
    };
    return { environment: database.environment, ended: server.ended, stop };
  } catch (cause) {
    await database.stop();
    throw cause;
  }
}

/** @throws Stop If `WORDPRESS_PORT` is not a port. */
export function portFromEnvironment() {
  const text = process.env.WORDPRESS_PORT || String(DEFAULT_PORT);
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new Stop(`WORDPRESS_PORT is "${text}": a port from 1 to 65535 is expected.`);
}

/**
 * Writes the plugin of the running WordPress again after a change of the plugin or of sections. The next request uses it.
 * @param {string} directory
 * @param {string} seed
 */
function watchPlugin(directory, seed) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const update = () => updatePlugin(directory, seed).catch((cause) => console.error(cause.message));
  const onChange = () => {
    clearTimeout(timer);
    timer = setTimeout(update, SAVE_DEBOUNCE_MS);
  };
  const folders = [join(ROOT, 'plugins/pillion'), join(ROOT, 'packages/react/src/sections'), ...findOwnParts(seed)];
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, onChange));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** @param {RunningWordPress} site */
function printAddresses({ url, key, secret, admin }) {
  console.log(`\n  ${url}`);
  console.log(`  ${url}/wp-admin/  ${admin.user} / ${admin.password}`);
  console.log(`  CONTENT_SOURCE=wordpress CONTENT_URL=${url} CONTENT_KEY=${key} CONTENT_SECRET=${secret}`);
  console.log(`  WORDPRESS_USER=${admin.user} WORDPRESS_PASSWORD=${admin.applicationPassword}\n`);
}

/** @returns {Promise<null>} */
const waitForStopSignal = () =>
  new Promise((resolve) => {
    for (const signal of END_SIGNALS) process.on(signal, () => resolve(null));
  });

/**
 * Runs `npm run wordpress [-- --fresh --empty]`.
 * @param {readonly string[]} args
 * @returns The exit code.
 */
export async function main(args) {
  const unknown = args.find((argument) => !['--fresh', '--empty'].includes(argument));
  if (unknown) throw new Stop(`${unknown} is not an option of this command. Use --fresh or --empty.`);
  console.log('WordPress');
  const stopped = waitForStopSignal();
  const starting = startWordPress({
    port: portFromEnvironment(),
    fresh: args.includes('--fresh'),
    empty: args.includes('--empty'),
    languages: true,
    show: step,
  });
  const site = await Promise.race([starting, stopped]);
  // It was stopped before it had started. Its processes end with this one.
  if (!site) return 0;
  const stopWatching = watchPlugin(site.directory, seedFromEnvironment());
  printAddresses(site);
  await Promise.race([stopped, site.ended]);
  stopWatching();
  await site.stop();
  return 0;
}
