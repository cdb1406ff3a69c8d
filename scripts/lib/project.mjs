import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root. Scripts use it instead of the working directory. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const CACHE = join(ROOT, '.cache');

/** @param {string} path @returns {string[]} The file, or every file in the folder, in a fixed order. */
const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)))
    : [path];

/**
 * Computes a checksum of the names and contents of all files.
 * @param {readonly string[]} paths Files and folders. Those that do not exist are skipped.
 * @param {(file: string) => boolean} [counts] Default: all files count.
 */
export function checksumOf(paths, counts = () => true) {
  const checksum = createHash('sha256');
  for (const file of paths.filter(existsSync).flatMap(filesIn).filter(counts))
    checksum.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file));
  return checksum.digest('hex');
}

/** An error that ends a command with one sentence instead of a stack trace: what is wrong and what to do. */
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
 * @returns {error is NodeJS.ErrnoException} Whether it comes from the operating system. `code` says which error.
 */
export const isSystemError = (error) => error instanceof Error && 'code' in error;

/**
 * Turns a file system error into a sentence with the path and the reason. Returns other errors unchanged.
 * @param {unknown} error
 */
export function explainError(error) {
  if (error instanceof Stop || !isSystemError(error)) return error;
  // A recursive mkdir on a read-only file system fails with ENOENT.
  const noFolder = error.syscall === 'mkdir' && error.code === 'ENOENT';
  if (noFolder || ['EROFS', 'EACCES', 'EPERM'].includes(error.code ?? ''))
    return new Stop(`${error.path ?? ROOT} cannot be written (${error.code}): use a folder this user may write to.`);
  if (error.code === 'ENOSPC') return new Stop('The disk is full: free some space and start again.');
  return error;
}
