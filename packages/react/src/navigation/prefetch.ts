import { savesData } from '@pillion/lib/browser/visitor.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import { isPagePath } from './page-path.ts';

/** Distance from the viewport at which links are prefetched (R43). */
const MARGIN = '200px';

/** @returns The path of a link to another page of this site; `null` for other links. */
function pathOf(link: HTMLAnchorElement): string | null {
  const { origin, pathname, search } = link;
  if (origin !== location.origin || link.target === '_blank' || link.hasAttribute('download')) return null;
  // Search pages are `no-store`: a prefetched response would be fetched again.
  const isKept = !pathname.endsWith('/search') && isPagePath(pathname);
  return pathname !== location.pathname && isKept ? pathname + search : null;
}

/** Runs `work` when the page is painted and loaded and the browser is idle. */
function whenIdle(work: () => void): void {
  const idle = () => (globalThis.requestIdleCallback ?? setTimeout)(work);
  afterFirstPaint(() => {
    if (document.readyState === 'complete') idle();
    else addEventListener('load', idle, { once: true });
  });
}

/**
 * Prefetches the pages of all links under `root`, including links in rich text, before they come into view. No prefetch
 * for visitors who save data (Save-Data).
 * @returns A function that stops this. Start it again after the links have changed.
 */
export function watchLinks(root: Element, prefetch: (path: string) => void): () => void {
  if (savesData() || !('IntersectionObserver' in globalThis)) return () => {};
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const path = pathOf(target as HTMLAnchorElement);
        if (path) prefetch(path);
      }
    },
    { rootMargin: MARGIN },
  );
  let isOver = false;
  whenIdle(() => {
    if (isOver) return;
    for (const link of root.querySelectorAll('a[href]')) observer.observe(link);
  });
  return () => {
    isOver = true;
    observer.disconnect();
  };
}
