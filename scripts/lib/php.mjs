import { aptInstall } from './browsers.mjs';
import { Stop } from './project.mjs';
import { capture } from './run.mjs';

/**
 * What WordPress and its SQLite drop-in ask of PHP: name of the extension → Debian's package.
 * @type {Readonly<Record<string, string>>}
 */
const EXTENSIONS = { pdo_sqlite: 'sqlite3', SimpleXML: 'xml', mbstring: 'mbstring', curl: 'curl', gd: 'gd' };

/** WordPress 7 and our plugin run on it. */
const OLDEST = '7.4.0';

const PROBE = "echo PHP_VERSION, ' ', implode(',', get_loaded_extensions());";

async function probe() {
  const { code, output } = await capture('php', ['-r', PROBE]).catch(() => ({ code: 1, output: '' }));
  const [version = '', extensions = ''] = code === 0 ? output.trim().split(' ', 2) : [];
  const loaded = extensions.toLowerCase().split(',');
  const missing = Object.keys(EXTENSIONS).filter((name) => !loaded.includes(name.toLowerCase()));
  return { version, missing };
}

/**
 * Debian 12's packages carry the version in their names; without it each release gives its own PHP.
 * @param {readonly string[]} missing Extensions.
 * @param {string} version Of the PHP that is there; empty where there is none.
 */
async function debianPackages(missing, version) {
  const release = version ? version.split('.').slice(0, 2).join('.') : '8.2';
  const { code } = await capture('apt-cache', ['show', `php${release}-cli`]).catch(() => ({ code: 1 }));
  const prefix = code === 0 ? `php${release}` : 'php';
  return [...(version ? [] : ['cli']), ...missing.map((name) => EXTENSIONS[name])].map((name) => `${prefix}-${name}`);
}

/**
 * PHP with what WordPress needs; installed from Debian's packages when we are root.
 * @returns What came of it.
 * @throws Stop with the one line to run.
 */
export async function ensurePhp() {
  const before = await probe();
  if (before.version && before.missing.length === 0) return `PHP ${before.version}`;
  await aptInstall(await debianPackages(before.missing, before.version));
  const { version, missing } = await probe();
  if (version && missing.length === 0) return `installed PHP ${version}`;
  throw new Stop(
    `PHP ${OLDEST} or newer is needed with ${Object.keys(EXTENSIONS).join(', ')}; still missing: ${missing.join(', ') || 'php'}.`,
    77,
  );
}

/**
 * Runs a PHP script on the command line.
 * @param {string} script
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env What is added to our own environment.
 * @returns What it printed.
 * @throws Stop with what it said, where it failed.
 */
export async function php(script, args, env) {
  const { code, output } = await capture(
    'php',
    ['-d', 'memory_limit=512M', '-d', 'display_errors=stderr', '-d', 'sendmail_path=/bin/true', script, ...args],
    {
      env: { ...process.env, ...env },
    },
  );
  if (code !== 0) throw new Stop(`${script} failed:\n${output.slice(-2000)}`);
  return output;
}
