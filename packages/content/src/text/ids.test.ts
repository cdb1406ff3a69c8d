import { expect, test } from 'vitest';
import { createIds } from './ids.ts';

test('an id is made of the words it stands for, in any script', () => {
  const ids = createIds();
  expect(ids.take('What’s the weather like?')).toBe('q-whats-the-weather-like');
  expect(ids.take('Où dort-on ?')).toBe('q-ou-dort-on');
  expect(ids.take('天気は？')).toBe('q-天気は');
});

test('one that is taken gets a number, one without words too', () => {
  const ids = createIds();
  expect([ids.take('How?'), ids.take('how'), ids.take('How…')]).toEqual(['q-how', 'q-how-2', 'q-how-3']);
  expect([ids.take('?'), ids.take('!')]).toEqual(['q', 'q-2']);
});

test('a long one ends with a word, a long word is cut', () => {
  const ids = createIds();
  expect(ids.take('word '.repeat(40))).toMatch(/^q-(word-){11}word$/);
  expect(ids.take('m'.repeat(90))).toHaveLength(62);
});
