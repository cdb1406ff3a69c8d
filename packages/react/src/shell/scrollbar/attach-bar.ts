import type { Engines } from '@pillion/motion/engines.ts';
import { POINTER, whileMatching } from '@pillion/motion/scroll/while-matching.ts';

/**
 * Delay before the bar is removed if its code cannot be loaded, in milliseconds. When a link is followed, Firefox
 * aborts pending fetches at once but keeps the page until the next document arrives. The layout must not move then,
 * because Back restores the position.
 */
const REMOVAL_DELAY_MS = 5_000;

/** Makes the scrollbar work (R11) once its code is loaded and the hero can play. */
export function attachBar(bar: HTMLElement, { stage, scroll }: Engines): void {
  // This signal never aborts, because the bar stays while pages change.
  whileMatching(POINTER, new AbortController().signal, (matching) => {
    import('@pillion/motion/scroll/scrollbar.ts').then(
      ({ attachScrollbar }) =>
        stage.whenPlaying(() => {
          if (!matching.aborted) attachScrollbar(bar, scroll, matching);
        }),
      // React never inserts anything before the bar, so it may be removed.
      () => setTimeout(() => bar.remove(), REMOVAL_DELAY_MS),
    );
  });
}
