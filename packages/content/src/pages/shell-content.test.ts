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
  ['{brand}، الرقم الضريبي {number}', 'ACME'],
  ['VAT {number}', 'VAT'],
  ['{brand}', 'ACME'],
])('R18, R19: without a number, %j loses the words around it', (colophon, said) => {
  expect(colophonOf(colophon)).toBe(said);
});

test('R18: the colophon has no placeholders other than brand and number', () => {
  expect(colophonOf('{brand} {labels} {constructor}', '1')).toBe('ACME {labels} {constructor}');
});

test('R18: with a number the colophon is complete', () => {
  expect(colophonOf('{brand} Inc. VAT {number} | {number}', 'XX 1')).toBe('ACME Inc. VAT XX 1 | XX 1');
});

test('R19: with no text, or values of the wrong kind, from WordPress every string is the default', () => {
  const invalid = {
    logo: 'a word',
    labels: { join: 7, scroll: null },
    audio: { url: 'javascript:alert(1)', tone: 'loud' },
    form: { form_id: 0, sending: '' },
    links: { bad: 'javascript:alert(1)' },
    gone: { link: { url: 'javascript:alert(1)', target: '_parent' } },
  };
  const warned: unknown[] = [];
  const defaults = { ...DEFAULT_STRINGS, footer: { colophon: 'All Rights Reserved | Pillion Inc.' } };
  for (const wire of [{}, invalid])
    expect(stringsOf(wire, 'en', createRewriter([]), (...warning) => warned.push(warning))).toEqual(defaults);
  for (const string of ['labels.join', 'logo', 'audio.url'])
    expect(warned).toContainEqual(['content.string-unreadable', { string }]);
});

test('R18: a text of each kind is read, with the site’s addresses', () => {
  const wire = {
    brand: '$& Co',
    footer: { colophon: '© {brand}' },
    labels: { join: 'Come' },
    form: { form_id: '3' },
    links: { privacy: 'https://cms.example/privacy/' },
    audio: { url: 'https://cms.example/wp-content/uploads/a.mp3', tone: 'plain' },
    gone: { link: { title: 'Tour', url: '/tour/', target: '_blank' } },
    fourohfour: { title: 'Lost', link: { url: 'https://cms.example/', title: '' } },
  };
  expect(stringsOf(wire, 'en', createRewriter(['https://cms.example']), () => {})).toMatchObject({
    brand: '$& Co',
    footer: { colophon: '© $& Co' },
    labels: { join: 'Come', scroll: DEFAULT_STRINGS.labels.scroll },
    form: { form_id: 3 },
    links: { privacy: '/privacy/' },
    audio: { url: '/media/a.mp3', tone: 'plain' },
    gone: wire.gone,
    fourohfour: { title: 'Lost', paragraph: 'Page not found', link: { url: '/', title: 'Back to home' } },
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
