import { cookiesIn } from '@pillion/lib/consent.ts';

/** The cookies that scripts can read. */
export const cookies = () => cookiesIn(document.cookie);

/**
 * Removes a cookie of this host and of its parent domains, because tag managers set cookies on the highest one
 * possible.
 */
export function removeCookie(name: string): void {
  const labels = location.hostname.split('.');
  // The last label is no domain, and an IP address has no parent domains.
  const hasDomainName = /[a-z]$/i.test(location.hostname);
  const domains = hasDomainName
    ? labels.slice(0, -1).map((_, start) => `; domain=${labels.slice(start).join('.')}`)
    : [];
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is too young (Firefox 140).
  for (const domain of ['', ...domains]) document.cookie = `${name}=; max-age=0; path=/${domain}`;
}
