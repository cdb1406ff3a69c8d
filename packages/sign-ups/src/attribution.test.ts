import type { Form } from '@pillion/forms/form.ts';
import { expect, test } from 'vitest';
import { attributionOf, withCampaign } from './attribution.ts';

const sent = (first: unknown, last: unknown = first) => JSON.stringify({ first, last });
const read = (field: string, keepsClickIds = true, page = '') =>
  attributionOf(field, URL.parse(page), keepsClickIds)?.last ?? null;

test.each<[string, unknown, Record<string, string> | null]>([
  ['allowed parameters', { utm_source: 'letter', utm_own: 'x', ref: 'ada', gclid: '1' }, null],
  ['unknown parameters', { utm_source: 'letter', city: 'Oslo', UTM_ID: '1', __proto__: '1' }, { utm_source: 'letter' }],
  ['values that are no text', { utm_source: ['a', 'b'], utm_id: 7, ref: null, utm_term: ' a ' }, { utm_term: 'a' }],
  ['10 KB', { utm_source: 'ü'.repeat(10_000) }, { utm_source: 'ü'.repeat(200) }],
  ['markup and control characters', { ref: '<b onclick="x()">\0\r\n1' }, { ref: '<b onclick="x()"> 1' }],
  ['half of a surrogate pair', { ref: 'a\ud83d' }, { ref: 'a' }],
  ['more than 20 parameters', Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`utm_${at}`, 'x'])), null],
])('attribution with %s is reduced to the allowed values', (_, touch, kept) => {
  const read20 = kept ?? Object.fromEntries(Object.entries(touch as object).slice(0, 20));
  expect(read(sent(touch))).toEqual(read20);
});

test.each(['', '{', 'null', '[]', '7', '{"first":"utm_source"}', sent({}), sent({ utm_source: ' ' })])(
  'the attribution %j is ignored',
  (field) => {
    expect(read(field)).toBeNull();
  },
);

test('click ids need permission; first and last touch do not mix', () => {
  const field = sent({ utm_source: 'a', gclid: '1', li_fat_id: '2' }, { fbclid: '3' });
  expect(attributionOf(field, null, false)).toEqual({ first: { utm_source: 'a' }, last: {} });
  expect(attributionOf(field, null, true)?.last).toEqual({ fbclid: '3' });
});

test('without script the query of the page counts, and of a repeated parameter the first value', () => {
  const page = 'https://example.org/?utm_source=a&utm_source=b&gclid=1&q=x';
  expect(read('', true, page)).toEqual({ utm_source: 'a', gclid: '1' });
  expect(read('', false, page)).toEqual({ utm_source: 'a' });
  expect(read(sent({ ref: 'ada' }), true, page)).toEqual({ ref: 'ada' });
});

test('hidden fields named after a parameter get the last touch, and no click id without permission', () => {
  const field = (id: number, type: string, prefill: string | null) => ({
    ...{ id, type, inputs: [{ name: `input_${id}`, prefill, defaultValue: 'none' }] },
  });
  const fields = [field(1, 'hidden', 'utm_source'), field(2, 'hidden', 'gclid'), field(3, 'hidden', 'city')];
  fields.push(field(5, 'hidden', 'twclid'), field(6, 'hidden', null));
  const form = { fields: [...fields, field(4, 'text', 'ref')] } as unknown as Form;
  const answers = {
    input_1: 'typed',
    input_2: 'typed',
    input_3: 'Oslo',
    input_4: 'Ada',
    input_5: 'typed',
    input_6: 'own',
  };
  const last = { utm_source: 'letter', ref: 'x' };
  expect(withCampaign(form, answers, last, true)).toEqual({ ...answers, input_1: 'letter' });
  expect(withCampaign(form, answers, last, false)).toEqual({
    ...answers,
    ...{ input_1: 'letter', input_2: 'none', input_5: 'none' },
  });
  expect(withCampaign(form, {}, last, false)).toEqual({ input_1: 'letter' });
});
