import { afterPaint } from '../frame/after-paint.ts';
import type { Stage } from '../stage/stage.ts';
import { targetOf } from './hash-jumps.ts';

/**
 * A page begins at its top, after a reload too, and a hash leads to its target once the hero can play (R13). Coming back
 * by history is left to the browser, which restores the place.
 */
export function beginAtTop(stage: Stage): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isReload = entry?.type === 'reload';
  // Only a reload and a hash need us. Where the stage is open already, the visitor may have begun to scroll: leave her.
  if (!isReload && (entry?.type === 'back_forward' || stage.heroCanPlay() || !location.hash)) return;
  if (isReload) forgetPlace();
  // Reading `scrollY` makes the browser restore the old place now. Otherwise it would do so after our (0, 0).
  if (scrollY !== 0) scrollTo(0, 0);
  stage.whenPlaying(() => {
    // Firefox may not know `:target` yet, or may have been there meanwhile: the lock is for visitors only.
    const target = targetOf(location.href);
    if (target) keepAt(target);
  });
}

/** Keeps the browser from restoring the place it had before the reload, which it does until a frame after the load. */
function forgetPlace(): void {
  history.scrollRestoration = 'manual';
  // Once for all: Back to this page restores the place again.
  const undo = () => {
    history.scrollRestoration = 'auto';
  };
  if (document.readyState === 'complete') afterPaint(undo);
  else addEventListener('load', () => afterPaint(undo), { once: true });
  addEventListener('pagehide', undo, { once: true });
}

/** Puts `target` where a hash puts it, again whenever late content has moved it, until the visitor or anything else scrolls. */
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
