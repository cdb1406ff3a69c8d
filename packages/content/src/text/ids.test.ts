import { expect, test } from 'vitest';
import { createIds } from './ids.ts';

test('an id consists of the words of its text, in any script', () => {
  const ids = createIds();
  expect(ids.take('What’s the weather like?')).toBe('q-whats-the-weather-like');
  expect(ids.take('Où dort-on ?')).toBe('q-ou-dort-on');
  expect(ids.take('天気は？')).toBe('q-天気は');
});

test('an id that is already taken gets a number, and so does an id without words', () => {
  const ids = createIds();
  expect([ids.take('How?'), ids.take('how'), ids.take('How…')]).toEqual(['q-how', 'q-how-2', 'q-how-3']);
  expect([ids.take('?'), ids.take('!')]).toEqual(['q', 'q-2']);
});

test('a long id ends after a whole word, and a long word is cut', () => {
  const ids = createIds();
  expect(ids.take('word '.repeat(40))).toMatch(/^q-(word-){11}word$/);
  expect(ids.take(`${'n'.repeat(30)} ${'o'.repeat(29)}`)).toBe(`q-${'n'.repeat(30)}-${'o'.repeat(29)}`);
  expect(ids.take(`${'n'.repeat(30)} ${'o'.repeat(30)}`)).toBe(`q-${'n'.repeat(30)}`);
  expect(ids.take('m'.repeat(90))).toBe(`q-${'m'.repeat(60)}`);
});
