import { isCalm, onMotionChange } from '@pillion/lib/browser/visitor.ts';
import { afterFirstPaint } from '../frame/after-paint.ts';

/** Matches a visitor who scrolls with a wheel or a touchpad. */
export const WHEEL = '(any-pointer: fine)';

/** Matches a visitor who gets the scrollbar (R11, R41). */
export const POINTER = '(hover: hover) and (pointer: fine)';

/**
 * Calls `begin` while a media query matches: a setting may change under the page, a mouse may be plugged in. First asked
 * once the page has been painted.
 * @param begin Its signal aborts when the query no longer matches.
 * @param isMotion Whether what begins is motion: it then also ends where the page is to be still.
 */
export function whileMatching(
  query: string,
  signal: AbortSignal,
  begin: (signal: AbortSignal) => void,
  isMotion?: boolean,
): void {
  const media = matchMedia(query);
  let during: AbortController | null = null;
  const sync = () => {
    if (!media.matches || (isMotion && isCalm()) || signal.aborted) {
      during?.abort();
      during = null;
    } else if (!during) {
      during = new AbortController();
      begin(during.signal);
    }
  };
  media.addEventListener('change', sync, { signal });
  signal.addEventListener('abort', sync);
  signal.addEventListener('abort', onMotionChange(sync));
  afterFirstPaint(sync);
}
