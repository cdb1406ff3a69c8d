/** The single owner of `heroCanPlay` (R40): everything that waits for the hero reads it here. */
export interface Stage {
  heroCanPlay(): boolean;
  /** @returns Ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Lets the hero play, once and for good. */
  open(): void;
}

/**
 * @param root Where the state is marked for styles and tests: `data-stage` is `waiting`, then `playing`.
 */
export function createStage(root: HTMLElement): Stage {
  let playing = false;
  const listeners = new Set<() => void>();
  return {
    heroCanPlay: () => playing,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open() {
      if (playing) return;
      playing = true;
      root.dataset.stage = 'playing';
      for (const listener of listeners) listener();
    },
  };
}
