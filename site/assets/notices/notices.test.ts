import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kilobytes } from '../lib/output.mjs';

const notices = readFileSync('NOTICES.md', 'utf8');

/** File → size, of all table rows that begin with a file's name and end with a size. */
const stated = new Map(
  [...notices.matchAll(/^\| `([\w.-]+)` \|.*\| ([\d.]+ KB) \|$/gm)].map(([, name = '', size = '']) => [name, size]),
);

const filesIn = (folder: string, ending = /\.\w+$/) =>
  readdirSync(folder)
    .filter((name) => ending.test(name))
    .map((name) => ({ name, size: kilobytes(statSync(join(folder, name)).size) }));

/** What `npm run assets -- notices` writes. */
describe('NOTICES.md states what is there', () => {
  const files = [
    ...filesIn('site/seed/media'),
    ...filesIn('site/theme/fonts', /\.woff2$/),
    ...filesIn('site/share-typefaces', /\.ttf$/),
    ...filesIn('packages/server/src/share/fonts', /\.ttf$/),
  ];

  test('every built file with its size', () => {
    expect(files.map(({ name }) => [name, stated.get(name)])).toEqual(files.map(({ name, size }) => [name, size]));
  });

  test('and none that is not there', () => {
    const there = files.map(({ name }) => name);
    expect([...stated.keys()].filter((name) => !there.includes(name))).toEqual([]);
  });
});
