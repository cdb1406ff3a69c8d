import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { php } from './php.mjs';
import { ROOT, Stop } from './project.mjs';
import { capture } from './run.mjs';
import { CORE, fillThenRename, SQLITE, WORDPRESS_CACHE } from './wordpress-files.mjs';

const PLUGIN = join(ROOT, 'wordpress/pillion');
const SEED = join(ROOT, 'wordpress/seed');
const LOCAL = join(ROOT, 'wordpress/local');

/** The port a template is installed on; a site made from it is moved to its own. */
const TEMPLATE_PORT = 8080;
/** Templates of other plugins or seeds than today's are thrown away once nobody can be copying them, in milliseconds. */
const TEMPLATE_KEEP_MS = 3_600_000;

export const addressOf = (port) => `http://127.0.0.1:${port}`;

/** A site is one folder: `html/` is served, database, logs and secrets lie beside it. */
export const places = (directory) => ({
  html: join(directory, 'html'),
  about: join(directory, 'site.json'),
  log: join(directory, 'server.log'),
  plugin: join(directory, 'html/wp-content/plugins/pillion'),
});

export const readAbout = (directory) => JSON.parse(readFileSync(places(directory).about, 'utf8'));

const writeAbout = (directory, about) => writeFileSync(places(directory).about, `${JSON.stringify(about, null, 2)}\n`);

/** The plugin as it is in the repository now. A copy, because deleting a linked plugin in wp-admin would delete its source. */
export function refreshPlugin(directory) {
  const { plugin } = places(directory);
  rmSync(plugin, { recursive: true, force: true });
  cpSync(PLUGIN, plugin, { recursive: true });
}

/** A site's folder with its files and nothing in its database. */
async function layOut(directory) {
  const { html } = places(directory);
  await copyFolder(CORE, html);
  cpSync(SQLITE, join(html, 'wp-content/plugins/sqlite-database-integration'), { recursive: true });
  cpSync(join(SQLITE, 'db.copy'), join(html, 'wp-content/db.php'));
  cpSync(join(LOCAL, 'wp-config.php'), join(html, 'wp-config.php'));
  mkdirSync(join(html, 'wp-content/uploads'), { recursive: true });
  mkdirSync(join(directory, 'database'));
  writeFileSync(join(directory, 'salt'), randomBytes(32).toString('hex'));
  refreshPlugin(directory);
}

/** `cp` takes a third of a second for WordPress' 3,800 files, Node's own copy five times as long. */
async function copyFolder(from, to) {
  const { code, output } = await capture('cp', ['-R', from, to]);
  if (code !== 0) throw new Stop(`${to} could not be written: ${output.trim().split('\n')[0]}`);
}

const lastLine = (output) => output.trim().split('\n').at(-1);

async function runLocal(script, directory, port, args = []) {
  const output = await php(join(LOCAL, script), [join(places(directory).html, 'wp-load.php'), ...args], {
    WORDPRESS_PORT: String(port),
  });
  try {
    return output ? JSON.parse(lastLine(output)) : null;
  } catch {
    throw new Stop(`wordpress/local/${script} said:\n${output.slice(-2000)}`);
  }
}

async function install(directory) {
  await layOut(directory);
  const installed = await runLocal('install.php', directory, TEMPLATE_PORT);
  const { password } = await runLocal('seed.php', directory, TEMPLATE_PORT);
  writeAbout(directory, {
    url: addressOf(TEMPLATE_PORT),
    ...installed,
    key: 'ck_lowsun_development',
    secret: 'cs_lowsun_development',
    admin: { user: 'admin', password: 'admin', applicationPassword: password },
  });
}

function sumOf(folders) {
  const sum = createHash('sha256').update(CORE);
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true }).sort()) {
      const path = join(folder, name);
      if (statSync(path).isFile()) sum.update(name).update('\0').update(readFileSync(path));
    }
  return sum.digest('hex').slice(0, 16);
}

/** An installed and seeded site, made once for each state of plugin and seed: tests start from a copy of it in a second. */
export async function ensureTemplate() {
  const template = join(WORDPRESS_CACHE, `template-${sumOf([PLUGIN, SEED, LOCAL])}`);
  if (existsSync(template)) return { template, made: false };
  pruneTemplates();
  await fillThenRename(template, install);
  return { template, made: true };
}

function pruneTemplates() {
  for (const name of readdirSync(WORDPRESS_CACHE).filter((entry) => entry.startsWith('template-'))) {
    const path = join(WORDPRESS_CACHE, name);
    if (statSync(path).mtimeMs < Date.now() - TEMPLATE_KEEP_MS) rmSync(path, { recursive: true, force: true });
  }
}

export const isSite = (directory) => existsSync(places(directory).about);

/** Makes a site of the template. @throws Stop where something else lies there. */
export async function createSite(directory, template) {
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new Stop(`${directory} holds something that is not a local WordPress: choose another folder.`);
  rmSync(directory, { recursive: true, force: true });
  await fillThenRename(directory, async (partial) => {
    rmSync(partial, { recursive: true });
    await copyFolder(template, partial);
    writeFileSync(join(partial, 'salt'), randomBytes(32).toString('hex'));
  });
}

/** Takes a site to the address it is started on now, where that is another than last time. */
export async function moveSite(directory, port) {
  const about = readAbout(directory);
  const url = addressOf(port);
  if (about.url === url) return;
  await runLocal('move.php', directory, port, [about.url, url]);
  writeAbout(directory, { ...about, url });
}
