// A real PostgreSQL for the tests and the bench, from Debian's package, in a temporary folder.
import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withLock } from './lib/lock.mjs';
import { findFreePort } from './lib/ports.mjs';
import { aptInstall } from './lib/programs.mjs';
import { Stop } from './lib/project.mjs';
import { sendSignal } from './lib/run.mjs';

/** Debian has a folder for each version. */
const VERSIONS_FOLDER = '/usr/lib/postgresql';
/** Settings that stop Debian's package from creating and starting a cluster. */
const CLUSTER_CONFIG = '/etc/postgresql-common/createcluster.conf';
const READY_TIMEOUT_MS = 60_000;
const PASSWORD = 'canary-of-the-database';

/** Little memory. Settings for durability keep PostgreSQL's defaults. */
const SETTINGS = { listen_addresses: '127.0.0.1', shared_buffers: '32MB' };

/** @returns The folder of the newest version's programs, or an empty string if PostgreSQL is missing. */
function findPrograms() {
  const versions = existsSync(VERSIONS_FOLDER) ? readdirSync(VERSIONS_FOLDER).filter((name) => /^\d+$/.test(name)) : [];
  const newest = Math.max(...versions.map(Number));
  const folder = join(VERSIONS_FOLDER, String(newest), 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : '';
}

async function installPostgres() {
  // Another process may have installed it meanwhile.
  if (findPrograms()) return 'there';
  await aptInstall(['postgresql-common']);
  const config = readFileSync(CLUSTER_CONFIG, 'utf8');
  writeFileSync(CLUSTER_CONFIG, config.replace(/^#?\s*create_main_cluster\s*=.*$/m, 'create_main_cluster = false'));
  await aptInstall(['postgresql']);
  return 'installed postgresql';
}

/** @returns The outcome for the step's line. @throws Stop Exit code 77, if it is missing and cannot be installed. */
export async function ensurePostgres() {
  if (findPrograms()) return 'there';
  // Root installs in two steps. Other users see one line to run.
  if (process.getuid?.() !== 0) await aptInstall(['postgresql']);
  return withLock(installPostgres);
}

/**
 * PostgreSQL refuses to run as root, so it then runs as the user of Debian's package.
 * @returns {{ uid: number, gid: number } | null} `null`: the current user.
 */
function serverUser() {
  if (process.getuid?.() !== 0) return null;
  const [, uid, gid] = /^postgres:\w*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? ['', 65534, 65534];
  return { uid: Number(uid), gid: Number(gid) };
}

/** @param {string} folder @param {string} data Folder of the data, inside `folder`. */
async function createDataFolder(folder, data) {
  const owner = serverUser();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const args = [
    ...[`--pgdata=${data}`, '--username=pillion', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--encoding=UTF8', '--locale=C', '--no-sync'],
  ];
  const child = spawn(join(findPrograms(), 'initdb'), args, { ...owner, cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Stop(`PostgreSQL could not create its folder:\n${output.slice(-1000)}`);
}

/** @param {number} pid */
function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * @typedef {object} RunningPostgres
 * @property {string} url `postgresql://…`, with the password.
 * @property {number} port
 * @property {string} password For tests that search for leaked passwords.
 * @property {() => Promise<void>} start Starts it again after `kill` or `shutDown`.
 * @property {() => Promise<void>} kill Ends all its processes with SIGKILL, as the kernel does when memory runs out.
 * @property {() => Promise<void>} shutDown Ends it as an operator does, and keeps its data.
 * @property {() => Promise<void>} stop Ends it and deletes its data.
 */

/**
 * Starts a PostgreSQL with fsync on loopback, which ends with this process.
 * @param {Record<string, string>} settings Replace those of PostgreSQL's configuration.
 * @returns {Promise<RunningPostgres>} Call `start` and `kill` alternately. `stop` leaves nothing behind.
 */
export async function startPostgres(settings = {}) {
  await ensurePostgres();
  const folder = mkdtempSync(join(tmpdir(), 'pillion-postgres-'));
  const data = join(folder, 'data');
  await createDataFolder(folder, data);
  mkdirSync(join(folder, 'socket'));
  const owner = serverUser();
  if (owner) chownSync(join(folder, 'socket'), owner.uid, owner.gid);
  const port = await findFreePort();
  const args = Object.entries({ ...SETTINGS, ...settings, port, unix_socket_directories: join(folder, 'socket') });
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null;
  /** Settles when the process has ended. @type {Promise<unknown>} */
  let ended = Promise.resolve();
  let output = '';
  /** @param {NodeJS.Signals} signal */
  const signalAll = (signal) => {
    if (child?.pid === undefined) return;
    // The parent is killed first, so that it cannot clean up after its children.
    const children = signal === 'SIGKILL' ? childrenOf(child.pid) : [];
    for (const pid of [child.pid, ...children]) sendSignal(pid, signal);
  };
  const onExit = () => signalAll('SIGKILL');
  process.once('exit', onExit);

  async function tryStart() {
    output = '';
    const started = spawn(
      join(findPrograms(), 'postgres'),
      ['-D', data, ...args.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    child = started;
    started.stderr.on('data', (text) => (output += text));
    ended = new Promise((resolve) => started.once('close', resolve));
    while (started.exitCode === null && !/ready to accept connections/.test(output)) await pause(20);
    return started.exitCode === null;
  }

  async function start() {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    // After a kill, the previous process' shared memory may still be in use for a moment.
    while (!(await tryStart())) {
      if (Date.now() > deadline) throw new Stop(`PostgreSQL did not start:\n${output.slice(-1000)}`);
      await pause(100);
    }
  }

  /** @param {NodeJS.Signals} signal */
  async function stopWith(signal) {
    if (!child) return;
    signalAll(signal);
    await ended;
    child = null;
  }

  await start();
  return {
    url: `postgresql://pillion:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    password: PASSWORD,
    start,
    kill: () => stopWith('SIGKILL'),
    shutDown: () => stopWith('SIGINT'),
    async stop() {
      await stopWith('SIGQUIT');
      process.off('exit', onExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
