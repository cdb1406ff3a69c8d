import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, one by one: Node's own recursion never ends where the system refuses with ENOENT, as
 * below /proc.
 * @param {string} folder Absolute path.
 */
export function makeFolder(folder) {
  if (existsSync(folder)) return;
  // The root may be missing too: a drive of Windows.
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process with the same folder was faster.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}
