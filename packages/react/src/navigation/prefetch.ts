import { savesData } from '@pillion/lib/browser/visitor.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import { isPagePath } from './page-path.ts';

/** Distance from the viewport at which links are prefetched (R43). */
const PREFETCH_MARGIN = '200px';

/** Whether a link leads to another page of this site, in this tab. */
export const isPageLink = ({ origin, pathname, target, download }: HTMLAnchorElement): boolean =>
  origin === location.origin &&
  pathname !== location.pathname &&
  target !== '_blank' &&
  !download &&
  isPagePath(pathname);

/** @returns The path of a page to prefetch; `null` for other links. */
export function pathToPrefetch(link: HTMLAnchorElement): string | null {
  const { pathname, search } = link;
  // Search pages are `no-store`: a prefetched response would be fetched again.
  return isPageLink(link) && !pathname.endsWith('/search') ? pathname + search : null;
}

/** Runs `task` when the page is painted and loaded and the browser is idle. */
function whenIdle(task: () => void): void {
  const requestIdle = () => (globalThis.requestIdleCallback ?? setTimeout)(task);
  afterFirstPaint(() => {
    if (document.readyState === 'complete') requestIdle();
    else addEventListener('load', requestIdle, { once: true });
  });
}

/**
 * Prefetches the pages of all links under `root`, including links in rich text, before they come into view. No prefetch
 * for visitors who save data (Save-Data).
 * @returns A function that stops this. Start it again after the links have changed.
 */
export function prefetchLinksInView(root: Element, prefetch: (path: string) => void): () => void {
  if (savesData()) return () => {};
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const path = pathToPrefetch(target as HTMLAnchorElement);
        if (path) prefetch(path);
      }
    },
    { rootMargin: PREFETCH_MARGIN },
  );
  let isStopped = false;
  whenIdle(() => {
    if (isStopped) return;
    for (const link of root.querySelectorAll('a[href]')) observer.observe(link);
  });
  return () => {
    isStopped = true;
    observer.disconnect();
  };
}
