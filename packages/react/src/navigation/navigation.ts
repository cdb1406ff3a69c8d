import { ownPage } from '@pillion/content/own-page.ts';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import type { HistoryEntry, NavigateEvent, Navigation } from '@pillion/lib/browser/navigation-api.ts';
import { NeedsDocument, type PageLoader } from './page-loader.ts';
import { isPagePath } from './page-path.ts';

/** How the visitor moves from one page to another. */
export interface Way {
  /** Whether she goes back in her history. */
  isBack: boolean;
  /** The page that she leaves, and the one that she comes to. */
  from: HistoryEntry | null;
  to: () => HistoryEntry | null;
  /** What she pressed, where the browser says it. */
  link: Element | null;
  /** Goes to the place on the new page: its top, a hash, or where she was when she left it. */
  scroll: () => void;
}

/** @typeParam Code What a page needs to be drawn: its template, for one. */
interface NavigationOptions<Code> {
  navigation: Navigation;
  pages: PageLoader;
  /** Fetches all the code a page needs to be shown whole. */
  prepare: (page: Page) => Promise<Code>;
  /**
   * Puts a page on screen; focus is restored once it has, and the place on the page, where `way.scroll` was not called.
   * Shows nothing once `signal` has aborted.
   */
  show: (page: Page, code: Code, signal: AbortSignal, way: Way) => Promise<void>;
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

  const go = async (url: URL, signal: AbortSignal, way: Way): Promise<void> => {
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
    if (!signal.aborted) await show(answer.page, code, signal, way);
  };

  const onNavigate = (event: Event) => {
    const navigate = event as NavigateEvent;
    if (!isOurs(navigate)) return;
    const { destination, navigationType, sourceElement, signal } = navigate;
    const { currentEntry } = navigation;
    const url = new URL(destination.url);
    // Asked now: once it is intercepted the address and the entry are the new page's.
    const way: Way = {
      isBack: navigationType === 'traverse' && destination.index < (currentEntry?.index ?? 0),
      from: currentEntry,
      to: () => navigation.currentEntry,
      link: sourceElement ?? null,
      scroll: () => navigate.scroll(),
    };
    navigate.intercept({
      handler: () =>
        go(url, signal, way).catch((error: unknown) => {
          if (signal.aborted) return;
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
