import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT, Stop } from './project.mjs';
import { kill } from './run.mjs';
import { localAddress, places } from './wordpress-site.mjs';

/** PHP's built-in server handles one request per process. WordPress' editor sends several at once. */
const WORKERS = 4;
const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 3_000;

const SETTINGS = {
  sendmail_path: '/bin/true',
  upload_max_filesize: '64M',
  post_max_size: '64M',
  memory_limit: '512M',
  display_errors: '0',
};

/**
 * @typedef {object} Running
 * @property {number} pid
 * @property {number} parent Its parent's id.
 * @property {string} since Start time in kernel ticks. A later process may reuse the id, but not with this time.
 */

/** @param {string} pid Name of the folder in /proc. @returns {Running | null} `null` if it has ended. */
function running(pid) {
  try {
    const [parent = '', ...more] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) \S+ /s, '')
      .split(' ');
    return { pid: Number(pid), parent: Number(parent), since: more[17] ?? '' };
  } catch {
    return null;
  }
}

/**
 * Children of a process. PHP does not end its workers when it ends, on any signal, so they are ended by id.
 * @param {number} pid
 * @returns {Running[]}
 */
function workersOf(pid) {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => running(name) ?? [])
      .filter(({ parent }) => parent === pid);
  } catch {
    return [];
  }
}

/**
 * Ends a server and its workers immediately.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 * @param {Running[]} known Its known workers. After the server was killed they can no longer be found.
 * @returns Ids of all processes that got the signal. Empty if the server never started.
 */
function killAll({ pid }, signal, known = []) {
  if (pid === undefined) return [];
  const left = known.filter((worker) => running(String(worker.pid))?.since === worker.since);
  const all = [...new Set([pid, ...[...workersOf(pid), ...left].map((worker) => worker.pid)])];
  for (const each of all) kill(each, signal);
  return all;
}

/**
 * @param {string} directory The site's.
 * @param {number} port
 * @param {NodeJS.ProcessEnv} environment
 */
function spawnServer(directory, port, environment) {
  const { html, log } = places(directory);
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-d', `${name}=${value}`]);
  const out = openSync(log, 'w');
  const child = spawn(
    'php',
    [...settings, '-S', `127.0.0.1:${port}`, '-t', html, join(ROOT, 'scripts/wordpress/router.php')],
    {
      cwd: html,
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: String(WORKERS), ...environment },
      stdio: ['ignore', out, out],
    },
  );
  closeSync(out);
  return child;
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(`${url}/wp-json/gusto/options`, { signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} directory The site's.
 * @param {string} url
 * @throws Stop With the end of its log.
 */
async function untilReady(child, directory, url) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    if (await answers(url)) return;
    await pause(50);
  }
  killAll(child, 'SIGKILL');
  const said = readFileSync(places(directory).log, 'utf8').trim().split('\n').slice(-5).join('\n');
  throw new Stop(`WordPress did not start at ${url}. Its log (${places(directory).log}) ends:\n${said}`);
}

/**
 * Serves a site with PHP's built-in server, on loopback only.
 * @param {string} directory The site's.
 * @param {number} port
 * @param {NodeJS.ProcessEnv} environment Added to this process' environment for PHP.
 * @returns `stop`, which resolves when all its processes have ended.
 */
export async function serveSite(directory, port, environment) {
  const child = spawnServer(directory, port, environment);
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('exit', resolve));
  /** @type {Running[]} */
  let workers = [];
  const onExit = () => killAll(child, 'SIGKILL', workers);
  process.once('exit', onExit);
  const stop = async () => {
    const all = killAll(child, 'SIGTERM', workers);
    await Promise.race([ended, pause(STOP_TIMEOUT_MS)]);
    for (const pid of all) kill(pid, 'SIGKILL');
    process.off('exit', onExit);
  };
  await untilReady(child, directory, localAddress(port));
  workers = workersOf(child.pid ?? 0);
  return { stop, ended };
}
