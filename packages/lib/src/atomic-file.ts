import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Suffix of a file that is being written. */
export const UNFINISHED = '.aside';

/** An unfinished file that is older, in milliseconds, was left by a killed process. */
export const ABANDONED_MS = 3_600_000;

/**
 * Writes a file atomically: to a temporary name, then fsync, then rename. Readers see the old file or the new one, even
 * if the process is killed. Creates missing folders.
 * @param content The text, or a function that writes to the open file; if it throws, the old file stays.
 * @throws The error of the file system or of `content`.
 */
export async function writeAtomically(
  path: string,
  content: string | ((file: FileHandle) => Promise<void>),
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
  try {
    const file = await open(unfinished, 'wx');
    try {
      await (typeof content === 'string' ? file.writeFile(content) : content(file));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}
