import { expect, test } from 'vitest';
import {
  fallbacksOf,
  languageNamed,
  languageOf,
  languagesOf,
  mayHaveLanguage,
  ONE_LANGUAGE,
  pathWithin,
} from './languages.ts';

const EN = { tag: 'en', name: 'English', dir: 'ltr', fallback: '' };
const DE = { tag: 'de', name: 'Deutsch', dir: 'ltr', fallback: 'en' };
const AR = { tag: 'ar', name: 'العربية', dir: 'rtl', fallback: '' };

function read(languages: unknown) {
  const warnings: unknown[] = [];
  const list = languagesOf({ languages }, (...warning) => void warnings.push(warning));
  return { list, warnings, tags: list.map(({ tag }) => tag) };
}

test('R28: a site without a list of languages has one language, at the root', () => {
  for (const strings of [{ brand: 'B' }, null, undefined, 'languages'])
    expect(languagesOf(strings, () => {})).toBe(ONE_LANGUAGE);
  expect(read([]).list).toBe(ONE_LANGUAGE);
  const strings = { languages: [EN, DE] };
  expect(
    languagesOf(strings, () => {}),
    'read once',
  ).toBe(languagesOf(strings, () => {}));
});

test('R28: the first language is at the root, each other one under its tag in lower case', () => {
  const { list } = read([DE, EN, { tag: 'pt-br', name: 'Português' }]);
  expect(list.map(({ tag, home }) => [tag, home])).toEqual([
    ['de', '/'],
    ['en', '/en/'],
    ['pt-BR', '/pt-br/'],
  ]);
});

test.each([
  ['no tag', { name: 'x' }],
  ['an invalid tag', { tag: 'Deutsch!' }],
  ['a path as its tag', { tag: '../etc' }],
  ['the path of the endpoints', { tag: 'api' }],
  ['a number', 7],
])('R28: a language with %s is dropped, and the others stay', (_, broken) => {
  const { tags, warnings } = read([EN, broken, DE]);
  expect(tags).toEqual(['en', 'de']);
  expect(warnings).toEqual([['content.language-dropped', { language: 1 }]]);
});

test('R28: a repeated tag counts once, and a missing name is derived from the tag', () => {
  const { list } = read([EN, { tag: 'de' }, DE]);
  expect(list).toHaveLength(2);
  expect(list[1]).toMatchObject({ name: 'Deutsch', dir: 'ltr' });
  expect(read([EN, { tag: 'de-x-formal' }]).list[1]).toMatchObject({ tag: 'de-x-formal', name: 'Deutsch' });
});

test.each([
  ['itself', [EN, { ...DE, fallback: 'de' }]],
  ['a language that is not listed', [EN, { ...DE, fallback: 'fr' }]],
  ['a language that falls back to it', [EN, { ...DE, fallback: 'ar' }, { ...AR, fallback: 'de' }]],
  [
    'languages that fall back to each other',
    [EN, { ...DE, fallback: 'ar' }, { ...AR, fallback: 'fr' }, { tag: 'fr', fallback: 'ar' }],
  ],
])('R28: a fallback to %s is ignored', (_, languages) => {
  expect(read(languages).list.find(({ tag }) => tag === 'de')?.fallback).toBeNull();
});

test('R28: the fallbacks of a language include the fallbacks of each fallback', () => {
  const { list } = read([EN, DE, { tag: 'de-CH', fallback: 'de' }]);
  const swiss = languageNamed(list, 'de-ch');
  expect(fallbacksOf(list, swiss).map(({ tag }) => tag)).toEqual(['de', 'en']);
});

test('R28: the first segment of a path names its language only if it equals the tag', () => {
  const { list } = read([EN, DE, AR]);
  const languageTag = (path: string) => languageOf(list, path).tag;
  expect(['/', '/de/', '/de', '/DE/x/', '/demo/', '/ar/search', '/fr/', '//de/', ''].map(languageTag)).toEqual([
    ...['en', 'de', 'de', 'de', 'en', 'ar', 'en', 'en', 'en'],
  ]);
  expect(pathWithin(languageNamed(list, 'de'), '/de/rundgang/')).toBe('rundgang/');
  expect(languageNamed(list, undefined).tag).toBe('en');
  const paths = ['/de/x/', '/de', '/pt-BR/', '/zh-hant-hk/', '/about-us/', '/', '/de-/', '/x/de/'];
  expect(paths.filter(mayHaveLanguage)).toEqual(['/de/x/', '/de', '/pt-BR/', '/zh-hant-hk/']);
});
