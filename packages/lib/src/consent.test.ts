import { expect, test } from 'vitest';
import { readChoice } from './consent.ts';

const WRITTEN = {
  categories: ['statistics'],
  consentTimestamp: '2026-11-01T10:00:00.000Z',
  consentId: '01234567-89ab-cdef-0123-456789abcdef',
  lastConsentTimestamp: '2026-11-01T10:00:00.000Z',
};

const cookie = (changed: object) => encodeURIComponent(JSON.stringify({ ...WRITTEN, ...changed }));

test.each([
  ['a choice', {}],
  ['no purposes', { categories: [] }],
])('R47: a cookie with %s is valid', (_, changed) => {
  expect(readChoice(cookie(changed))).not.toBeNull();
});

test.each([
  ['no list of purposes', { categories: 'all' }],
  ['an unknown purpose', { categories: ['everything'] }],
  ['a purpose that is not a string', { categories: [1] }],
  ['no id', { consentId: undefined }],
  ['an invalid id', { consentId: '<b>' }],
  ['no time', { consentTimestamp: undefined }],
  ['an invalid time', { lastConsentTimestamp: 'tomorrow' }],
  ['a time that is a number', { consentTimestamp: 5 }],
])('R47: a cookie with %s is invalid', (_, changed) => {
  expect(readChoice(cookie(changed))).toBeNull();
});

test.each(['', 'null', 'true', '[]', '%', '%7B', 'x'.repeat(4_000)])('R47: the cookie %j is invalid', (text) => {
  expect(readChoice(text)).toBeNull();
});
