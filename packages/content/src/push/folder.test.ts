import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { excerptOf, originalFile, readFolder } from './folder.ts';
import { PushFailed } from './rest.ts';

test('a file is found by its address, whose name may be encoded and may be that of a smaller size', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-folder-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'media'));
  writeFileSync(join(directory, 'media/Über uns.webp'), '');
  expect(originalFile(directory, '/media/%C3%9Cber%20uns-300x200.webp?v=1')).toBe('Über uns.webp');
  expect(originalFile(directory, '/media/%2e%2e/strings.json')).toBeNull();
  expect(originalFile(directory, 'https://example.org/a.webp')).toBeNull();
});

test('an excerpt is plain text, and one that WordPress has cut from the content is left out', () => {
  expect(excerptOf('<p>Bread &amp; <em>butter</em></p>\n')).toBe('Bread & butter');
  expect(excerptOf('<p>The first words of a page [&hellip;]</p>\n')).toBe('');
});

test.each(['{', 'null', '{"languages":'])('texts that are invalid (%s) are a failure that names their file', (file) => {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-folder-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'en'));
  writeFileSync(join(directory, 'en/strings.json'), file);
  expect(() => readFolder(directory)).toThrow(PushFailed);
  expect(() => readFolder(directory)).toThrow(/en\/strings\.json cannot be used/);
});
