import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CACHE, isSystemError } from './project.mjs';

const LOCK = join(CACHE, 'lock');
/** How often a waiting start looks again, and how often a holder shows that it lives, in milliseconds. */
const LOOK_MS = 100;
const ALIVE_MS = 2_000;
/** A holder that has not shown itself for so long is gone, in milliseconds: it may have died on another machine. */
const GONE_MS = 20_000;

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM';
  }
};

/** @param {string} holder What the lock file says: host and process. */
function isAbandoned(holder) {
  const [host, pid] = holder.split(' ');
  if (host === hostname() && !isAlive(Number(pid))) return true;
  return Date.now() - statSync(LOCK).mtimeMs > GONE_MS;
}

/**
 * Moved away before it goes: of two that find it abandoned only one gets hold of it.
 * @param {string} holder
 */
function takeAway(holder) {
  const mine = `${LOCK}-${process.pid}`;
  renameSync(LOCK, mine);
  if (readFileSync(mine, 'utf8') === holder) rmSync(mine);
  else renameSync(mine, LOCK);
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
    if (isAbandoned(holder)) takeAway(holder);
  } catch (error) {
    // Released in this moment: the next look takes it.
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
  }
  return false;
}

/**
 * Does work that two commands must not do in one folder at once: fetching and building. A second one waits; a lock
 * whose holder was killed is taken over.
 * @template T
 * @param {() => Promise<T> | T} work Looks again whether there is anything left to do.
 */
export async function oneAtATime(work) {
  mkdirSync(CACHE, { recursive: true });
  while (!tryLock()) await pause(LOOK_MS);
  const heart = setInterval(() => utimesSync(LOCK, new Date(), new Date()), ALIVE_MS);
  try {
    return await work();
  } finally {
    clearInterval(heart);
    rmSync(LOCK, { force: true });
  }
}
