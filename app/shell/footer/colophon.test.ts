import { expect, test } from 'vitest';
import { fillColophon } from './colophon.ts';

const footer = { colophon: 'All Rights Reserved | {brand} Inc. VAT {number}' };

test('R18: the colophon names the brand and its VAT number', () => {
  expect(fillColophon({ footer, brand: 'Lowsun', number: 'NO 1' })).toBe('All Rights Reserved | Lowsun Inc. VAT NO 1');
});

test('R18: every place is filled, and a brand with a dollar sign is taken as it stands', () => {
  expect(fillColophon({ footer: { colophon: '{brand}, {brand}' }, brand: '$& Co', number: '' })).toBe('$& Co, $& Co');
});

test('R18: without a number the line ends clean, and braces of the editor’s own stay', () => {
  expect(fillColophon({ footer, brand: 'Lowsun', number: '' })).toBe('All Rights Reserved | Lowsun Inc. VAT');
  expect(fillColophon({ footer: { colophon: '{year}' }, brand: 'Lowsun', number: '' })).toBe('{year}');
});
