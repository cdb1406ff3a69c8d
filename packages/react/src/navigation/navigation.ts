import { createGeneratedPage } from '@pillion/content/own-page.ts';
import type { Page, ShellContent } from '@pillion/content/types.ts';
import type { HistoryEntry, NavigateEvent, Navigation } from '@pillion/lib/browser/navigation-api.ts';
import { NeedsDocument, type PageLoader } from './page-loader.ts';
import { isPagePath } from './page-path.ts';

/** One navigation between two pages. */
export interface PageChange {
  /** Whether the visitor goes back in the history. */
  isBack: boolean;
  /** History entry of the page they leave. */
  from: HistoryEntry | null;
  /** History entry of the page they go to; only after the URL has changed. */
  to: () => HistoryEntry | null;
  /** The clicked element, if the browser reports it. */
  link: Element | null;
  /** Scrolls the new page to its top, to a hash, or to the position that the visitor left. */
  scroll: () => void;
}

/** @typeParam Code What a page needs to render, such as its template. */
interface NavigationOptions<Code> {
  navigation: Navigation;
  pages: PageLoader;
  /** Whether the page changes in the document. Otherwise the browser loads it. */
  isHandled: (event: NavigateEvent) => boolean;
  /** Fetches all code that the page needs. */
  prepare: (page: Page) => Promise<Code>;
  /**
   * Shows a page. Afterwards focus is reset, and the scroll position too unless `pageChange.scroll` was called. Shows nothing
   * if `signal` has aborted.
   */
  show: (page: Page, code: Code, signal: AbortSignal, pageChange: PageChange) => Promise<void>;
  shell: () => ShellContent;
}

/** Whether a navigation is between two pages of this site. The browser handles all others. */
export function isPageNavigation(event: NavigateEvent): boolean {
  if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || event.formData) return false;
  // A link to the current hash: `hashChange` is false, but the target is on this page.
  if (event.navigationType === 'replace' && event.destination.sameDocument) return false;
  return event.navigationType !== 'reload' && isPagePath(new URL(event.destination.url).pathname);
}

/**
 * Handles navigations between pages of this site: the page changes inside the shell (R1). The browser handles history,
 * modified clicks, downloads, other origins, scroll restoration on Back, and focus.
 */
export function startNavigation<Code>(options: NavigationOptions<Code>): void {
  const { navigation, pages, isHandled, prepare, show, shell } = options;
  /** Loads a page; the error page if the site cannot be reached. */
  const loadPage = (url: URL, signal: AbortSignal) =>
    pages.load(url.pathname + url.search, signal).catch((error: unknown) => {
      if (signal.aborted || error instanceof NeedsDocument) throw error;
      // The request failed: the visitor is offline, or the site does not respond.
      const { title } = shell().strings.error;
      return { page: createGeneratedPage(url.pathname, shell(), { status: 503, title, template: 'error' }) };
    });

  /** Loads and shows a page, or follows its redirect. */
  const changePage = async (url: URL, signal: AbortSignal, pageChange: PageChange): Promise<void> => {
    const response = await loadPage(url, signal);
    if (signal.aborted) return;
    if ('location' in response) {
      const target = new URL(response.location, url);
      // A redirect inherits the hash (RFC 9110, 10.2.2).
      target.hash ||= url.hash;
      navigation.navigate(target.href, { history: 'replace' });
      return;
    }
    const code = await prepare(response.page);
    if (!signal.aborted) await show(response.page, code, signal, pageChange);
  };

  navigation.addEventListener('navigate', (event) => {
    const navigate = event as NavigateEvent;
    if (!isPageNavigation(navigate) || !isHandled(navigate)) return;
    const { destination, navigationType, sourceElement, signal } = navigate;
    const { currentEntry } = navigation;
    const url = new URL(destination.url);
    // Read these now: after the interception, URL and entry are those of the new page.
    const pageChange: PageChange = {
      isBack: navigationType === 'traverse' && destination.index < (currentEntry?.index ?? 0),
      from: currentEntry,
      to: () => navigation.currentEntry,
      link: sourceElement ?? null,
      scroll: () => navigate.scroll(),
    };
    navigate.intercept({
      handler: () =>
        changePage(url, signal, pageChange).catch((error: unknown) => {
          if (signal.aborted) return;
          // The new page is from another build, or a deploy has removed a chunk. The URL has changed already, so a
          // reload loads the new page.
          location.reload();
          throw error;
        }),
    });
  });
}
