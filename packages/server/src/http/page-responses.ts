import type { Content } from '@pillion/content/content.ts';
import { hasEmbed } from '@pillion/content/embeds.ts';
import { createGeneratedPage, type GeneratedPage } from '@pillion/content/own-page.ts';
import { EMPTY_HEAD, type PageHead } from '@pillion/content/pages/page-head.ts';
import type { Page, PageResponse, SearchAnswer, ShellContent, SignUpOutcome } from '@pillion/content/types.ts';
import { languageOf } from '@pillion/content/wordpress/languages.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { NO_VARY_SEARCH } from '@pillion/lib/campaign-parameters.ts';
import { requestId } from '@pillion/lib/request-id.ts';
import { prepareBlankPage } from './blank.tsx';
import { type RenderOptions, withLanguageStyles } from './document.tsx';
import { isCacheable, type PreparedResponse, prepareDocument, prepareJson } from './responses.ts';
import { embedHeadersFor } from './security-headers.ts';

/**
 * What browsers may prefetch: a page, when the pointer is over its link, and only where no script runs. With script the
 * site prefetches (R43), and the starter has set the root's `style` at once. Links of a site begin with one slash.
 */
const PREFETCH_RULES = {
  prefetch: [
    {
      where: {
        selector_matches:
          ":root:not([style]) a[href^='/']:not([download],[href^='//'],[href^='/api/'],[href^='/assets/'],[href^='/media/'])",
      },
      eagerness: 'moderate',
    },
  ],
};

/** Header of a page (Speculation Rules, HTML §7.6). The rules are in the address, so they are no request. */
const SPECULATION_HEADER = {
  'speculation-rules': `"data:application/speculationrules+json,${encodeURIComponent(JSON.stringify(PREFETCH_RULES))}"`,
};

/** Path of the search page, under the front page of each language. Editors cannot use it for a page. */
const SEARCH_PATH = 'search';

/** The requested path, made safe: joined to the site's address, `//x`, `/\x` and `/<tab>/x` would name another host. */
const toSafePath = (path: string) => `/${path.replace(/[\t\n\r]/g, '').replace(/^[/\\]+/, '')}`;

const pageAtPath = (path: string, shell: ShellContent, page: GeneratedPage): Page =>
  createGeneratedPage(toSafePath(path), shell, page);

export const notFoundPage = (path: string, shell: ShellContent): Page =>
  pageAtPath(path, shell, { status: 404, title: shell.strings.fourohfour.title, template: 'not-found' });

/** The page of a deleted address: search engines drop it, and visitors know that it does not come back. */
export const gonePage = (path: string, shell: ShellContent): Page =>
  pageAtPath(path, shell, { status: 410, title: shell.strings.gone.title, template: 'gone' });

/**
 * @param status 503: content is not available now. 500: a fault of the server. 403, 404: a preview that is not shown.
 * 413: the sign-up is too large. 422: the form is unknown. 429: too many sign-ups.
 */
export const errorPage = (path: string, shell: ShellContent, status: 403 | 404 | 413 | 422 | 429 | 500 | 503): Page =>
  pageAtPath(path, shell, { status, title: shell.strings.error.title, template: 'error', ...requestReference() });

/** The id of the current request, which the error page shows. */
const requestReference = () => {
  const id = requestId();
  return id === undefined ? {} : { reference: id };
};

/** The shell with other texts of the error page. */
export const withErrorTexts = (shell: ShellContent, texts: { title?: string; paragraph: string }): ShellContent => ({
  ...shell,
  strings: { ...shell.strings, error: { ...shell.strings.error, ...texts } },
});

/** The response to a sign-up without script. */
export const signUpPage = (shell: ShellContent, status: 200 | 422 | 429 | 503, outcome: SignUpOutcome): Page =>
  createGeneratedPage(shell.home, shell, { status, title: shell.strings.labels.join, template: 'sign-up', outcome });

/** The search page (R31). */
export const searchPage = (shell: ShellContent, search: SearchAnswer): Page => {
  const { title } = shell.strings.search;
  const documentTitle = search.query ? `${title}: ${search.query}` : title;
  const page = createGeneratedPage(shell.home + SEARCH_PATH, shell, {
    status: 200,
    title: documentTitle,
    template: 'search',
    search,
  });
  return { ...page, title, ...translationsUnder(shell, SEARCH_PATH) };
};

/** Addresses of one of the site's own pages in every language. */
function translationsUnder({ languages }: ShellContent, subpath: string): Pick<Page, 'translations'> {
  if (languages.length < 2) return {};
  const translations = languages.map(({ tag, home }) => [tag, { path: home + subpath, isSame: true }]);
  return { translations: Object.fromEntries(translations) };
}

/** A resolved path. */
export interface PathResponse {
  response: PageResponse;
  /** Metadata that only the document's head has. */
  head: PageHead;
  shell: ShellContent;
}

