import type { Content } from '@pillion/content/content.ts';
import { type OwnPage, ownPage } from '@pillion/content/own-page.ts';
import { EMPTY_HEAD, type PageHead } from '@pillion/content/pages/page-head.ts';
import type { Page, PageResponse, SearchAnswer, ShellContent, SignUpOutcome } from '@pillion/content/types.ts';
import { languageOf } from '@pillion/content/wordpress/languages.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { requestId } from '@pillion/lib/request-id.ts';
import { blankAnswer } from './blank.tsx';
import { NO_VARY_SEARCH } from './campaign-parameters.ts';
import type { RenderOptions } from './document.tsx';
import { shellAnswerOf } from './document.tsx';
import { type Answer, documentAnswer, isKept, jsonAnswer } from './responses.ts';

/** Behind the front page of each language. No page of an editor's can stand there. */
const SEARCH = 'search';

/** What was asked for, as a path: joined to our address, `//x`, `/\x` and `/<tab>/x` would name another host. */
const asPath = (asked: string) => `/${asked.replace(/[\t\n\r]/g, '').replace(/^[/\\]+/, '')}`;

const pageUnder = (asked: string, shell: ShellContent, page: OwnPage): Page => ownPage(asPath(asked), shell, page);

export const notFoundPage = (path: string, shell: ShellContent): Page =>
  pageUnder(path, shell, { status: 404, title: shell.strings.fourohfour.title, template: 'not-found' });

/** For an index to drop, and a visitor to know that looking again is in vain. */
export const gonePage = (path: string, shell: ShellContent): Page =>
  pageUnder(path, shell, { status: 410, title: shell.strings.gone.title, template: 'gone' });

/** @param status 503 where the content cannot be had now, 500 where the fault is ours, 403 and 404 of a preview that is not shown, 413 where what was sent is too large, 422 where it is none we know, 429 where too much was. */
export const errorPage = (path: string, shell: ShellContent, status: 403 | 404 | 413 | 422 | 429 | 500 | 503): Page =>
  pageUnder(path, shell, { status, title: shell.strings.error.title, template: 'error', ...reference() });

const reference = () => {
  const id = requestId();
  return id === undefined ? {} : { reference: id };
};

/** The page that answers a sign-up sent without script. */
export const signUpPage = (shell: ShellContent, status: 200 | 422 | 429 | 503, outcome: SignUpOutcome): Page =>
  ownPage(shell.home, shell, { status, title: shell.strings.labels.join, template: 'sign-up', outcome });

/** The search page (R31): not for an index, since every query would be a page of its own. */
export const searchPage = (shell: ShellContent, search: SearchAnswer): Page => {
  const { title } = shell.strings.search;
  const name = search.query ? `${title}: ${search.query}` : title;
  const page = ownPage(shell.home + SEARCH, shell, { status: 200, title: name, template: 'search', search });
  return { ...page, title, ...elsewhere(shell, SEARCH) };
};

/** Where one of the site's own pages stands in every language. */
function elsewhere({ languages }: ShellContent, under: string): Pick<Page, 'translations'> {
  if (languages.length < 2) return {};
  const places = languages.map(({ tag, home }) => [tag, { path: home + under, isSame: true }]);
  return { translations: Object.fromEntries(places) };
}

/** What a path leads to. */
export interface PathResponse {
  response: PageResponse;
  /** What only the document's head says of the page. */
  head: PageHead;
  shell: ShellContent;
}

/**
 * Resolves a path to a page or a redirect. Never throws: what cannot be shown becomes the error page.
 * @param pathname As it stands in the address, percent-encoded, without query.
 * @param query The address' own, from `?` on; only the search reads it.
 */
export async function resolvePath(content: Content, pathname: string, query = ''): Promise<PathResponse> {
  const left = content.budget();
  const { tag: lang, home } = languageOf(await content.languages(left), pathname);
  if (pathname === `${home}${SEARCH}/`) {
    return {
      response: { status: 301, location: home + SEARCH },
      head: EMPTY_HEAD,
      shell: await content.shell(lang, left),
    };
  }
  if (pathname === home + SEARCH) {
    const asked = new URLSearchParams(query);
    const page = Number.parseInt(asked.get('page') ?? '', 10) || 1;
    const [shell, search] = await Promise.all([
      content.shell(lang, left),
      content.search(asked.get('q') ?? '', page, lang, left),
    ]);
    return { response: { status: 200, page: searchPage(shell, search) }, head: EMPTY_HEAD, shell };
  }
  const [shell, resolved] = await Promise.all([content.shell(lang, left), content.resolve(pathname, lang, left)]);
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

/** What somebody else was answered with, for another request: what it tells the visitor to name is her own. */
export function asOwn(resolved: PathResponse): PathResponse {
  const { response } = resolved;
  if (!('page' in response) || response.page.reference === undefined) return resolved;
  return { ...resolved, response: { ...response, page: { ...response.page, ...reference() } } };
}

/** A redirect keeps the query that was asked with, behind the one its target has. */
function withQuery(location: string, search: string): string {
  if (search.length < 2) return location;
  const [address = '', hash] = location.split('#', 2);
  const asked = address.includes('?') ? `&${search.slice(1)}` : search;
  return address + asked + (hash === undefined ? '' : `#${hash}`);
}

/** What a page is sent as: a document to browsers, JSON to a page that is already open. */
export type Format = 'document' | 'data';

export interface Pages {
  resolve: (pathname: string, query?: string) => Promise<PathResponse>;
  /** @param query What a redirect keeps of the address that was asked for. @throws What rendering throws. */
  answer: (format: Format, resolved: PathResponse, query?: string) => Promise<Answer>;
  redirect: (format: Format, to: { status: 301 | 302; location: string }, query?: string) => Answer;
  /** The shell in one language, as JSON. */
  shell: (lang: string) => Promise<Answer>;
}

/** The one place where a path becomes a response. The cache (`ready.ts`) stands in front of it. */
export function createPages(content: Content, render: RenderOptions): Pages {
  const built = { 'pillion-build': render.assets.build };

  /** A redirect's JSON has no `Location` header, so that `fetch` hands it over and the browser's address moves along. */
  function redirect(format: Format, { status, location }: { status: 301 | 302; location: string }, query = ''): Answer {
    const target = { status, location: withQuery(location, query) };
    if (format === 'data') return jsonAnswer(target, status, built);
    // Kept no longer than a page, since an editor may move it again.
    return { status, headers: { location: target.location, ...CACHE.page }, text: '' };
  }

  return {
    resolve: (pathname, query) => resolvePath(content, pathname, query),
    async answer(format, { response, head, shell }, query) {
      if ('location' in response) return redirect(format, response, query);
      const { page, status } = response;
      if (format === 'data') return jsonAnswer(response, status, { ...(page.search ? CACHE.never : {}), ...built });
      if (status === 503 && (await content.isBlank(shell.lang))) return blankAnswer(render.assets);
      const reused = isKept(status) && !page.search ? { 'no-vary-search': NO_VARY_SEARCH } : {};
      return documentAnswer(page, shell, render, reused, head);
    },
    redirect,
    shell: async (lang) => jsonAnswer(shellAnswerOf(await content.shell(lang)), 200, built),
  };
}
