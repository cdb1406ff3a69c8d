/** Purposes that a visitor can agree to separately. */
export const PURPOSES = ['statistics', 'marketing'] as const;

export type Purpose = (typeof PURPOSES)[number];

/** Name of the first-party cookie with the visitor's choice, which servers and proxies can read too. */
export const CONSENT_COOKIE = 'consent';

/** A stored choice: the purposes, the first and last time, and an id with which a visitor can refer to it. */
export interface Choice {
  categories: readonly Purpose[];
  consentId: string;
  consentTimestamp: string;
  lastConsentTimestamp: string;
}

const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Parses the cookie. @returns `null` if it is invalid: an edited cookie counts as no consent. */
export function readChoice(text: string): Choice | null {
  try {
    const { categories, consentId, consentTimestamp, lastConsentTimestamp } = JSON.parse(decodeURIComponent(text));
    const isValid =
      Array.isArray(categories) &&
      categories.every((category) => PURPOSES.includes(category)) &&
      /^[\da-f-]{36}$/.test(consentId) &&
      isTime(consentTimestamp) &&
      isTime(lastConsentTimestamp);
    return isValid ? { categories, consentId, consentTimestamp, lastConsentTimestamp } : null;
  } catch {
    return null;
  }
}

/** @returns The purposes without marketing if the browser sends Global Privacy Control, which also outranks a choice. */
export const withoutRefused = (isPrivate: boolean, purposes: readonly Purpose[]): readonly Purpose[] =>
  isPrivate ? purposes.filter((purpose) => purpose !== 'marketing') : purposes;

/** Splits the value of `document.cookie` or of the header `Cookie`. */
export const cookiesIn = (text: string): [name: string, value: string][] =>
  text.split(/; */).map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });
