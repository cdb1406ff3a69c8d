import type { Page, ShellContent } from '../content/types.ts';
import type { Template } from '../templates/template.ts';
import type { NavigateEvent, Navigation } from './navigation-api.ts';
import { NeedsDocument, type PageLoader } from './page-loader.ts';
import { isPagePath } from './page-path.ts';

export interface NavigationOptions {
  navigation: Navigation;
  pages: PageLoader;
  /** Fetches all the code a page needs to be shown whole. */
  prepare: (page: Page) => Promise<Template>;
  /** Puts a page on screen; scroll and focus are restored once it has. Shows nothing once `signal` has aborted. */
  show: (page: Page, template: Template, signal: AbortSignal) => Promise<void>;
  shell: () => ShellContent;
  /** Hands the address over to the browser, which loads it as a document. */
  reload: () => void;
}

/** Whether a navigation is one between pages of ours: everything else is left to the browser. */
export function isOurs(event: NavigateEvent): boolean {
  if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || event.formData) return false;
  // A link to the hash that the address has already changes none, and leads to a place on the page that is shown.
  if (event.navigationType === 'replace' && event.destination.sameDocument) return false;
  return event.navigationType !== 'reload' && isPagePath(new URL(event.destination.url).pathname);
}

/** Shown when the page cannot be asked for at all: the visitor is offline, or the site does not answer. */
const unreachable = (path: string, { lang, strings }: ShellContent): Page => ({
  path,
  status: 503,
  lang,
  title: strings.error.title,
  template: 'error',
  theme: 'dark',
  sections: [],
  outcome: null,
  search: null,
  meta: {
    title: `${strings.error.title} | ${strings.brand}`,
    description: strings.description,
    canonical: path,
    noindex: true,
    image: null,
    share: { title: strings.error.title, description: strings.description },
    trail: [],
    schema: [],
  },
});

/**
 * Turns navigations between our pages into a change of the page inside the shell (R1). The browser keeps what is its
 * own: history, modified clicks, downloads, other origins, scroll restoration on Back, and focus.
 * @returns `start()`, which returns its undo.
 */
export function createNavigation({ navigation, pages, prepare, show, shell, reload }: NavigationOptions) {
  const answerOf = async (url: URL, signal: AbortSignal) => {
    try {
      return await pages.load(url.pathname + url.search, signal);
    } catch (error) {
      if (signal.aborted || error instanceof NeedsDocument) throw error;
      const page = unreachable(url.pathname, shell());
      return { status: page.status, page };
    }
  };

  const go = async (url: URL, signal: AbortSignal): Promise<void> => {
    const answer = await answerOf(url, signal);
    if (signal.aborted) return;
    if ('location' in answer) {
      const target = new URL(answer.location, url);
      // A redirect hands the place on the page down (RFC 9110, 10.2.2).
      target.hash ||= url.hash;
      navigation.navigate(target.href, { history: 'replace' });
      return;
    }
    const template = await prepare(answer.page);
    if (!signal.aborted) await show(answer.page, template, signal);
  };

  const onNavigate = (event: Event) => {
    const navigate = event as NavigateEvent;
    if (!isOurs(navigate)) return;
    const url = new URL(navigate.destination.url);
    navigate.intercept({
      handler: () =>
        go(url, navigate.signal).catch((error: unknown) => {
          if (navigate.signal.aborted) return;
          // The address has changed already, so loading it anew is a reload: another build's page, or a chunk
          // that a deploy has taken away.
          reload();
          throw error;
        }),
    });
  };

  return {
    start() {
      navigation.addEventListener('navigate', onNavigate);
      return () => navigation.removeEventListener('navigate', onNavigate);
    },
  };
}
