import { hash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ABANDONED_MS, UNFINISHED, writeAtomically } from '@pillion/lib/atomic-file.ts';
import { z } from 'zod';
import { type Entry, GRACE_MS, type PersistentStore, type StoredEntry } from './stale-store.ts';

export interface DiskCacheOptions {
  /** Created on the first write. */
  directory: string;
  /** `prune` deletes files that were last written longer ago, in milliseconds. Default: `GRACE_MS` of the store. */
  graceMs?: number;
  /** Number of most recently written files that `prune` keeps. Default: 5000. */
  maxFiles?: number;
  /** Returns the part of a value to store. `prune` removes the other parts from existing entries. */
  reduce?: (value: unknown) => unknown;
}

const entrySchema = z.object({
  key: z.string(),
  value: z.unknown(),
  born: z.number(),
  version: z.string().nullable(),
  tags: z.array(z.string()),
});

const checksumOf = (text: string | Uint8Array) => hash('sha256', text);

const nullIfMissing = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/**
 * Stores each entry in a separate file, which begins with the checksum of its content: reading a damaged file throws.
 * Several processes can use one folder.
 */
export class DiskCache implements PersistentStore {
  #options: Required<DiskCacheOptions>;

  constructor(options: DiskCacheOptions) {
    this.#options = { graceMs: GRACE_MS, maxFiles: 5000, reduce: (value) => value, ...options };
  }

  async read(key: string): Promise<StoredEntry | null> {
    const bytes = await nullIfMissing(readFile(this.#pathOf(key)));
    if (bytes === null) return null;
    const body = verifiedBody(bytes);
    const { key: storedKey, ...entry } = entrySchema.parse(JSON.parse(body));
    return storedKey === key ? { ...entry, length: body.length } : null;
  }

  write(key: string, entry: Entry): Promise<void> {
    return writeWithChecksum(this.#pathOf(key), JSON.stringify({ key, ...entry }));
  }

  /** Deletes files that are too old or over the limit, and unfinished files of killed processes. Reduces the others. */
  async prune(): Promise<void> {
    const { directory, graceMs, maxFiles } = this.#options;
    const now = Date.now();
    // The newest first, so those over the limit are the oldest.
    for (const [index, { path, modified }] of (await listFiles(directory)).entries()) {
      const ageMs = now - modified;
      const isUnfinished = path.endsWith(UNFINISHED);
      const isExpired = isUnfinished ? ageMs > ABANDONED_MS : index >= maxFiles || ageMs > graceMs;
      if (isExpired) await rm(path, { force: true });
      else if (!isUnfinished) await this.#reduceEntry(path);
    }
  }

  /** The first two characters of the key's hash are the folder, so that no folder grows large. */
  #pathOf(key: string): string {
    const name = checksumOf(key);
    return join(this.#options.directory, name.slice(0, 2), `${name.slice(2)}.json`);
  }

  /** Rewrites an entry that contains more than `reduce` returns. Skips a file that cannot be read or written. */
  async #reduceEntry(path: string): Promise<void> {
    const body = await readFile(path)
      .then(verifiedBody)
      .catch(() => null);
    if (body === null) return;
    const entry = JSON.parse(body);
    const value = this.#options.reduce(entry.value);
    if (value !== entry.value) await writeWithChecksum(path, JSON.stringify({ ...entry, value })).catch(() => {});
  }
}

/** @returns The entry as JSON, which follows the line with the checksum. @throws If the checksum does not match. */
function verifiedBody(bytes: Buffer): string {
  const lineEnd = bytes.indexOf('\n');
  const body = bytes.subarray(lineEnd + 1);
  if (bytes.toString('latin1', 0, lineEnd) !== checksumOf(body)) throw new Error('the file is damaged');
  return body.toString('utf8');
}

const writeWithChecksum = (path: string, body: string) => writeAtomically(path, `${checksumOf(body)}\n${body}`);

/** All files of the cache, the most recently written first. Other processes may delete files at the same time. */
async function listFiles(directory: string): Promise<{ path: string; modified: number }[]> {
  const names = (await nullIfMissing(readdir(directory, { recursive: true }))) ?? [];
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const info = await nullIfMissing(stat(path));
      return info?.isFile() ? { path, modified: info.mtimeMs } : null;
    }),
  );
  return files.filter((file) => file !== null).sort((a, b) => b.modified - a.modified);
}
