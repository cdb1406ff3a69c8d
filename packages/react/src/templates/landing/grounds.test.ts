import type { Section } from '@pillion/content/types.ts';
import { expect, test } from 'vitest';
import { groundsOf } from './grounds.ts';

const section = (type: string) => ({ type }) as Section;
const kinds = (...types: string[]) =>
  groundsOf(types.map(section)).map(({ kind, sections }) => `${kind}: ${sections.map(({ type }) => type).join(' ')}`);

test('the hero shows its picture, what follows covers it, acts lead through it, sign-up and wordmark share the night', () => {
  expect(kinds('hero', 'statement', 'acts', 'sign-up', 'wordmark')).toEqual([
    'hero: hero',
    'cover: statement',
    'passage: acts',
    'night: sign-up wordmark',
  ]);
});

test('a wordmark without a night before it is covered like any other section', () => {
  expect(kinds('hero', 'wordmark')).toEqual(['hero: hero', 'cover: wordmark']);
  expect(kinds('sign-up', 'rich-text', 'wordmark')).toEqual(['night: sign-up', 'cover: rich-text wordmark']);
});

test('each sign-up brings the picture of its own', () => {
  expect(kinds('sign-up', 'sign-up')).toEqual(['night: sign-up', 'night: sign-up']);
});

test('a page without sections stands on nothing', () => {
  expect(groundsOf([])).toEqual([]);
});
