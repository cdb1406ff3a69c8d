import { expect, test } from 'vitest';
import { createRewriter } from '../wordpress/rewrite.ts';
import { stringsOf } from './shell-content.ts';

const colophonOf = (colophon: string, number = '') =>
  stringsOf({ brand: 'ACME', number, footer: { colophon } }, createRewriter([]), () => {}).footer.colophon;

test.each([
  ['All Rights Reserved | {brand} Inc. VAT {number}', 'All Rights Reserved | ACME Inc.'],
  ['All Rights Reserved | {brand} Inc. VAT No. {number}', 'All Rights Reserved | ACME Inc.'],
  ['{brand} GmbH · USt-IdNr. {number} · Hamburg', 'ACME GmbH · Hamburg'],
  ['{brand}, P. IVA {number}', 'ACME'],
  ['VAT {number}', 'VAT'],
  ['{brand}', 'ACME'],
])('R18, R19: without a number %j says nothing of one', (colophon, said) => {
  expect(colophonOf(colophon)).toBe(said);
});

test('R18: with a number the colophon stands as it was written', () => {
  expect(colophonOf('{brand} Inc. VAT {number} | {number}', 'XX 1')).toBe('ACME Inc. VAT XX 1 | XX 1');
});
