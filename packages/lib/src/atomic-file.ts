import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Ending of a file that is being written. One that stays was left by a process that was killed. */
export const UNFINISHED = '.aside';

/**
 * Writes a file whole or not at all: under another name first, then fsync, then rename. A reader sees the old file or the
 * new one, whoever is killed. Folders that are missing are made.
 * @param content The text, or what writes to the open file; where that throws, the old file stays.
 * @throws What the file system or `content` throws.
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