/**
 * Resolves a path to a page or a redirect. Without content, the result is the error page.
 * @param pathname Percent-encoded, as in the address, without query.
 * @param query From `?` on; only the search reads it.
 */
export async function resolvePath(content: Content, pathname: string, query = ''): Promise<PathResponse> {
  const budget = content.budget();
  const { tag: lang, home } = languageOf(await content.languages(budget), pathname);
  const searchPath = home + SEARCH_PATH;
  if (pathname === `${searchPath}/`) {
    const shell = await content.shell(lang, budget);
    return { response: { status: 301, location: searchPath }, head: EMPTY_HEAD, shell };
  }
  if (pathname === searchPath) {
    const params = new URLSearchParams(query);
    const page = Number.parseInt(params.get('page') ?? '', 10) || 1;
    const [shell, search] = await Promise.all([
      content.shell(lang, budget),
      content.search(params.get('q') ?? '', page, lang, budget),
    ]);
    return { response: { status: 200, page: searchPage(shell, search) }, head: EMPTY_HEAD, shell };
  }
  const [shell, resolved] = await Promise.all([content.shell(lang, budget), content.resolve(pathname, lang, budget)]);
  const respondWith = (page: Page, head = EMPTY_HEAD): PathResponse => ({
    response: { status: page.status, page },
    head,
    shell,
  });
  switch (resolved.kind) {
    case 'page':
      return respondWith(resolved.page, resolved.head);
    case 'redirect':
      return { response: { status: resolved.status, location: resolved.location }, head: EMPTY_HEAD, shell };
    case 'gone':
      return respondWith(gonePage(pathname, shell));
    case 'missing':
      return respondWith(notFoundPage(pathname, shell));
    case 'unavailable':
      return respondWith(errorPage(pathname, shell, 503));
  }
}

/** Replaces the reference (request id) of a page that was resolved for an earlier request. */
export function withOwnReference(resolved: PathResponse): PathResponse {
  const { response } = resolved;
  if (!('page' in response) || response.page.reference === undefined) return resolved;
  return { ...resolved, response: { ...response, page: { ...response.page, ...requestReference() } } };
}

/** Appends the request's query to the target of a redirect, after the target's own query. @param query From `?` on. */
function withQuery(location: string, query: string): string {
  if (query.length < 2) return location;
  const [address = '', hash] = location.split('#', 2);
  const appended = address.includes('?') ? `&${query.slice(1)}` : query;
  return address + appended + (hash === undefined ? '' : `#${hash}`);
}

/** `document` for browsers; `data` (JSON) for a page that is already open. */
export type Format = 'document' | 'data';

export type Redirect = Extract<PageResponse, { location: string }>;

export interface Pages {
  resolve: (pathname: string, query?: string) => Promise<PathResponse>;
  /** @param query The request's query, which a redirect keeps. @throws Errors of rendering. */
  prepareResponse: (format: Format, resolved: PathResponse, query?: string) => Promise<PreparedResponse>;
  prepareRedirect: (format: Format, to: Redirect, query?: string) => PreparedResponse;
  prepareShell: (lang: string) => Promise<PreparedResponse>;
}

/**
 * Turns paths into responses. Its cache is `page-cache.ts`.
 * @param headers Security headers of all responses.
 */
export function createPages(content: Content, render: RenderOptions, headers: Record<string, string>): Pages {
  const buildHeader = { 'pillion-build': render.assets.build };

  /** A redirect's JSON has no `Location` header: `fetch` would follow it, and the page could not change its address. */
  function prepareRedirect(format: Format, { status, location }: Redirect, query = ''): PreparedResponse {
    const target = { status, location: withQuery(location, query) };
    if (format === 'data') return prepareJson(target, status, buildHeader);
    // Cached no longer than a page, since an editor may change the target.
    return { status, headers: { location: target.location, ...CACHE.page }, text: '' };
  }

  return {
    resolve: (pathname, query) => resolvePath(content, pathname, query),
    async prepareResponse(format, { response, head, shell }, query) {
      if ('location' in response) return prepareRedirect(format, response, query);
      const { page, status } = response;
      if (format === 'data')
        return prepareJson(response, status, { ...(page.search ? CACHE.never : {}), ...buildHeader });
      // Without any content there is no shell, in which an error page would be shown.
      if (status === 503 && (await content.isBlank(shell.lang))) return prepareBlankPage(render.assets);
      const noVaryHeader = isCacheable(status) && !page.search ? { 'no-vary-search': NO_VARY_SEARCH } : {};
      const embedHeaders = hasEmbed(page) ? embedHeadersFor(headers) : {};
      return prepareDocument(page, shell, render, { ...noVaryHeader, ...SPECULATION_HEADER, ...embedHeaders }, head);
    },
    prepareRedirect,
    prepareShell: async (lang) => prepareJson(withLanguageStyles(await content.shell(lang)), 200, buildHeader),
  };
}
