import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED, writeAtomically } from '@pillion/lib/atomic-file.ts';
import { z } from 'zod';
import type { Entry, Shelf, Shelved } from './stale-store.ts';

export interface FileShelfOptions {
  /** Created when first written to. */
  directory: string;
  /** Files not written for so long are removed by `prune`. Default: 30 days, the store's grace. */
  graceMs?: number;
  /** Files kept by `prune`, the most recently written. Default: 5000. */
  maxFiles?: number;
  /** What is kept of a value. `prune` shortens entries of which an older version of this code kept more. */
  keep?: (value: unknown) => unknown;
}

/** A file is written within milliseconds; an unfinished one this old was left by a process that was killed. */
const ABANDONED_MS = 3_600_000;

const entrySchema = z.object({
  key: z.string(),
  value: z.unknown(),
  born: z.number(),
  version: z.string().nullable(),
  tags: z.array(z.string()),
});

const sumOf = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const ifPresent = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isAbsent(error)) return null;
    throw error;
  });

/**
 * Keeps each entry in a file of its own, which begins with the sum of its content: a file that was cut short or changed is
 * an error, never an answer. Several processes may use one folder.
 */
export class FileShelf implements Shelf {
  #options: Required<FileShelfOptions>;

  constructor(options: FileShelfOptions) {
    this.#options = { graceMs: 30 * 86_400_000, maxFiles: 5000, keep: (value) => value, ...options };
  }

  async read(key: string): Promise<Shelved | null> {
    const bytes = await ifPresent(readFile(this.#pathOf(key)));
    if (bytes === null) return null;
    const cut = bytes.indexOf('\n');
    const summed = bytes.subarray(cut + 1);
    if (cut < 0 || bytes.toString('latin1', 0, cut) !== sumOf(summed)) throw new Error('the file is damaged');
    const body = summed.toString('utf8');
    const { key: kept, ...entry } = entrySchema.parse(JSON.parse(body));
    return kept === key ? { ...entry, length: body.length } : null;
  }

  write(key: string, entry: Entry): Promise<void> {
    return writeWithSum(this.#pathOf(key), JSON.stringify({ key, ...entry }));
  }

  /** Removes what is too old, too much or left behind by a process that was killed while writing. */
  async prune(): Promise<void> {
    const { directory, graceMs, maxFiles } = this.#options;
    const files = await list(directory);
    const now = Date.now();
    const isOver = files.map(({ path, modified }, index) =>
      path.endsWith(UNFINISHED) ? now - modified > ABANDONED_MS : index >= maxFiles || now - modified > graceMs,
    );
    await Promise.all(files.map(({ path }, index) => isOver[index] && rm(path, { force: true })));
    for (const [index, { path }] of files.entries())
      if (!isOver[index] && !path.endsWith(UNFINISHED)) await this.#shorten(path);
  }

  /** Two letters of the sum make the folder, so that no folder grows large; any text may be a key. */
  #pathOf(key: string): string {
    const sum = sumOf(key);
    return join(this.#options.directory, sum.slice(0, 2), `${sum.slice(2)}.json`);
  }

  /** Writes an entry again that holds more than is kept now. A file that cannot be read or written stays as it is. */
  async #shorten(path: string): Promise<void> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const body = text.slice(text.indexOf('\n') + 1);
    if (text === '' || !text.startsWith(sumOf(body))) return;
    const entry = JSON.parse(body);
    const value = this.#options.keep(entry.value);
    if (value !== entry.value) await writeWithSum(path, JSON.stringify({ ...entry, value })).catch(() => {});
  }
}

const writeWithSum = (path: string, body: string) => writeAtomically(path, `${sumOf(body)}\n${body}`);

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
