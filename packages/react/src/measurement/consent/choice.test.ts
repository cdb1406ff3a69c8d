import { expect, test } from 'vitest';
import { readChoice } from './choice.ts';

const WRITTEN = {
  categories: ['statistics'],
  consentTimestamp: '2026-11-01T10:00:00.000Z',
  consentId: '01234567-89ab-cdef-0123-456789abcdef',
  lastConsentTimestamp: '2026-11-01T10:00:00.000Z',
};

const cookie = (changed: object) => encodeURIComponent(JSON.stringify({ ...WRITTEN, ...changed }));

test.each([
  ['a choice', {}],
  ['a no to all', { categories: [] }],
])('R47: %s, as it is written, is consent', (_, changed) => {
  expect(readChoice(cookie(changed))).not.toBeNull();
});

test.each([
  ['no list of purposes', { categories: 'all' }],
  ['a purpose nobody knows', { categories: ['everything'] }],
  ['a purpose that is no text', { categories: [1] }],
  ['no id', { consentId: undefined }],
  ['an id of another kind', { consentId: '<b>' }],
  ['no time', { consentTimestamp: undefined }],
  ['a time that is none', { lastConsentTimestamp: 'tomorrow' }],
  ['a time that is a number', { consentTimestamp: 5 }],
])('R47: a cookie with %s is none', (_, changed) => {
  expect(readChoice(cookie(changed))).toBeNull();
});

test.each(['', 'null', 'true', '[]', '%', '%7B', 'x'.repeat(4_000)])('R47: %j is none', (text) => {
  expect(readChoice(text)).toBeNull();
});
