import { expect, test } from 'vitest';
import { DEFAULT_STRINGS } from '../wordpress/default-strings.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import { stringsOf } from './shell-content.ts';

const colophonOf = (colophon: string, number = '') =>
  stringsOf({ brand: 'ACME', number, footer: { colophon } }, 'en', createRewriter([]), () => {}).footer.colophon;

test.each([
  ['All Rights Reserved | {brand} Inc. VAT {number}', 'All Rights Reserved | ACME Inc.'],
  ['All Rights Reserved | {brand} Inc. VAT No. {number}', 'All Rights Reserved | ACME Inc.'],
  ['{brand} GmbH · USt-IdNr. {number} · Hamburg', 'ACME GmbH · Hamburg'],
  ['{brand}, P. IVA {number}', 'ACME'],
  ['VAT {number}', 'VAT'],
  ['{brand}', 'ACME'],
])('R18, R19: without a number, %j loses the words around it', (colophon, said) => {
  expect(colophonOf(colophon)).toBe(said);
});

test('R18: the colophon has no placeholders other than brand and number', () => {
  expect(colophonOf('{brand} {labels} {description}', '1')).toBe('ACME {labels} {description}');
});

test('R18: with a number the colophon is complete', () => {
  expect(colophonOf('{brand} Inc. VAT {number} | {number}', 'XX 1')).toBe('ACME Inc. VAT XX 1 | XX 1');
});

test.each([
  ['no text', {}],
  [
    'values of the wrong kind',
    {
      logo: 'a word',
      labels: { join: 7 },
      audio: { url: 'javascript:alert(1)', tone: 'loud' },
      form: { form_id: 0, sending: '' },
      gone: { link: { url: 'javascript:alert(1)', target: '_parent' } },
    },
  ],
])('R19: with %s from WordPress every string is the default', (_what, wire) => {
  const strings = stringsOf(wire, 'en', createRewriter([]), () => {});
  expect(strings).toEqual({ ...DEFAULT_STRINGS, footer: { colophon: 'All Rights Reserved | Pillion Inc.' } });
});

test('R18: a text of each kind is read', () => {
  const link = { title: 'Tour', url: '/tour/', target: '_blank' };
  const wire = { labels: { join: 'Come' }, audio: { tone: 'plain' }, form: { form_id: '3' }, gone: { link } };
  expect(stringsOf(wire, 'en', createRewriter([]), () => {})).toMatchObject({
    labels: { join: 'Come', scroll: DEFAULT_STRINGS.labels.scroll },
    audio: { url: null, tone: 'plain' },
    form: { form_id: 3 },
    gone: { link },
  });
});

test('R19, R28: a default is in the language of the page, or in English if the kit lacks it', () => {
  const textsIn = (lang: string) => {
    const { labels, gone, brand } = stringsOf({ labels: { join: 'Go' } }, lang, createRewriter([]), () => {});
    return [labels.join, labels.close, gone.link, brand];
  };
  expect(textsIn('pt-BR')).toEqual(['Go', 'Fechar', { title: 'Voltar ao início', url: '/', target: '' }, 'Pillion']);
  expect(textsIn('sv')).toEqual(['Go', 'Close', { title: 'Back to home', url: '/', target: '' }, 'Pillion']);
});
