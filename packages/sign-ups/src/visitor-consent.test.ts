import { expect, test } from 'vitest';
import { consentOf } from './visitor-consent.ts';

const choice = (...categories: string[]) => {
  const at = '2026-11-01T10:00:00.000Z';
  const id = '01234567-89ab-cdef-0123-456789abcdef';
  const written = { categories, consentId: id, consentTimestamp: at, lastConsentTimestamp: at };
  return `consent=${encodeURIComponent(JSON.stringify(written))}`;
};

test.each<[string, Record<string, string>, string[]]>([
  ['no cookie', {}, []],
  ['an edited cookie', { cookie: 'consent=marketing' }, []],
  ['a cookie with another name', { cookie: `not-${choice('marketing')}` }, []],
  ['both purposes', { cookie: `theme=light; ${choice('statistics', 'marketing')}; a=b` }, ['statistics', 'marketing']],
  ['a refusal', { cookie: choice() }, []],
  ['both purposes and GPC', { cookie: choice('statistics', 'marketing'), 'sec-gpc': '1' }, ['statistics']],
  ['marketing and an invalid GPC', { cookie: choice('marketing'), 'sec-gpc': 'true' }, ['marketing']],
])('R47: the server reads the consent of a request with %s', (_, headers, purposes) => {
  expect(consentOf(new Headers(headers))).toEqual(purposes);
});
