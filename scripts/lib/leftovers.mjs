import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sendSignal } from './run.mjs';

/** How long processes may take to end after their parent, in milliseconds. */
const EXIT_TIMEOUT_MS = 10_000;
const POLL_MS = 100;

/** The mode of /tmp: programs of other users write there too (apt, PostgreSQL, nginx). */
const WORLD_WRITABLE = 0o1777;

/**
 * Creates a folder for all temporary files of a run.
 * @returns Its path: the run's `TMPDIR`.
 */
export function createRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'pillion-run-'));
  chmodSync(folder, WORLD_WRITABLE);
  return folder;
}

/** @param {string} path */
function readProcFile(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended or belongs to another user.
    return '';
  }
}

/**
 * Processes of a run, identified by its `TMPDIR`. Empty without `/proc` (proc(5)).
 * @param {string} folder
 * @returns {{ pid: number, command: string }[]}
 */
function processesOf(folder) {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => readProcFile(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${folder}`))
    .map((pid) => ({ pid, command: readProcFile(`/proc/${pid}/cmdline`).split('\0').join(' ').trim() }));
}

/**
 * Waits for ending processes, then finds and removes what a run left behind.
 * @param {string} folder The run's `TMPDIR`.
 * @param {number} timeoutMs Longest wait for ending processes, in milliseconds.
 * @returns {Promise<string[]>} A line for each process, file or folder that was left.
 */
export async function removeLeftovers(folder, timeoutMs = EXIT_TIMEOUT_MS) {
  const deadline = performance.now() + timeoutMs;
  while (processesOf(folder).length > 0 && performance.now() < deadline) await pause(POLL_MS);
  const processes = processesOf(folder);
  for (const { pid } of processes) sendSignal(pid, 'SIGKILL');
  const files = readdirSync(folder);
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // It belongs to another user or is being written. It is listed anyway.
  }
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...files.map((name) => `file: ${name}`),
  ];
}
