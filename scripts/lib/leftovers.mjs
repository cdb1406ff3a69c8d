import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What ends with its parent may take so long over it, in milliseconds. */
const ENDING_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** As /tmp itself: programs of other users write there too (apt's, PostgreSQL's, nginx's). */
const EVERYBODY = 0o1777;

/**
 * A folder in which all of a run's temporary files are made.
 * @returns Its path: the run's `TMPDIR`.
 */
export function openRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'pillion-run-'));
  chmodSync(folder, EVERYBODY);
  return folder;
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended, or belongs to somebody else.
    return '';
  }
}

/**
 * Processes that were started within a run: they have its `TMPDIR`. None where there is no `/proc` (proc(5)).
 * @param {string} folder
 * @returns {{ pid: number, command: string }[]}
 */
function processesOf(folder) {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${folder}`))
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim() }));
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
  }
}

/**
 * Looks what a run left behind, once what is about to end has ended, and takes it away.
 * @param {string} folder The run's `TMPDIR`.
 * @param {number} endingMs How long an ending may take, in milliseconds.
 * @returns {Promise<string[]>} A line for each process and each file or folder; none is what a run should leave.
 */
export async function leftovers(folder, endingMs = ENDING_MS) {
  const until = performance.now() + endingMs;
  while (processesOf(folder).length > 0 && performance.now() < until) await pause(LOOK_EVERY_MS);
  const processes = processesOf(folder);
  for (const { pid } of processes) end(pid);
  const files = readdirSync(folder);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // Somebody else's, or written to at this moment: it is named.
  }
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...files.map((name) => `file: ${name}`),
  ];
}
