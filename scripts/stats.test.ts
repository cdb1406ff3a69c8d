import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brandLines, walksOf } from './stats.mjs';

test('lines with a whole word of the demo brand count, the brief’s button text does not', () => {
  const text =
    'The road home\nJoin The Ride\nJoin The Ride on the road\nbroadcast, Sunday, remember\ndata-lamps\nRoads\nArchivo\n';
  expect(brandLines(text)).toEqual(['The road home', 'Join The Ride on the road', 'data-lamps', 'Roads', 'Archivo']);
});

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
