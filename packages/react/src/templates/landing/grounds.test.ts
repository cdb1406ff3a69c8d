import type { Section } from '@pillion/content/types.ts';
import { expect, test } from 'vitest';
import { groundsOf } from './grounds.ts';

const section = (type: string) => ({ type }) as Section;
const kinds = (...types: string[]) =>
  groundsOf(types.map(section)).map(({ kind, sections }) => `${kind}: ${sections.map(({ type }) => type).join(' ')}`);

test('a statement is a cover, acts are a passage, and a sign-up and its wordmark share a night', () => {
  expect(kinds('hero', 'statement', 'acts', 'sign-up', 'wordmark')).toEqual([
    'hero: hero',
    'cover: statement',
    'passage: acts',
    'night: sign-up wordmark',
  ]);
});

test('a wordmark is a cover unless a night comes directly before it', () => {
  expect(kinds('hero', 'wordmark')).toEqual(['hero: hero', 'cover: wordmark']);
  expect(kinds('sign-up', 'rich-text', 'wordmark')).toEqual(['night: sign-up', 'cover: rich-text wordmark']);
});

test('each sign-up starts a new night', () => {
  expect(kinds('sign-up', 'sign-up')).toEqual(['night: sign-up', 'night: sign-up']);
});

test('a page without sections has no grounds', () => {
  expect(groundsOf([])).toEqual([]);
});
