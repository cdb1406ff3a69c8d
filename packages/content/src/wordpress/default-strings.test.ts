import { expect, test } from 'vitest';
import { LANGUAGES_OF_TEXTS, TEXTS, type Text } from './default-strings.ts';

/** The English texts that visitors read, by path. */
const ENGLISH = TEXTS.flatMap(({ path, ...text }: Text): [string, string][] => {
  if (text.kind === 'link') return [[`${path}.title`, text.default.title]];
  const isRead = (text.kind === 'text' || text.kind === 'lines') && !text.isOwn && !text.isOptional;
  return isRead ? [[path, String(text.default)]] : [];
});

const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

/** Plural forms that only some languages have. */
const PLURALS: Record<string, Intl.LDMLPluralRule> = { 'search.two': 'two', 'search.few': 'few' };

/** Texts with the placeholders of another text. The offer names its language without a placeholder. */
const MODELS: Record<string, string> = {
  'search.two': 'search.one',
  'search.few': 'search.many',
  'labels.offer': 'labels.close',
};

test('default texts exist in nine languages besides English', () => {
  expect(Object.keys(LANGUAGES_OF_TEXTS)).toEqual(['ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt']);
});

test.each(Object.entries(LANGUAGES_OF_TEXTS))('%s has each default text once, with its placeholders', (lang, texts) => {
  const { pluralCategories } = new Intl.PluralRules(lang).resolvedOptions();
  const wanted = ENGLISH.map(([path]) => path).filter((path) => {
    const form = PLURALS[path];
    return form === undefined || pluralCategories.includes(form);
  });
  expect(Object.keys(texts)).toEqual(wanted);
  const english = Object.fromEntries(ENGLISH);
  for (const [path, text] of Object.entries(texts)) {
    const model = english[MODELS[path] ?? path] ?? '';
    expect([path, placeholdersOf(text)]).toEqual([path, placeholdersOf(model)]);
    // Without markup.
    expect([path, text]).toEqual([path, expect.stringMatching(/^[^<>\s][^<>]*$/)]);
  }
});
