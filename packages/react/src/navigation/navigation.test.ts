import type { NavigateEvent } from '@pillion/lib/browser/navigation-api.ts';
import { expect, test } from 'vitest';
import { isPageNavigation } from './navigation.ts';

const SITE = 'http://site.test';

/** A navigation event of the browser; by default to a page of this site. */
function navigate(path: string, differently: Partial<NavigateEvent> = {}): NavigateEvent {
  return Object.assign(new Event('navigate'), {
    canIntercept: true,
    destination: { url: SITE + path, sameDocument: false, index: 1 },
    downloadRequest: null,
    formData: null,
    hashChange: false,
    navigationType: 'push' as const,
    signal: new AbortController().signal,
    userInitiated: true,
    scroll: () => {},
    intercept: () => {},
    ...differently,
  });
}

test('a link to the current hash is left to the browser', () => {
  const destination = { url: `${SITE}/privacy-policy/#your-rights`, sameDocument: true, index: 0 };
  expect(isPageNavigation(navigate('/', { destination, navigationType: 'replace' }))).toBe(false);
});

test('a link to another page is handled by the site', () => {
  expect(isPageNavigation(navigate('/privacy-policy/'))).toBe(true);
});

test('downloads, forms, hash jumps, reloads and events without interception are left to the browser', () => {
  expect(isPageNavigation(navigate('/a/', { downloadRequest: '' }))).toBe(false);
  expect(isPageNavigation(navigate('/a/', { formData: new FormData() }))).toBe(false);
  expect(isPageNavigation(navigate('/#form', { hashChange: true }))).toBe(false);
  expect(isPageNavigation(navigate('/a/', { navigationType: 'reload' }))).toBe(false);
  expect(isPageNavigation(navigate('/a/', { canIntercept: false }))).toBe(false);
});

test('endpoints and files are left to the browser', () => {
  for (const path of ['/api/sign-ups/thanks', '/media/lookbook.pdf', '/assets/x.js', '/favicon.ico'])
    expect(isPageNavigation(navigate(path)), path).toBe(false);
});
