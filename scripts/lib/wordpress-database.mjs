import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { aptInstall, missingPackages } from './programs.mjs';
import { Stop } from './project.mjs';
import { capture } from './run.mjs';

const READY_TIMEOUT_MS = 30_000;

/** The server and its tools without the service that Debian's `mariadb-server` starts, and PHP's extension for it. */
const PACKAGES = { '/usr/sbin/mariadbd': 'mariadb-server-core', '/usr/bin/my_print_defaults': 'mariadb-client-core' };

/** Small and fast: a test's database need not survive a power failure. */
const SETTINGS = {
  'skip-networking': '',
  'performance-schema': 'OFF',
  'innodb-log-file-size': '8M',
  'innodb-buffer-pool-size': '64M',
  'innodb-flush-log-at-trx-commit': '0',
};

const userOptions = () => (process.getuid?.() === 0 ? ['--user=root'] : []);

/**
 * The database is a folder next to the site's files, so that they are copied together.
 * @param {string} directory The site's.
 */
const databasePaths = (directory) => ({
  data: join(directory, 'database'),
  log: join(directory, 'mariadb.log'),
  initFile: join(directory, 'mariadb.sql'),
});

/** @throws Stop Exit code 77, if it is missing and cannot be installed. */
export async function ensureMariaDb() {
  const packages = missingPackages(PACKAGES);
  const { output } = await capture('php', ['-m']);
  if (!/^mysqli$/m.test(output)) packages.push('php-mysql');
  if (packages.length > 0) await aptInstall(packages);
  return 'MariaDB';
}

/** @param {string} directory The site's. */
export async function createMariaDb(directory) {
  const { data, initFile } = databasePaths(directory);
  mkdirSync(data, { recursive: true });
  writeFileSync(initFile, 'CREATE DATABASE IF NOT EXISTS wordpress CHARACTER SET utf8mb4;\n');
  const { code, output } = await capture('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...userOptions(),
  ]);
  if (code !== 0) throw new Stop(`MariaDB could not create its database:\n${output.slice(-1000)}`);
}

/** @param {string} socket */
const acceptsConnections = (socket) =>
  new Promise((resolve) => {
    const client = connect(socket);
    client.once('connect', () => resolve(client.destroy() && true));
    client.once('error', () => resolve(false));
  });

/**
 * Starts a site's MariaDB, reachable only through a socket. A socket's path has at most 107 characters, so the socket is
 * in a temporary folder.
 * @param {string} directory The site's.
 * @returns What WordPress needs to connect, and `stop`, which resolves once it has written everything and ended.
 */
export async function startMariaDb(directory) {
  const { data, log, initFile } = databasePaths(directory);
  const folder = mkdtempSync(join(tmpdir(), 'pillion-db-'));
  // PHP can run as another user.
  chmodSync(folder, 0o755);
  const socket = join(folder, 'socket');
  const settings = Object.entries(SETTINGS).map(([name, value]) => (value ? `--${name}=${value}` : `--${name}`));
  const child = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--log-error=${log}`,
      `--init-file=${initFile}`,
      ...settings,
      ...userOptions(),
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const onExit = () => {
    child.kill('SIGKILL');
    removeFolder();
  };
  process.once('exit', onExit);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await acceptsConnections(socket))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      onExit();
      process.off('exit', onExit);
      throw new Stop(`MariaDB did not start. Its log (${log}) ends:\n${readFileSync(log, 'utf8').slice(-1000)}`);
    }
    await pause(50);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    removeFolder();
    process.off('exit', onExit);
  };
  return { environment: { WORDPRESS_DB_HOST: `localhost:${socket}` }, stop };
}
