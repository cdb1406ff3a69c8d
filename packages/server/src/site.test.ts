import tokens from '@pillion/tests/site/theme.tokens.json';
import { expect, test } from 'vitest';
import { defineSite } from './site.ts';

/** The theme file with other tokens in its dark colours. */
const dark = (changes: object) => ({
  ...tokens,
  color: { ...tokens.color, dark: { ...tokens.color.dark, ...changes } },
});

test.each([
  ['is missing', { text: undefined }, 'the token color.dark.text is missing'],
  ['is no colour', { accent: { $value: 'tomato' } }, 'the token color.dark.accent is "tomato", which is not a colour'],
  ['is transparent', { accent: { $value: { hex: '#ff0000', alpha: 0.5 } } }, 'color.dark.accent is transparent'],
  [
    'is misspelt',
    { surface: undefined, surfac: { $value: '#ffffff' } },
    'there is no colour color.dark.surfac. Known: background, surface',
  ],
  ['is unknown', { akzent: { $value: '#ff0000' } }, 'there is no colour color.dark.akzent. Known: background, surface'],
  ['refers to nothing', { accent: { $value: '{color.red}' } }, 'refers to {color.red}, which is not in the file'],
  ['refers to itself', { accent: { $value: '{color.dark.accent}' } }, 'refers to itself'],
  [
    'is no number',
    { line: { $type: 'number', $value: 'thin' } },
    'color.dark.line is "thin". Give a number from 0 to 100',
  ],
  [
    'cannot be read',
    { muted: { $value: '{color.dark.surface}' } },
    'color.dark.muted has a contrast of 1 on color.dark.background and color.dark.surface; text needs 4.5 (WCAG 1.4.3), for example #',
  ],
])('a theme file with a token that %s stops the build', (_, changes, message) => {
  expect(() => defineSite({ theme: dark(changes) })).toThrow(`site.config: theme: `);
  expect(() => defineSite({ theme: dark(changes) })).toThrow(message);
});

test('a typeface cannot end its declaration', () => {
  const font = { sans: { $type: 'fontFamily', $value: ["x';} body{display:none"] } };
  expect(() => defineSite({ theme: { ...tokens, font } })).toThrow('Give the names of typefaces');
});
