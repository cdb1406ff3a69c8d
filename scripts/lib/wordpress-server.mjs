import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT, Stop } from './project.mjs';
import { END_SIGNALS, sendSignal } from './run.mjs';
import { localAddress, sitePaths } from './wordpress-site.mjs';

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
 * Sends a signal to a server and its workers. PHP does not end its workers when it ends, so they are a process group,
 * which outlives a killed server.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
const signalAll = ({ pid }, signal) => pid !== undefined && sendSignal(-pid, signal);

/**
 * @param {string} directory The site's.
 * @param {number} port
 * @param {NodeJS.ProcessEnv} environment
 */
function spawnServer(directory, port, environment) {
  const { html, log } = sitePaths(directory);
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-d', `${name}=${value}`]);
  const logFile = openSync(log, 'w');
  const child = spawn(
    'php',
    [...settings, '-S', `127.0.0.1:${port}`, '-t', html, join(ROOT, 'scripts/wordpress/router.php')],
    {
      cwd: html,
      // As the leader of a new process group, so the terminal's signals do not reach it.
      detached: true,
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: String(WORKERS), ...environment },
      stdio: ['ignore', logFile, logFile],
    },
  );
  closeSync(logFile);
  return child;
}

/** @param {string} url */
async function isReady(url) {
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
async function waitUntilReady(child, directory, url) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    if (await isReady(url)) return;
    await pause(50);
  }
  signalAll(child, 'SIGKILL');
  const lastLines = readFileSync(sitePaths(directory).log, 'utf8').trim().split('\n').slice(-5).join('\n');
  throw new Stop(`WordPress did not start at ${url}. Its log (${sitePaths(directory).log}) ends:\n${lastLines}`);
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
  const onExit = () => signalAll(child, 'SIGKILL');
  process.once('exit', onExit);
  /** Without another listener, a signal ends this process without the event `exit`. @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    if (process.listenerCount(signal) > 1) return;
    onExit();
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  for (const signal of END_SIGNALS) process.on(signal, onSignal);
  const stop = async () => {
    for (const signal of END_SIGNALS) process.off(signal, onSignal);
    signalAll(child, 'SIGTERM');
    await Promise.race([ended, pause(STOP_TIMEOUT_MS)]);
    signalAll(child, 'SIGKILL');
    process.off('exit', onExit);
  };
  await waitUntilReady(child, directory, localAddress(port));
  return { stop, ended };
}
