import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Shelf } from './stale-store.ts';

export interface FileShelfOptions {
  /** Created when first written to. */
  directory: string;
  /** Files not written for so long are removed by `prune`. Default: 30 days, the store's grace. */
  graceMs?: number;
  /** Files kept by `prune`, the most recently written. Default: 5000. */
  maxFiles?: number;
}

export interface FileShelf extends Shelf {
  /** Removes what is too old, too much or left behind by a process that was killed while writing. */
  prune: () => Promise<void>;
}

/** A file set aside is renamed within milliseconds; one this old has lost its writer. */
const ABANDONED_MS = 3_600_000;

const ASIDE = '.aside';

const entrySchema = z.object({
  key: z.string(),
  value: z.unknown(),
  born: z.number(),
  version: z.string().nullable(),
  tags: z.array(z.string()),
});

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Two letters of the sum make the folder, so that no folder grows large; any text may be a key. */
function pathOf(directory: string, key: string): string {
  const sum = sumOf(key);
  return join(directory, sum.slice(0, 2), `${sum.slice(2)}.json`);
}

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const ifPresent = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isAbsent(error)) return null;
    throw error;
  });

/** Writes whole or not at all: aside, fsync, rename. A reader sees the old text or the new one, whoever is killed. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const aside = `${path}.${randomUUID()}${ASIDE}`;
  try {
    const file = await open(aside, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Keeps each entry in a file of its own, headed by the sum of what follows: a file cut short or altered is an error,
 * never an answer. Safe for several processes on one folder.
 */
export function createFileShelf({
  directory,
  graceMs = 30 * 86_400_000,
  maxFiles = 5000,
}: FileShelfOptions): FileShelf {
  return {
    async read(key) {
      const text = await ifPresent(readFile(pathOf(directory, key), 'utf8'));
      if (text === null) return null;
      const cut = text.indexOf('\n');
      const body = text.slice(cut + 1);
      if (cut < 0 || text.slice(0, cut) !== sumOf(body)) throw new Error('the file is damaged');
      const { key: kept, ...entry } = entrySchema.parse(JSON.parse(body));
      return kept === key ? entry : null;
    },
    write(key, entry) {
      const body = JSON.stringify({ key, ...entry });
      return replaceFile(pathOf(directory, key), `${sumOf(body)}\n${body}`);
    },
    async prune() {
      const files = await list(directory);
      const now = Date.now();
      const isOver = files.map(({ path, modified }, index) =>
        path.endsWith(ASIDE) ? now - modified > ABANDONED_MS : index >= maxFiles || now - modified > graceMs,
      );
      await Promise.all(files.map(({ path }, index) => isOver[index] && rm(path, { force: true })));
    },
  };
}

/** Every file of the shelf, the most recently written first. Another process may remove some meanwhile. */
async function list(directory: string): Promise<{ path: string; modified: number }[]> {
  const names = (await ifPresent(readdir(directory, { recursive: true }))) ?? [];
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const info = await ifPresent(stat(path));
      return info?.isFile() ? { path, modified: info.mtimeMs } : null;
    }),
  );
  return files.filter((file) => file !== null).sort((a, b) => b.modified - a.modified);
}
