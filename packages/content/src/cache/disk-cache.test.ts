import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskCache } from './disk-cache.ts';
import type { Entry } from './stale-store.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillion-disk-cache-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const entryOf = (value: unknown): Entry => ({ value, born: 1, version: '2', tags: ['page'] });

const files = async () => {
  const names = await readdir(directory, { recursive: true });
  return names.filter((name) => name.includes('.')).map((name) => join(directory, name));
};

async function startWriter(kilobytes: number) {
  const script = join(import.meta.dirname, '../testing/disk-cache-writer.ts');
  const writer = spawn(process.execPath, [script, directory, String(kilobytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  const kill = async () => {
    writer.kill('SIGKILL');
    await once(writer, 'exit');
  };
  return { kill };
}

test.each(['a', 'wp/v2/pages/7?lang=en', 'x'.repeat(300), '../../etc/passwd', 'é?\0'])(
  'any string can be a key: %s',
  async (key) => {
    const diskCache = new DiskCache({ directory });
    await diskCache.write(key, entryOf({ key }));
    expect(await diskCache.read(key)).toEqual({ ...entryOf({ key }), length: expect.any(Number) });
  },
);

test('an entry that was never written is `null`, not an error', async () => {
  expect(await new DiskCache({ directory }).read('a')).toBeNull();
});

test.each([
  ['that is truncated', (text: string) => text.slice(0, -10)],
  ['that is empty', () => ''],
  ['with one letter changed', (text: string) => text.replace('kept', 'kepT')],
  ['with other content', () => 'null'],
])('a file %s is an error, never an entry', async (_, damage) => {
  const diskCache = new DiskCache({ directory });
  await diskCache.write('a', entryOf('kept'));
  const [file = ''] = await files();
  await writeFile(file, damage(await readFile(file, 'utf8')));
  await expect(diskCache.read('a')).rejects.toThrow();
  await diskCache.write('a', entryOf('again'));
  expect((await diskCache.read('a'))?.value).toBe('again');
});

test('a process killed during a write leaves no damaged entry', async () => {
  const diskCache = new DiskCache({ directory });
  for (let round = 0; round < 12; round += 1) {
    const writer = await startWriter(round % 2 === 0 ? 26 : 300);
    await new Promise((resolve) => setTimeout(resolve, 40 * Math.random()));
    await writer.kill();
    for (const key of ['a', 'b', 'c', 'd']) await expect(diskCache.read(key)).resolves.toBeDefined();
  }
});

test('every read is complete while two other processes write the same entry', async () => {
  const diskCache = new DiskCache({ directory });
  await diskCache.write('a', entryOf('first'));
  const writers = await Promise.all([startWriter(300), startWriter(300)]);
  // Continues until both have overwritten the entry many times.
  const seen = new Set<unknown>();
  while (seen.size < 20) {
    const entry = await diskCache.read('a');
    expect(entry).not.toBeNull();
    seen.add(entry?.born);
  }
  for (const writer of writers) await writer.kill();
});

test('pruning removes old entries, entries above the limit, and files of killed processes', async () => {
  const diskCache = new DiskCache({ directory, graceMs: 10_000, maxFiles: 2 });
  const now = Date.now() / 1000;
  for (const [key, age] of Object.entries({ new: 0, newish: 1, third: 2, old: 20 })) {
    const before = new Set(await files());
    await diskCache.write(key, entryOf(key));
    const [file = ''] = (await files()).filter((name) => !before.has(name));
    await utimes(file, now - age, now - age);
  }
  const left = join(directory, 'ab.json.123.aside');
  await writeFile(left, '');
  await utimes(left, now - 7200, now - 7200);
  await diskCache.prune();
  expect(
    await Promise.all(['new', 'newish', 'third', 'old'].map(async (key) => (await diskCache.read(key))?.value)),
  ).toEqual(['new', 'newish', undefined, undefined]);
  expect(await files()).toHaveLength(2);
});

test('pruning a folder that does not exist yet has no effect', async () => {
  await new DiskCache({ directory: join(directory, 'later') }).prune();
});

test('values that an older version stored are removed from its entries, which stay readable', async () => {
  await new DiskCache({ directory }).write('form', entryOf({ title: 'F', notifications: ['owner@example.org'] }));
  await new DiskCache({ directory }).write('page', entryOf({ title: 'P' }));
  const keep = (value: unknown) => {
    if (!Object.hasOwn(value as object, 'notifications')) return value;
    const { notifications: _, ...rest } = value as { notifications: unknown };
    return rest;
  };
  const diskCache = new DiskCache({ directory, reduce: keep, graceMs: Number.POSITIVE_INFINITY });
  await diskCache.prune();
  expect(await diskCache.read('form')).toEqual({ ...entryOf({ title: 'F' }), length: expect.any(Number) });
  expect(await diskCache.read('page')).toEqual({ ...entryOf({ title: 'P' }), length: expect.any(Number) });
  for (const path of await files()) expect(await readFile(path, 'utf8')).not.toContain('owner@example.org');
});
