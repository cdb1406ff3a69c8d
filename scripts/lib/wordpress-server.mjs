import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ROOT, Stop } from './project.mjs';
import { addressOf, places } from './wordpress-site.mjs';

/** PHP's own server answers one request at a time and process: WordPress' editor asks for several at once. */
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

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Listens for a moment on `port`, 0 for any. @returns The port, or `null` where it is taken. */
export function tryPort(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause) => (cause.code === 'EADDRINUSE' ? resolve(null) : reject(cause)));
    server.listen(port, '127.0.0.1', () => {
      const { port: found } = server.address();
      server.close(() => resolve(found));
    });
  });
}

/** Children of a process. PHP does not end its workers when it ends, whatever signal it gets: they are ended by id. */
function workersOf(pid) {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid) {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S+ /s, '')
        .split(' ')[0],
    );
  } catch {
    return null;
  }
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Ends a server and its workers, now. */
function killAll(child, signal) {
  const workers = workersOf(child.pid);
  for (const pid of [child.pid, ...workers]) kill(pid, signal);
  return workers;
}

function spawnServer(directory, port, environment) {
  const { html, log } = places(directory);
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-d', `${name}=${value}`]);
  const out = openSync(log, 'w');
  const child = spawn(
    'php',
    [...settings, '-S', `127.0.0.1:${port}`, '-t', html, join(ROOT, 'wordpress/local/router.php')],
    {
      cwd: html,
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: String(WORKERS), ...environment },
      stdio: ['ignore', out, out],
    },
  );
  closeSync(out);
  return child;
}

async function answers(url) {
  try {
    return (await fetch(`${url}/wp-json/gusto/options`, { signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
}

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
 * Serves a site with PHP's own server, on loopback only.
 * @returns `stop`, which resolves when no process of it is left.
 */
export async function serveSite(directory, port, environment) {
  const child = spawnServer(directory, port, environment);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const onExit = () => killAll(child, 'SIGKILL');
  process.once('exit', onExit);
  const stop = async () => {
    const workers = killAll(child, 'SIGTERM');
    await Promise.race([ended, pause(STOP_TIMEOUT_MS)]);
    for (const pid of [child.pid, ...workers]) kill(pid, 'SIGKILL');
    process.off('exit', onExit);
  };
  await untilReady(child, directory, addressOf(port));
  return { stop, ended };
}
