// A real WordPress with the plugin and the LOWSUN content, on loopback: `npm run wordpress`, and what tests start.
import { existsSync, renameSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePhp } from './lib/php.mjs';
import { explain, ROOT, Stop } from './lib/project.mjs';
import { step } from './lib/steps.mjs';
import { ensureMariaDb } from './lib/wordpress-database.mjs';
import { RELEASES, WORDPRESS_CACHE } from './lib/wordpress-files.mjs';
import { serveSite, tryPort } from './lib/wordpress-server.mjs';
import {
  addressOf,
  createSite,
  ensureTemplate,
  isSite,
  moveSite,
  readAbout,
  refresh,
  startDatabase,
} from './lib/wordpress-site.mjs';

const DEFAULT_PORT = 8080;
/** Editors save in bursts; the plugin is taken over once they are done, in milliseconds. */
const SAVED_MS = 200;

/** Quiet by default; `npm run wordpress` passes `step`, which shows name, outcome and duration. */
const silently = (_name, work) => work();

/** `PILLION_WORDPRESS=6.1` runs the oldest WordPress the plugin is written for, on MariaDB, from Debian's packages. */
function releaseFromEnvironment() {
  const name = process.env.PILLION_WORDPRESS || '7.1';
  if (Object.hasOwn(RELEASES, name)) return name;
  throw new Stop(`PILLION_WORDPRESS is "${name}": one of ${Object.keys(RELEASES).join(', ')} is expected.`);
}

async function ensureFiles(release) {
  if (!RELEASES[release].sqlite) await ensureMariaDb();
  return RELEASES[release].ensure();
}

/** Moved away whole before it goes: one that was killed while it went would be taken for a site again. */
function removeSite(directory) {
  const old = `${directory}.old`;
  rmSync(old, { recursive: true, force: true });
  if (!existsSync(directory)) return;
  renameSync(directory, old);
  rmSync(old, { recursive: true });
}

async function siteFrom(directory, release, fresh) {
  if (fresh) removeSite(directory);
  if (isSite(directory)) return 'as it was left';
  const template = await ensureTemplate(release);
  await createSite(directory, template.directory);
  return template.made ? 'installed and seeded' : 'copied from the template';
}

async function freePort(port) {
  const found = await tryPort(port);
  if (found) return found;
  throw new Stop(`Port ${port} is taken: end what listens there, or set WORDPRESS_PORT to another one.`);
}

/**
 * Starts a WordPress that dies with this process.
 * @param options.port 0: any free one.
 * @param options.directory Where the site is kept; made of the seed where there is none yet.
 * @param options.fresh Start over from the seed.
 * @param options.site Address and secret of the site that it tells of changes; none: it tells nobody.
 * @param options.show Called as `(name, work)` for each step.
 * @returns Address, credentials, and `stop()`.
 * @throws Stop with one sentence: PHP missing, port taken, no network.
 */
export async function startWordPress({ port = 0, directory, fresh = false, site, show = silently } = {}) {
  const release = releaseFromEnvironment();
  const place = directory ?? join(WORDPRESS_CACHE, release === '7.1' ? 'site' : `site-${release}`);
  const taken = await freePort(port);
  await show('php', ensurePhp);
  await show('wordpress', () => ensureFiles(release));
  await show('site', () => siteFrom(place, release, fresh));
  let running;
  await show('server', async () => {
    running = await serve(place, taken, site);
    return `WordPress ${readAbout(place).wordpress} with ${readAbout(place).database}`;
  });
  const { key, secret, admin } = readAbout(place);
  return { url: addressOf(taken), port: taken, directory: place, key, secret, admin, ...running };
}

async function serve(directory, port, site) {
  refresh(directory);
  const database = await startDatabase(directory, port, site);
  try {
    // Its own move is no change of an editor's, and the site is not up yet.
    const untold = { ...database.environment, PILLION_SITE_URL: '' };
    await moveSite(directory, addressOf(port), untold);
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

/** @throws Stop where `WORDPRESS_PORT` is no port. */
export function portFromEnvironment() {
  const text = process.env.WORDPRESS_PORT || String(DEFAULT_PORT);
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new Stop(`WORDPRESS_PORT is "${text}": a port from 1 to 65535 is expected.`);
}

/** A change in the repository's plugin is in the running site with the next request. */
function followPlugin(directory) {
  let timer;
  const watcher = watch(join(ROOT, 'wordpress/pillion'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => refresh(directory), SAVED_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

function announce({ url, key, secret, admin }) {
  console.log(`\n  ${url}`);
  console.log(`  ${url}/wp-admin/  ${admin.user} / ${admin.password}`);
  console.log(`  CONTENT_SOURCE=wordpress CONTENT_URL=${url} CONTENT_KEY=${key} CONTENT_SECRET=${secret}\n`);
}

const untilToldToEnd = () =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => resolve(null));
  });

/** `npm run wordpress [-- --fresh]`. @returns The exit code. */
export async function main(args) {
  const unknown = args.find((argument) => argument !== '--fresh');
  if (unknown) throw new Stop(`${unknown} is no option of this command: it knows --fresh.`);
  console.log('WordPress');
  const toldToEnd = untilToldToEnd();
  const starting = startWordPress({ port: portFromEnvironment(), fresh: args.includes('--fresh'), show: step });
  const site = await Promise.race([starting, toldToEnd]);
  // Told to end before it had started: what it began ends with this process.
  if (!site) return 0;
  const unfollow = followPlugin(site.directory);
  announce(site);
  await Promise.race([toldToEnd, site.ended]);
  unfollow();
  await site.stop();
  return 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  main(process.argv.slice(2)).then(
    (code) => process.exit(code),
    (cause) => {
      const error = explain(cause);
      console.error(error instanceof Stop ? `\n${error.message}` : error);
      process.exit(error.exitCode ?? 1);
    },
  );
