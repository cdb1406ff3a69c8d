import { afterPaint } from '../frame/after-paint.ts';
import type { Stage } from '../stage/stage.ts';
import { hashTarget } from './hash-jumps.ts';

/**
 * Starts a page at its top, also after a reload. If the URL has a hash, the page scrolls to its target once the hero
 * can play (R13). On Back and Forward the browser restores the position.
 */
export function setInitialScroll(stage: Stage): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type === 'reload') preventScrollRestoration();
  // Only a reload or a hash needs work. If the stage is open, the visitor may already be scrolling: do not interrupt
  // them.
  else if (entry?.type === 'back_forward' || stage.heroCanPlay() || !location.hash) return;
  // Reading `scrollY` makes the browser restore the old position now. Otherwise it would do so after our `scrollTo`.
  if (scrollY !== 0) scrollTo(0, 0);
  stage.whenPlaying(() => {
    // Scroll even if the browser has: Firefox may not match `:target` yet, or may have scrolled while the page was
    // locked.
    const target = hashTarget(location.href);
    if (target) keepInView(target);
  });
}

/**
 * Prevents the browser from restoring the position from before the reload, which it does until a frame after the load.
 */
function preventScrollRestoration(): void {
  history.scrollRestoration = 'manual';
  // Only for this load: Back to this page restores the position again.
  const restore = () => {
    history.scrollRestoration = 'auto';
  };
  if (document.readyState === 'complete') afterPaint(restore);
  else addEventListener('load', () => afterPaint(restore), { once: true });
  addEventListener('pagehide', restore, { once: true });
}

/** Scrolls to `target`, and again when late content moves it, until the visitor or anything else scrolls. */
function keepInView(target: Element): void {
  const controller = new AbortController();
  const { signal } = controller;
  let lastScroll = scrollY;
  const observer = new ResizeObserver(() => {
    if (scrollY !== lastScroll) return controller.abort();
    target.scrollIntoView();
    lastScroll = scrollY;
  });
  observer.observe(document.body);
  signal.addEventListener('abort', () => observer.disconnect());
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, () => controller.abort(), { signal, passive: true });
}
