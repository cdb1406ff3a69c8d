import type { Page, PageAnswer, SearchAnswer, ShellContent, SignUpOutcome } from '../app/content/types.ts';
import type { Content } from './content/content.ts';
import { localeOf } from './locales.ts';
import { requestId } from './request-id.ts';

/** No page of an editor's can stand there. */
const SEARCH_PATH = '/search';

/** What was asked for, as a path: joined to our address, `//x`, `/\x` and `/<tab>/x` would name another host. */
const asPath = (asked: string) => `/${asked.replace(/[\t\n\r]/g, '').replace(/^[/\\]+/, '')}`;

/** A page of the site's own making, in the shell and out of every index. */
function ownPage(
  asked: string,
  shell: ShellContent,
  page: Pick<Page, 'status' | 'title' | 'template'> & Partial<Pick<Page, 'outcome' | 'search' | 'reference'>>,
): Page {
  const path = asPath(asked);
  return {
    outcome: null,
    search: null,
    ...page,
    path,
    lang: shell.lang,
    theme: 'dark',
    sections: [],
    meta: {
      title: `${page.title} | ${shell.strings.brand}`,
      description: shell.strings.description,
      canonical: path,
      noindex: true,
      image: null,
      share: { title: `${page.title} | ${shell.strings.brand}`, description: shell.strings.description },
      trail: [],
      schema: [],
    },
  };
}

export const notFoundPage = (path: string, shell: ShellContent): Page =>
  ownPage(path, shell, { status: 404, title: shell.strings.fourohfour.title, template: 'not-found' });

/** For an index to drop, and a visitor to know that looking again is in vain. */
const gonePage = (path: string, shell: ShellContent): Page =>
  ownPage(path, shell, { status: 410, title: shell.strings.gone.title, template: 'gone' });

/** @param status 503 where the content cannot be had now, 500 where the fault is ours, 413 where what was sent is too large, 422 where it is none we know, 429 where too much was. */
export const errorPage = (path: string, shell: ShellContent, status: 413 | 422 | 429 | 500 | 503): Page =>
  ownPage(path, shell, { status, title: shell.strings.error.title, template: 'error', ...reference() });

const reference = () => {
  const id = requestId();
  return id === undefined ? {} : { reference: id };
};

/** The page that answers a sign-up sent without script. */
export const signUpPage = (shell: ShellContent, status: 200 | 422 | 429 | 503, outcome: SignUpOutcome): Page =>
  ownPage('/', shell, { status, title: shell.strings.labels.join, template: 'sign-up', outcome });

/** The search page (R31): not for an index, since every query would be a page of its own. */
const searchPage = (shell: ShellContent, search: SearchAnswer): Page => {
  const { title } = shell.strings.search;
  const name = search.query ? `${title}: ${search.query}` : title;
  return { ...ownPage(SEARCH_PATH, shell, { status: 200, title: name, template: 'search', search }), title };
};

export interface AnsweredPage {
  answer: PageAnswer;
  shell: ShellContent;
}

/**
 * Resolves a path to a page or a redirect. Never throws: what cannot be shown becomes the error page.
 * @param pathname As it stands in the address, percent-encoded, without query.
 * @param query The address' own, from `?` on; only the search reads it.
 */
export async function answerPath(content: Content, pathname: string, query = ''): Promise<AnsweredPage> {
  const lang = localeOf(pathname);
  if (pathname === `${SEARCH_PATH}/`) {
    return { answer: { status: 301, location: SEARCH_PATH }, shell: await content.shell(lang) };
  }
  if (pathname === SEARCH_PATH) {
    const asked = new URLSearchParams(query);
    const page = Number.parseInt(asked.get('page') ?? '', 10) || 1;
    const [shell, search] = await Promise.all([content.shell(lang), content.search(asked.get('q') ?? '', page, lang)]);
    return { answer: { status: 200, page: searchPage(shell, search) }, shell };
  }
  const [shell, resolved] = await Promise.all([content.shell(lang), content.resolve(pathname, lang)]);
  const answerWith = (page: Page): AnsweredPage => ({ answer: { status: page.status, page }, shell });
  switch (resolved.kind) {
    case 'page':
      return answerWith(resolved.page);
    case 'redirect':
      return { answer: { status: resolved.status, location: resolved.location }, shell };
    case 'gone':
      return answerWith(gonePage(pathname, shell));
    case 'missing':
      return answerWith(notFoundPage(pathname, shell));
    case 'unavailable':
      return answerWith(errorPage(pathname, shell, 503));
  }
}
