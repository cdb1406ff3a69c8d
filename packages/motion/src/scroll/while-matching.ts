import { isCalm, onMotionChange } from '@pillion/lib/browser/visitor.ts';
import { afterFirstPaint } from '../frame/after-paint.ts';

/** Matches devices with a wheel or a touchpad. */
export const WHEEL = '(any-pointer: fine)';

/** Matches devices that get the scrollbar (R11, R41). */
export const POINTER = '(hover: hover) and (pointer: fine)';

/**
 * Calls `start` whenever a media query starts to match: a setting may change while the page is open, or a mouse may be
 * plugged in. The first check comes after the page's first paint.
 * @param start Its signal aborts when the query no longer matches.
 * @param isMotion Whether `start` starts motion: it then also ends when motion is reduced.
 */
export function whileMatching(
  query: string,
  signal: AbortSignal,
  start: (signal: AbortSignal) => void,
  isMotion?: boolean,
): void {
  const media = matchMedia(query);
  let matching: AbortController | null = null;
  const sync = () => {
    if (!media.matches || (isMotion && isCalm()) || signal.aborted) {
      matching?.abort();
      matching = null;
    } else if (!matching) {
      matching = new AbortController();
      start(matching.signal);
    }
  };
  media.addEventListener('change', sync, { signal });
  signal.addEventListener('abort', sync);
  signal.addEventListener('abort', onMotionChange(sync));
  afterFirstPaint(sync);
}
