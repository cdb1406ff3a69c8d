import type { Page, ShellContent } from '../../shared/content.ts';
import { ownPage } from '../../shared/own-page.ts';
import type { NavigateEvent, Navigation } from '../lib/navigation-api.ts';
import { NeedsDocument, type PageLoader } from './page-loader.ts';
import { isPagePath } from './page-path.ts';

/** @typeParam Code What a page needs to be drawn: its template, for one. */
interface NavigationOptions<Code> {
  navigation: Navigation;
  pages: PageLoader;
  /** Fetches all the code a page needs to be shown whole. */
  prepare: (page: Page) => Promise<Code>;
  /** Puts a page on screen; scroll and focus are restored once it has. Shows nothing once `signal` has aborted. */
  show: (page: Page, code: Code, signal: AbortSignal) => Promise<void>;
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

/**
 * Turns navigations between our pages into a change of the page inside the shell (R1). The browser keeps what is its
 * own: history, modified clicks, downloads, other origins, scroll restoration on Back, and focus.
 * @returns `start()`, which returns its undo.
 */
export function createNavigation<Code>(options: NavigationOptions<Code>) {
  const { navigation, pages, prepare, show, shell, reload } = options;
  const answerOf = (url: URL, signal: AbortSignal) =>
    pages.load(url.pathname + url.search, signal).catch((error: unknown) => {
      if (signal.aborted || error instanceof NeedsDocument) throw error;
      // The page cannot be asked for at all: the visitor is offline, or the site does not answer.
      const { title } = shell().strings.error;
      return { page: ownPage(url.pathname, shell(), { status: 503, title, template: 'error' }) };
    });

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
    const code = await prepare(answer.page);
    if (!signal.aborted) await show(answer.page, code, signal);
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
