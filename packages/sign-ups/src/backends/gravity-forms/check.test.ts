import type { CallOptions, Client } from '@pillion/content/wordpress/client.ts';
import { failure, success } from '@pillion/content/wordpress/result.ts';
import type { Form } from '@pillion/forms/form.ts';
import { field } from '@pillion/forms/testing.ts';
import { expect, test } from 'vitest';
import { createGravityForms } from './backend.ts';

const FIELDS = [field(1, 'text', { isUnique: true }), field(2, 'text')];
const form = (isLimited = false) => ({ id: 7, fields: FIELDS, isLimited }) as Form;
const ANSWERS = { input_1: 'Zo\u00eb', input_2: 'private' };

function asking(answer: Awaited<ReturnType<Client['get']>>) {
  const calls: { path: string; options: CallOptions | undefined }[] = [];
  const get: Client['get'] = async (path, options) => {
    calls.push({ path, options });
    return answer;
  };
  return { calls, check: createGravityForms({ get } as Client).check ?? expect.fail('no check') };
}

const open = success({ closed: null, taken: [] });

test('R30: a form without a limit and unique fields sends no request to WordPress', async () => {
  const { calls, check } = asking(open);
  expect(await check(form(), [field(2, 'text')], ANSWERS)).toEqual({ closed: null, taken: {} });
  expect(calls).toEqual([]);
});

test('R30: only the answers to unique fields are sent, in a header and never in the address', async () => {
  const { calls, check } = asking(open);
  await check(form(), FIELDS, ANSWERS);
  expect(calls[0]?.path).toBe('/wp-json/pillion/v1/forms/7/check');
  const header = calls[0]?.options?.headers?.['x-pillion-answers'] ?? '';
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ input_1: 'Zo\u00eb' });
});

test('R30: a repeated answer gets a message at its field, and a full form shows its own message', async () => {
  const taken = asking(success({ closed: null, taken: { 1: 'Used <b>already</b>' } })).check;
  expect(await taken(form(), FIELDS, ANSWERS)).toEqual({
    closed: null,
    taken: { input_1: 'Used already' },
  });
  const full = asking(success({ closed: { reason: 'full', message: '<p>Sold out.</p>' }, taken: [] })).check;
  expect(await full(form(true), [], {})).toMatchObject({ closed: 'Sold out.' });
});

test.each([
  ['does not answer', failure('timeout', 'late')],
  ['is too old to have the route', failure('bad request', 'status 404', 404)],
  ['returns invalid data', success({ hello: 1 })],
])('R30: if WordPress %s, the sign-up is accepted', async (_what, answer) => {
  const { check } = asking(answer);
  expect(await check(form(true), FIELDS, ANSWERS)).toEqual({ closed: null, taken: {} });
});

test('R30: an answer too long for a header is accepted and not sent', async () => {
  const { calls, check } = asking(open);
  const long = { input_1: 'x'.repeat(5000) };
  expect(await check(form(), FIELDS, long)).toEqual({ closed: null, taken: {} });
  expect(calls).toEqual([]);
});

test('R30: a full form shows its message also if an answer is too long for a header', async () => {
  const { calls, check } = asking(success({ closed: { message: 'Sold out.' }, taken: [] }));
  expect(await check(form(true), FIELDS, { input_1: 'x'.repeat(5000) })).toMatchObject({ closed: 'Sold out.' });
  expect(calls[0]?.options?.headers?.['x-pillion-answers']).toBe(Buffer.from('{}').toString('base64url'));
});
