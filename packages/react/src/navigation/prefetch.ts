import { savesData } from '@pillion/lib/browser/visitor.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import { isPagePath } from './page-path.ts';

/** Links are fetched this far before they come into view (R43). */
const MARGIN = '200px';

/** Path of a link to another page of ours, `null` for every other link. */
function pathOf(link: HTMLAnchorElement): string | null {
  const { origin, pathname, search } = link;
  if (origin !== location.origin || link.target === '_blank' || link.hasAttribute('download')) return null;
  // The search of every language is `no-store`: a prefetched answer would be fetched again.
  const isKept = !pathname.endsWith('/search') && isPagePath(pathname);
  return pathname !== location.pathname && isKept ? pathname + search : null;
}

/** Runs once the page is painted and loaded and the browser has nothing better to do. */
function whenIdle(work: () => void): void {
  const idle = () => (globalThis.requestIdleCallback ?? setTimeout)(work);
  afterFirstPaint(() => {
    if (document.readyState === 'complete') idle();
    else addEventListener('load', idle, { once: true });
  });
}

/**
 * Watches every link under `root`, the editor's own in rich text too, and asks for its page before it is seen.
 * Nothing is fetched for a visitor who asked to save data (Save-Data).
 * @returns Ends the watch. Start it anew when the links have changed.
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
