import type { Strings } from '@pillion/content/types.ts';
import { DEFAULT_STRINGS } from '@pillion/content/wordpress/default-strings.ts';
import { expect, test } from 'vitest';
import { statusText } from './status-text.ts';

const said = (lang: string, total: number, search: Partial<Strings['search']> = {}) =>
  statusText(
    { query: 'x', total, isPartial: false, hits: [], page: 1, pages: 1 },
    { ...DEFAULT_STRINGS, search: { ...DEFAULT_STRINGS.search, ...search } },
    lang,
  );

const ARABIC = { none: 'لا', one: 'صفحة', two: 'صفحتان', few: '{count} صفحات', many: '{count} صفحة' };

test('R28, R31: the text for the number of results follows the plural rules of the language', () => {
  expect([0, 1, 2, 7, 11].map((total) => said('ar', total, ARABIC).replaceAll(/\p{N}+/gu, '#'))).toEqual([
    'لا',
    'صفحة',
    'صفحتان',
    '# صفحات',
    '# صفحة',
  ]);
  const polish = { one: 'Jedna strona', few: '{count} strony', many: '{count} stron' };
  expect([1, 3, 5, 22].map((total) => said('pl', total, polish))).toEqual([
    'Jedna strona',
    '3 strony',
    '5 stron',
    '22 strony',
  ]);
});

test('R28: numbers have the format of the language', () => {
  expect(said('de', 1204, { many: '{count} Seiten' })).toBe('1.204 Seiten');
  expect(said('en', 1204, { many: '{count} pages' })).toBe('1,204 pages');
});

test('R28: a missing form uses the text for many; 21 uses the text for one only if it has {count}', () => {
  expect(said('ar', 2, { many: '{count} صفحة', two: '', few: '' })).toMatch(/صفحة$/);
  expect(said('ru', 21, { one: 'Одна страница', many: 'Страниц: {count}' })).toBe('Страниц: 21');
  expect(said('ru', 21, { one: '{count} страница', many: 'Страниц: {count}' })).toBe('21 страница');
});
