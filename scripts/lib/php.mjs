import { aptInstall } from './programs.mjs';
import { Stop } from './project.mjs';
import { capture } from './run.mjs';

/**
 * Extensions that WordPress and its SQLite drop-in need: name → Debian's package.
 * @type {Readonly<Record<string, string>>}
 */
const EXTENSIONS = { pdo_sqlite: 'sqlite3', SimpleXML: 'xml', mbstring: 'mbstring', curl: 'curl', gd: 'gd' };

const PROBE_CODE = "echo PHP_VERSION, ' ', implode(',', get_loaded_extensions());";

/** @returns Version of the installed PHP, or empty, and the extensions that it lacks. */
async function probePhp() {
  const { code, output } = await capture('php', ['-r', PROBE_CODE]).catch(() => ({ code: 1, output: '' }));
  const [version = '', extensions = ''] = code === 0 ? output.trim().split(' ', 2) : [];
  const loaded = extensions.toLowerCase().split(',');
  const missing = Object.keys(EXTENSIONS).filter((name) => !loaded.includes(name.toLowerCase()));
  return { version, missing };
}

/**
 * Debian 12's packages have the version in their names. Names without a version install the release's PHP.
 * @param {readonly string[]} missing Extensions.
 * @param {string} version Version of the installed PHP, or empty.
 */
async function debianPackages(missing, version) {
  const release = version ? version.split('.').slice(0, 2).join('.') : '8.2';
  const { code } = await capture('apt-cache', ['show', `php${release}-cli`]).catch(() => ({ code: 1 }));
  const prefix = code === 0 ? `php${release}` : 'php';
  return [...(version ? [] : ['cli']), ...missing.map((name) => EXTENSIONS[name])].map((name) => `${prefix}-${name}`);
}

/**
 * Checks for PHP with everything that WordPress needs, and installs it from Debian's packages when run as root.
 * @returns The outcome for the step's line.
 * @throws Stop Exit code 77 ("cannot test here"): with the command to run as root, or with what is missing after apt.
 */
export async function ensurePhp() {
  const before = await probePhp();
  if (before.version && before.missing.length === 0) return `PHP ${before.version}`;
  await aptInstall(await debianPackages(before.missing, before.version));
  const { version, missing } = await probePhp();
  if (version && missing.length === 0) return `installed PHP ${version}`;
  throw new Stop(
    `PHP 7.4.0 or newer is needed with ${Object.keys(EXTENSIONS).join(', ')}; still missing: ${missing.join(', ') || 'php'}.`,
    77,
  );
}

/**
 * Runs a PHP script on the command line.
 * @param {string} script
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env Added to this process' environment.
 * @returns Its output.
 * @throws Stop With its output, if it failed.
 */
export async function runPhp(script, args, env) {
  const { code, output } = await capture(
    'php',
    ['-d', 'memory_limit=512M', '-d', 'display_errors=stderr', '-d', 'sendmail_path=/bin/true', script, ...args],
    { env: { ...process.env, ...env } },
  );
  if (code !== 0) throw new Stop(`${script} failed:\n${output.slice(-2000)}`);
  return output;
}
