import type { Upload } from '@pillion/forms/form.ts';
import { expect, test } from 'vitest';
import { isSafe } from './kinds.ts';
import { safeName } from './names.ts';

const ANY: Upload = { kinds: [], maxBytes: 1_000, maxFiles: 1 };
const bytes = (text: string) => Buffer.from(text, 'latin1');
const JPEG = '\xff\xd8\xff\xe0..JFIF';

test.each([
  ['../../x.php', 'x.php'],
  ['C:\\Users\\Ada\\cv.PDF', 'cv.pdf'],
  ['/etc/passwd', 'passwd'],
  ['..', 'file'],
  ['. .notes.txt', 'notes.txt'],
  ['', 'file'],
  ['.htaccess', 'htaccess'],
  ['a\0b\r\n.jpg', 'ab.jpg'],
  ['gpj.\u202eexe', 'gpj.exe'],
  ['<b>"x".png', '_b__x_.png'],
  ['Ada’s  Lebenslauf (März).pdf', 'Ada’s Lebenslauf (März).pdf'],
  ['履歴書.pdf', '履歴書.pdf'],
  ['cv.pdf. . ', 'cv.pdf'],
])('R30: a file sent as %j is stored as %j', (sent, kept) => {
  expect(safeName(sent)).toBe(kept);
});

test('R30: a name of 10,000 characters keeps its start and its extension', () => {
  const name = safeName(`${'x'.repeat(10_000)}.pdf`);
  expect(name).toBe(`${'x'.repeat(80)}.pdf`);
  expect(safeName(`${'x'.repeat(79)} y.pdf`)).toBe(`${'x'.repeat(79)}.pdf`);
  expect(safeName(`a.${'x'.repeat(10_000)}`)).toHaveLength(12);
});

test('R30: a name of characters with 4 bytes is at most 250 bytes long, since file systems accept 255', () => {
  const name = safeName(`${'\u{1f600}'.repeat(80)}.${'\u{1f600}'.repeat(20)}`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(250);
  expect(name).toMatch(/^\u{1f600}{50,80}\.\u{1f600}{10}$/u);
  expect(safeName(`${'履'.repeat(90)}.pdf`)).toBe(`${'履'.repeat(80)}.pdf`);
});

test.each([
  ['x.php', '<?php echo 1;'],
  ['x.php.jpg', JPEG],
  ['x.pHp5.jpg', JPEG],
  ['x.php .jpg', JPEG],
  ['x.phtml', 'hello'],
  ['x.htaccess', 'hello'],
  ['setup.exe', 'hello'],
  ['run.sh', 'hello'],
  ['x.js', 'hello'],
  ['page.html', 'hello'],
  ['x.svg', '<svg onload="alert(1)">'],
  ['photo.jpg', 'MZ\x90\0'],
  ['photo.jpg', '<?php echo 1;'],
  ['photo.jpg', '<script>alert(1)</script>'],
  ['photo.png', JPEG],
  ['notes.txt', '<!DOCTYPE html><script>'],
  ['notes.txt', '\x7fELF\x02'],
  // Too short for WordPress to detect as text.
  ['notes.txt', 'xy'],
  ['notes.csv', 'a\xff\xfe\0c'],
  ['cv.pdf', 'hello'],
  ['cv.pdf', `${' '.repeat(1_024)}%PDF-1.7`],
  ['film.mp4', '\0\0\0\x20moov'],
  ['cv.docx', 'hello'],
])('R30: %s with the content %j is refused if a form allows all types', (name, content) => {
  expect(isSafe(ANY, name, bytes(content))).toBe(false);
});

test.each([
  ['photo.jpg', JPEG],
  ['photo.JPEG'.toLowerCase(), JPEG],
  ['photo.png', '\x89PNG\r\n\x1a\n'],
  ['cv.pdf', '%PDF-1.7'],
  ['cv.pdf', '\r\n%PDF-1.4'],
  ['cv.docx', 'PK\x03\x04'],
  ['notes.txt', 'The'],
  ['php.jpg', JPEG],
  ['tour.gpx', '<?xml version="1.0"?><gpx>'],
  ['tour.kml', '<?xml version="1.0"?><kml>'],
  ['notes.txt', '\xff\xfeT\0h\0e\0'],
  ['invoice-acme.com.pdf', '%PDF-1.7'],
  ['film.mp4', '\0\0\0\x20ftypisom'],
  ['model.step', 'ISO-10303-21;'],
])('R30: %s with the content %j is accepted', (name, content) => {
  expect(isSafe(ANY, name, bytes(content))).toBe(true);
});

test('R30: SVG is accepted if the form allows its type; programs never are', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg">';
  expect(isSafe({ ...ANY, kinds: ['svg'] }, 'x.svg', bytes(svg))).toBe(true);
  expect(isSafe({ ...ANY, kinds: ['php', 'exe'] }, 'x.php', bytes('hello'))).toBe(false);
  expect(isSafe({ ...ANY, kinds: ['php', 'exe'] }, 'x.exe', bytes('hello'))).toBe(false);
});

test('R30: a field for any type refuses types that WordPress does not allow', () => {
  const known = ['txt', 'pdf'];
  expect(isSafe({ ...ANY, known }, 'notes.txt', Buffer.from('The paper.'))).toBe(true);
  expect(isSafe({ ...ANY, known }, 'tour.gpx', Buffer.from('<?xml version="1.0"?><gpx>'))).toBe(false);
});
