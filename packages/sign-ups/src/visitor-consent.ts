import { CONSENT_COOKIE, cookiesIn, type Purpose, readChoice, withoutRefused } from '@pillion/lib/consent.ts';

/**
 * The purposes that the visitor has agreed to, from the headers of their request. None without a valid choice;
 * `Sec-GPC: 1` (Global Privacy Control) refuses marketing and outranks the choice.
 */
export function consentOf(headers: Headers): readonly Purpose[] {
  const [, value = ''] = cookiesIn(headers.get('cookie') ?? '').find(([name]) => name === CONSENT_COOKIE) ?? [];
  return withoutRefused(headers.get('sec-gpc') === '1', readChoice(value)?.categories ?? []);
}
