import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CACHE, isSystemError } from './project.mjs';

const LOCK = join(CACHE, 'lock');
/** How often a waiting start checks the lock, and how often its holder refreshes it, in milliseconds. */
const POLL_MS = 100;
const REFRESH_MS = 2_000;
/**
 * A lock that was not refreshed for this many milliseconds is abandoned. Its holder may have been on another machine.
 */
const STALE_AFTER_MS = 20_000;

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM';
  }
};

/** @param {string} holder Content of the lock file: host and process. */
function isAbandoned(holder) {
  const [host, pid] = holder.split(' ');
  if (host === hostname() && !isAlive(Number(pid))) return true;
  return Date.now() - statSync(LOCK).mtimeMs > STALE_AFTER_MS;
}

/**
 * Renames the lock before it deletes it: of two processes that find it abandoned only one succeeds.
 * @param {string} holder
 */
function removeAbandonedLock(holder) {
  const renamed = `${LOCK}-${process.pid}`;
  renameSync(LOCK, renamed);
  if (readFileSync(renamed, 'utf8') === holder) rmSync(renamed);
  else renameSync(renamed, LOCK);
}

function tryLock() {
  try {
    writeFileSync(LOCK, `${hostname()} ${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
  }
  try {
    const holder = readFileSync(LOCK, 'utf8');
    if (isAbandoned(holder)) removeAbandonedLock(holder);
  } catch (error) {
    // It was just released. The next check takes it.
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
  }
  return false;
}

/**
 * Runs work that two commands must not do in one folder at once: fetching and building. A second command waits. A lock
 * whose holder was killed is taken over.
 * @template T
 * @param {() => Promise<T> | T} work Checks itself whether anything is left to do.
 */
export async function withLock(work) {
  mkdirSync(CACHE, { recursive: true });
  while (!tryLock()) await pause(POLL_MS);
  const refreshTimer = setInterval(() => utimesSync(LOCK, new Date(), new Date()), REFRESH_MS);
  try {
    return await work();
  } finally {
    clearInterval(refreshTimer);
    rmSync(LOCK, { force: true });
  }
}
