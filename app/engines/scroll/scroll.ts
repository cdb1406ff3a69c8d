import type { FrameLoop } from '../frame/frame.ts';
import type { Stage } from '../stage/stage.ts';

/** Where the page is scrolled to (R16). Replaced at every change, never changed in place. */
export interface ScrollState {
  /** CSS pixels from the top. */
  scroll: number;
  /** The furthest `scroll` can be, in CSS pixels. */
  limit: number;
  /** Share of the way, 0..1; 0 on a page that does not scroll. */
  progress: number;
  direction: -1 | 0 | 1;
  /** CSS pixels per 60 Hz frame; back to 0 after 400 ms without movement (R15). */
  velocity: number;
}

export interface Scroll {
  state(): ScrollState;
  /** Called in the frame in which the page has moved. @returns Ends the subscription. */
  subscribe(listener: () => void): () => void;
}

export function createScroll(_: { frame: FrameLoop; stage: Stage }): Scroll {
  const state: ScrollState = { scroll: 0, limit: 0, progress: 0, direction: 0, velocity: 0 };
  return { state: () => state, subscribe: () => () => {} };
}
