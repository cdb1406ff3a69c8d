import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { walksOf } from './stats.mjs';

test('the four walks of the architecture page name existing files, each once', () => {
  const walks = walksOf(readFileSync('docs/architecture.md', 'utf8'));
  expect(walks).toHaveLength(4);
  for (const { title, files } of walks) {
    expect(files.length, title).toBeGreaterThan(10);
    expect(new Set(files).size, title).toBe(files.length);
    expect(
      files.filter((file) => !existsSync(file)),
      title,
    ).toEqual([]);
  }
});
