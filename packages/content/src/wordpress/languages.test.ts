import { expect, test } from 'vitest';
import {
  fallbacksOf,
  languageNamed,
  languageOf,
  languagesOf,
  mayHaveLanguage,
  ONE_LANGUAGE,
  within,
} from './languages.ts';

const EN = { tag: 'en', name: 'English', dir: 'ltr', fallback: '' };
const DE = { tag: 'de', name: 'Deutsch', dir: 'ltr', fallback: 'en' };
const AR = { tag: 'ar', name: 'العربية', dir: 'rtl', fallback: '' };

function read(languages: unknown) {
  const warnings: string[] = [];
  const list = languagesOf({ languages }, (event) => void warnings.push(event));
  return { list, warnings, tags: list.map(({ tag }) => tag) };
}

test('R28: a site that says nothing of languages has one, at the root', () => {
  expect(languagesOf({ brand: 'B' }, () => {})).toBe(ONE_LANGUAGE);
  expect(read([]).list).toBe(ONE_LANGUAGE);
});

test('R28: the first language lies at the root, every other one under its tag in small letters', () => {
  const { list } = read([DE, EN, { tag: 'pt-br', name: 'Português' }]);
  expect(list.map(({ tag, home }) => [tag, home])).toEqual([
    ['de', '/'],
    ['en', '/en/'],
    ['pt-BR', '/pt-br/'],
  ]);
});

test.each([
  ['no tag', { name: 'x' }],
  ['one that is none', { tag: 'Deutsch!' }],
  ['a path', { tag: '../etc' }],
  ['the place of our endpoints', { tag: 'api' }],
  ['no language at all', 7],
])('R28: %s costs itself and no other language', (_, broken) => {
  const { tags, warnings } = read([EN, broken, DE]);
  expect(tags).toEqual(['en', 'de']);
  expect(warnings).toEqual(['content.language-dropped']);
});

test('R28: a tag that is there twice counts once, a name or direction that is missing is found', () => {
  const { list } = read([EN, { tag: 'de' }, DE]);
  expect(list).toHaveLength(2);
  expect(list[1]).toMatchObject({ name: 'Deutsch', dir: 'ltr' });
});

test.each([
  ['itself', [EN, { ...DE, fallback: 'de' }]],
  ['one that is not listed', [EN, { ...DE, fallback: 'fr' }]],
  ['one that leads back', [EN, { ...DE, fallback: 'ar' }, { ...AR, fallback: 'de' }]],
])('R28: a fallback to %s is none', (_, languages) => {
  expect(read(languages).list.find(({ tag }) => tag === 'de')?.fallback).toBeNull();
});

test('R28: fallbacks are followed to their end', () => {
  const { list } = read([EN, DE, { tag: 'de-CH', fallback: 'de' }]);
  const swiss = languageNamed(list, 'de-ch');
  expect(fallbacksOf(list, swiss).map(({ tag }) => tag)).toEqual(['de', 'en']);
});

test('R28: the path says the language; a word that only begins like one does not', () => {
  const { list } = read([EN, DE, AR]);
  const tagOf = (path: string) => languageOf(list, path).tag;
  expect(['/', '/de/', '/de', '/DE/x/', '/demo/', '/ar/search', '/fr/', '//de/', ''].map(tagOf)).toEqual([
    ...['en', 'de', 'de', 'de', 'en', 'ar', 'en', 'en', 'en'],
  ]);
  expect(within(languageNamed(list, 'de'), '/de/rundgang/')).toBe('rundgang/');
  expect([mayHaveLanguage('/de/x/'), mayHaveLanguage('/about-us/'), mayHaveLanguage('/')]).toEqual([
    true,
    false,
    false,
  ]);
});
