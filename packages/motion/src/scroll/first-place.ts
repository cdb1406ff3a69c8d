import { afterPaint } from '../frame/after-paint.ts';
import type { Stage } from '../stage/stage.ts';
import { targetOf } from './hash-jumps.ts';

/**
 * Starts a page at its top, also after a reload. If the URL has a hash, the page scrolls to its target once the hero
 * can play (R13). On Back and Forward the browser restores the position.
 */
export function beginAtTop(stage: Stage): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type === 'reload') forgetPlace();
  // Only a reload or a hash needs work. If the stage is open, the visitor may already be scrolling: do not interrupt
  // them.
  else if (entry?.type === 'back_forward' || stage.heroCanPlay() || !location.hash) return;
  // Reading `scrollY` makes the browser restore the old position now. Otherwise it would do so after our `scrollTo`.
  if (scrollY !== 0) scrollTo(0, 0);
  stage.whenPlaying(() => {
    // Scroll even if the browser has: Firefox may not match `:target` yet, or may have scrolled while the page was
    // locked.
    const target = targetOf(location.href);
    if (target) keepAt(target);
  });
}

/**
 * Prevents the browser from restoring the position from before the reload, which it does until a frame after the load.
 */
function forgetPlace(): void {
  history.scrollRestoration = 'manual';
  // Only for this load: Back to this page restores the position again.
  const undo = () => {
    history.scrollRestoration = 'auto';
  };
  if (document.readyState === 'complete') afterPaint(undo);
  else addEventListener('load', () => afterPaint(undo), { once: true });
  addEventListener('pagehide', undo, { once: true });
}

/** Scrolls to `target`, and again when late content moves it, until the visitor or anything else scrolls. */
function keepAt(target: Element): void {
  const watch = new AbortController();
  const { signal } = watch;
  let place = scrollY;
  const observer = new ResizeObserver(() => {
    if (scrollY !== place) return watch.abort();
    target.scrollIntoView();
    place = scrollY;
  });
  observer.observe(document.body);
  signal.addEventListener('abort', () => observer.disconnect());
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(act, () => watch.abort(), { signal, passive: true });
}
