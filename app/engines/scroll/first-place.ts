import type { Stage } from '../stage/stage.ts';

/**
 * A page begins at its top, after a reload too, and a hash leads to its target once the hero can play (R13). Coming back
 * by history is left to the browser, which restores the place.
 */
export function beginAtTop(stage: Stage): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isReload = entry?.type === 'reload';
  // Where nothing has to be waited for, a reader may be on the way already.
  if (!isReload && (entry?.type === 'back_forward' || stage.heroCanPlay())) return;
  if (isReload) forgetPlace();
  scrollTo(0, 0);
  stage.whenPlaying(() => {
    const target = document.querySelector(':target');
    if (target && scrollY === 0) keepAt(target);
  });
}

/** Keeps the browser from restoring the place it had before the reload, which it tries until the page has loaded. */
function forgetPlace(): void {
  if (document.readyState === 'complete') return;
  history.scrollRestoration = 'manual';
  // Once for all: Back to this page restores the place again.
  const undo = () => {
    history.scrollRestoration = 'auto';
  };
  addEventListener('load', () => setTimeout(undo), { once: true });
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
