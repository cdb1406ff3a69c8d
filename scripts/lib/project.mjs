import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root: every script works from here, wherever it was called. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const CACHE = join(ROOT, '.cache');

/** An end with one clear sentence instead of a stack: what is wrong and what to do. */
export class Stop extends Error {
  /**
   * @param {string} message
   * @param {number} exitCode 77 means "cannot test here".
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException} Whether the operating system refused something; `code` says what.
 */
export const isSystemError = (error) => error instanceof Error && 'code' in error;

/**
 * Says which file could not be written and why, where the file system refused; passes every other error on.
 * @param {unknown} error
 */
export function explain(error) {
  if (error instanceof Stop || !isSystemError(error)) return error;
  // A recursive mkdir calls a read-only file system ENOENT.
  const noFolder = error.syscall === 'mkdir' && error.code === 'ENOENT';
  if (noFolder || ['EROFS', 'EACCES', 'EPERM'].includes(error.code ?? ''))
    return new Stop(`${error.path ?? ROOT} cannot be written (${error.code}): use a folder this user may write to.`);
  if (error.code === 'ENOSPC') return new Stop('The disk is full: free some space and start again.');
  return error;
}
