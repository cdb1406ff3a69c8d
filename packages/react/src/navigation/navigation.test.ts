import type { Page, PageResponse, ShellContent } from '@pillion/content/types.ts';
import type { NavigateEvent, Navigation } from '@pillion/lib/browser/navigation-api.ts';
import { expect, test } from 'vitest';
import type { Template } from '../templates/template.ts';
import { createNavigation, isOurs } from './navigation.ts';
import { NeedsDocument } from './page-loader.ts';

const SITE = 'http://site.test';
const TEMPLATE: Template = { Component: () => null };
const SHELL = { lang: 'en', strings: { brand: 'B', description: '', error: { title: 'Oops' } } } as ShellContent;

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
  expect(isOurs(navigate('/', { destination, navigationType: 'replace' }))).toBe(false);
});

test('a link to another page is handled by the site', () => {
  expect(isOurs(navigate('/privacy-policy/'))).toBe(true);
});

test('downloads, forms, hash jumps, reloads and events without interception are left to the browser', () => {
  expect(isOurs(navigate('/a/', { downloadRequest: '' }))).toBe(false);
  expect(isOurs(navigate('/a/', { formData: new FormData() }))).toBe(false);
  expect(isOurs(navigate('/#form', { hashChange: true }))).toBe(false);
  expect(isOurs(navigate('/a/', { navigationType: 'reload' }))).toBe(false);
  expect(isOurs(navigate('/a/', { canIntercept: false }))).toBe(false);
});

test('endpoints and files are left to the browser', () => {
  for (const path of ['/api/sign-ups/thanks', '/media/lookbook.pdf', '/assets/x.js', '/favicon.ico'])
    expect(isOurs(navigate(path)), path).toBe(false);
});

const pageAt = (path: string) => ({ path, template: null }) as Page;

/** A navigation with given responses by path, and a record of its actions. */
function engine(answer: (path: string, signal: AbortSignal) => Promise<PageResponse>) {
  const did: string[] = [];
  const target = new EventTarget();
  const navigation = Object.assign(target, {
    navigate: (url: string, options?: { history?: string }) => did.push(`${options?.history} ${url.replace(SITE, '')}`),
  }) as unknown as Navigation;
  createNavigation({
    navigation,
    pages: { load: answer, prefetch: () => {} },
    isHandled: () => true,
    prepare: async () => TEMPLATE,
    show: async (page) => void did.push(`show ${page.status ?? ''}${page.path}`),
    shell: () => SHELL,
    reload: () => did.push('reload'),
  }).start();
  const visit = async (path: string, signal?: AbortSignal) => {
    let done: Promise<void> = Promise.resolve();
    const intercept = ({ handler }: { handler: () => Promise<void> }) => {
      done = handler();
    };
    target.dispatchEvent(navigate(path, { intercept, ...(signal && { signal }) }));
    await done.catch(() => {});
  };
  return { did, visit };
}

test('R1: a page is shown without loading a document', async () => {
  const { did, visit } = engine(async (path) => ({ status: 200, page: pageAt(path) }));
  await visit('/paper-notes/?a=1');
  expect(did).toEqual(['show /paper-notes/?a=1']);
});

test('R29: a redirect replaces the history entry', async () => {
  const { did, visit } = engine(async () => ({ status: 301, location: '/paper-notes/' }));
  await visit('/paper-notes');
  expect(did).toEqual(['replace /paper-notes/']);
});

test('R29: a redirect keeps the hash of the link', async () => {
  const { did, visit } = engine(async () => ({ status: 301, location: '/paper-notes/?a=1' }));
  await visit('/paper-notes?a=1#crew');
  expect(did).toEqual(['replace /paper-notes/?a=1#crew']);
});

test('an aborted navigation shows nothing when its response arrives', async () => {
  const outrun = new AbortController();
  const { did, visit } = engine(async (path) => {
    outrun.abort();
    return { status: 200, page: pageAt(path) };
  });
  await visit('/slow/', outrun.signal);
  expect(did).toEqual([]);
});

test('without network the error page shows in the shell', async () => {
  const { did, visit } = engine(() => Promise.reject(new TypeError('Failed to fetch')));
  await visit('/paper-notes/');
  expect(did).toEqual(['show 503/paper-notes/']);
});

test('a page from another build is loaded as a document', async () => {
  const { did, visit } = engine(() => Promise.reject(new NeedsDocument('/paper-notes/')));
  await visit('/paper-notes/');
  expect(did).toEqual(['reload']);
});
