import { PURPOSES } from './purposes.ts';

/** The library's cookie with the visitor's choice. */
export const COOKIE = 'consent';

const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/**
 * Whether a consent cookie is one that the library wrote. It believes nearly anything, and throws at some of it, be it
 * weeks later; what somebody edited counts as no consent.
 * @param text The cookie's value, as the browser has it.
 */
export function isConsent(text: string): boolean {
  try {
    const { categories, consentId, consentTimestamp, lastConsentTimestamp, services } = JSON.parse(
      decodeURIComponent(text),
    );
    return (
      Array.isArray(categories) &&
      categories.every((category) => PURPOSES.includes(category)) &&
      /^[\da-f-]{36}$/.test(consentId) &&
      isTime(consentTimestamp) &&
      isTime(lastConsentTimestamp) &&
      Object.values(services ?? {}).every(Array.isArray)
    );
  } catch {
    return false;
  }
}

/** Cookies by name, as scripts see them. */
export const cookies = (): [name: string, value: string][] =>
  document.cookie.split(/; */).map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });

/** Removes a cookie of this host and of every domain above it: a tag manager sets its own on the widest it can. */
export function removeCookie(name: string): void {
  const labels = location.hostname.split('.');
  // The last label is nobody's domain, and an address in numbers has none above it.
  const isNamed = /[a-z]$/i.test(location.hostname);
  const domains = isNamed ? labels.slice(0, -1).map((_, above) => `; domain=${labels.slice(above).join('.')}`) : [];
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is too young (Firefox 140).
  for (const domain of ['', ...domains]) document.cookie = `${name}=; max-age=0; path=/${domain}`;
}
