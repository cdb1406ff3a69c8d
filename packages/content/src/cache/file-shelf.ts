import { hash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ABANDONED_MS, UNFINISHED, writeAtomically } from '@pillion/lib/atomic-file.ts';
import { z } from 'zod';
import type { Entry, Shelf, Shelved } from './stale-store.ts';

export interface FileShelfOptions {
  /** Created on the first write. */
  directory: string;
  /** `prune` deletes files that were last written longer ago. Default: 30 days, as `GRACE_MS` of the store. */
  graceMs?: number;
  /** Number of most recently written files that `prune` keeps. Default: 5000. */
  maxFiles?: number;
  /** Returns the part of a value to store. `prune` removes the other parts from existing entries. */
  keep?: (value: unknown) => unknown;
}

const entrySchema = z.object({
  key: z.string(),
  value: z.unknown(),
  born: z.number(),
  version: z.string().nullable(),
  tags: z.array(z.string()),
});

const sumOf = (text: string | Uint8Array) => hash('sha256', text);

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const ifPresent = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isAbsent(error)) return null;
    throw error;
  });

/**
 * Stores each entry in a separate file, which begins with the checksum of its content: reading a damaged file throws.
 * Several processes can use one folder.
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

  /** Deletes files that are too old or over the limit, and unfinished files of killed processes. */
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

  /** The first two characters of the key's hash are the folder, so that no folder grows large. */
  #pathOf(key: string): string {
    const sum = sumOf(key);
    return join(this.#options.directory, sum.slice(0, 2), `${sum.slice(2)}.json`);
  }

  /** Rewrites an entry that contains more than `keep` returns. Skips a file that cannot be read or written. */
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

/** All files of the shelf, the most recently written first. Other processes may delete files at the same time. */
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
