import { afterFirstPaint } from '../frame/after-paint.ts';

/** Matches a visitor who scrolls with a wheel or a touchpad and did not ask for calm. */
export const WHEEL = '(any-pointer: fine) and (prefers-reduced-motion: no-preference)';

/** Matches a visitor who gets the scrollbar (R11, R41). */
export const POINTER = '(hover: hover) and (pointer: fine)';

/**
 * Calls `begin` while a media query matches: a setting may change under the page, a mouse may be plugged in. First asked
 * once the page has been painted.
 * @param begin Its signal aborts when the query no longer matches.
 */
export function whileMatching(query: string, signal: AbortSignal, begin: (signal: AbortSignal) => void): void {
  const media = matchMedia(query);
  let during: AbortController | null = null;
  const sync = () => {
    if (!media.matches || signal.aborted) {
      during?.abort();
      during = null;
    } else if (!during) {
      during = new AbortController();
      begin(during.signal);
    }
  };
  media.addEventListener('change', sync, { signal });
  signal.addEventListener('abort', sync);
  afterFirstPaint(sync);
}
