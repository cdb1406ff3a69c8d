import type { Client } from '@pillion/content/wordpress/client.ts';
import { failure, success } from '@pillion/content/wordpress/result.ts';
import type { Answers } from '@pillion/forms/form.ts';
import { expect, test } from 'vitest';
import type { Verdict } from '../backend.ts';
import { createGravityForms } from './backend.ts';

const { interpret } = createGravityForms({} as Client);
const ANSWERS = {
  ...{ input_0: 'Ada', input_1: 'Ada Quist', input_2: ['ada@example.org', 'x'], input_3: ' Call  +49 170 a1 ' },
};
const sent = (answers: Answers = ANSWERS) => ({ signUpId: 'an-id', formId: 1, createdAt: 0, answers });
const verdictOn = (status: number, data: unknown, retryAfter: string | null = null) =>
  interpret(success({ status, data, retryAfter }), sent(), 0);

const valid = { is_valid: true, confirmation_type: 'message', confirmation_message: '<p>Thanks</p>' };
const invalid = (messages: object) => ({ is_valid: false, validation_messages: messages });
const delivered = (confirmation: object | null = null) => ({ kind: 'delivered', confirmation }) as Verdict;
const failed = (reason: string, retryAfterMs: number | null = null): Verdict => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});
const blocked = (reason: string): Verdict => ({ kind: 'blocked', reason });
const refused = (said: string, ...fields: string[]): Verdict => ({
  kind: 'refused',
  reason: `answers-refused: ${said}`,
  fields,
});

test.each<[number, unknown, Verdict]>([
  [200, valid, delivered({ type: 'message', html: '<p>Thanks</p>' })],
  [299, { is_valid: true, confirmation_redirect: '/x/' }, delivered()],
  [
    200,
    { is_valid: true, confirmation_type: 'redirect', confirmation_redirect: '/x/' },
    delivered({ type: 'redirect', url: '/x/' }),
  ],
  [200, { ...valid, confirmation_type: 'redirect' }, delivered()],
  [200, invalid({ 2: 'No.', '4.3': 7 }), refused('2 (No.), 4.3', '2', '4.3')],
  [400, invalid({}), refused('no field named')],
  [400, invalid({ 9: '‘AN-ID’ has been used' }), delivered()],
  [400, invalid({ 9: '‘another-id-2’ has been used' }), refused('9 (‘another-id-2’ has been used)', '9')],
  [400, invalid({ 2: 'an-id', 9: 'an-id' }), refused('2 (an-id), 9 (an-id)', '2', '9')],
  [400, invalid({ 1: '<b>ADA  Quist</b>,\nADA@example.org and x: no' }), refused('1 (…, … and x: no)', '1')],
  [
    400,
    invalid({ 3: ' No: 170 in “call +49\n\n170 A1”, a1 or Call. ' }),
    refused('3 (No: … in “…”, a1 or Call.)', '3'),
  ],
  [400, invalid({ 1: 'n'.repeat(201) }), refused(`1 (${'n'.repeat(200)})`, '1')],
  [400, valid, failed('bad request: no verdict, status 400')],
  [500, invalid({ 2: 'No.' }), failed('bad request: no verdict, status 500')],
  [300, valid, failed('bad response: no verdict, status 300')],
  [200, { hello: 1 }, failed('bad response: no verdict, status 200')],
  [413, '<html>', failed('body-too-large')],
  [401, { code: 'rest_forbidden', message: 'No <b>key</b>' }, failed('key-refused: No key')],
  [403, 'no', failed('key-refused')],
  [404, { code: 'rest_no_route', message: 'No route' }, failed('rest-api-off: No route')],
  [400, { code: 'submissions_blocked' }, failed('gravity-forms-updating')],
  [400, { code: 'form_not_found' }, blocked('form-not-found')],
  [400, { code: 'no_fields' }, blocked('form-without-fields')],
  [400, { code: 'form_restriction_error', message: '<p>Sold out.</p>' }, blocked('form-closed: Sold out.')],
  [400, { code: 'button_logic_error' }, blocked('form-button-hidden')],
  [400, { code: 'some_plugin_says_no' }, blocked('submission-refused some_plugin_says_no')],
  [400, { code: 'no code' }, failed('bad request: no verdict, status 400')],
  [500, { code: 'oops' }, failed('bad request: no verdict, status 500')],
])('R30: the response %i with %j has the right verdict', (status, data, verdict) => {
  expect(verdictOn(status, data)).toEqual(verdict);
});

test('R30: the pause that a failing WordPress asks for is part of the verdict', () => {
  for (const status of [413, 403, 503]) expect(verdictOn(status, {}, '9')).toMatchObject({ retryAfterMs: 9_000 });
  expect(interpret(failure('timeout', 'x'), sent(), 0)).toEqual(failed('timeout: x'));
  expect(interpret(failure('bad request', 'x', 413), sent(), 0)).toEqual(failed('body-too-large'));
});
