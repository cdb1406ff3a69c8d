import { isCalm, onMotionChange } from '@pillion/lib/browser/visitor.ts';
import { afterFirstPaint } from '../frame/after-paint.ts';

/** Matches devices with a wheel or a touchpad. */
export const WHEEL = '(any-pointer: fine)';

/** Matches devices that get the scrollbar (R11, R41). */
export const POINTER = '(hover: hover) and (pointer: fine)';

/**
 * Calls `begin` whenever a media query starts to match: a setting may change while the page is open, or a mouse may be
 * plugged in. The first check comes after the page's first paint.
 * @param begin Its signal aborts when the query no longer matches.
 * @param isMotion Whether `begin` starts motion: it then also ends when motion is reduced.
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
