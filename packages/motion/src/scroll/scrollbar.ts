import type { Scroll } from './scroll.ts';
import { nextPageScroll, scrollPerPixel, type Track, thumbLength, thumbOffset } from './thumb.ts';

/** Delay and interval of repeated paging while the track is pressed, in milliseconds, as in browsers. */
const PAGE_DELAY_MS = 400;
const PAGE_INTERVAL_MS = 150;

/** Interval of updates to assistive technology, in milliseconds. With one per frame it would never stop talking. */
const ARIA_INTERVAL_MS = 300;

/** Minimum length of the thumb, in rem. */
const MIN_THUMB_REM = 4;

/**
 * Makes the scrollbar work (R11): the thumb shows the position and can be dragged, a press on the track pages. Keys
 * need no code: the browser scrolls the page for any focused element that does not scroll. The bar is inert if the page
 * fits the window.
 * @param bar The track; its only child is the thumb.
 * @param signal Detaches the scrollbar.
 */
export function attachScrollbar(bar: HTMLElement, scroll: Scroll, signal: AbortSignal): void {
  const thumb = bar.firstElementChild as HTMLElement;
  const track: Track = { length: 0, limit: -1, shortest: 0 };
  let ariaTimer: ReturnType<typeof setTimeout> | undefined;

  const updateAria = () => {
    ariaTimer = undefined;
    bar.ariaValueNow = String(Math.round(scroll.state().progress * 100));
  };
  const updateThumb = () => {
    const state = scroll.state();
    if (track.limit !== state.limit || track.length !== innerHeight) {
      track.limit = state.limit;
      track.length = innerHeight;
      track.shortest = MIN_THUMB_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      thumb.style.height = `${thumbLength(track)}px`;
      bar.inert = state.limit === 0;
    }
    thumb.style.translate = `0 ${thumbOffset(state.scroll, track)}px`;
    ariaTimer ??= setTimeout(updateAria, ARIA_INTERVAL_MS);
  };

  const onPress = (event: PointerEvent) => {
    if (event.button !== 0) return;
    scroll.settle();
    bar.setPointerCapture(event.pointerId);
    const press = new AbortController();
    const onMove =
      event.target === thumb
        ? dragThumb(event.clientY, track)
        : pageTowardsPointer(event.clientY, track, scroll, press.signal);
    bar.toggleAttribute('data-dragged', event.target === thumb);
    bar.addEventListener('pointermove', onMove, { signal: press.signal });
    press.signal.addEventListener('abort', () => bar.removeAttribute('data-dragged'));
    bar.addEventListener('lostpointercapture', () => press.abort(), { signal: press.signal });
  };
  bar.addEventListener('pointerdown', onPress, { signal });
  // Like the native scrollbar, it takes no focus, starts no selection, and its clicks do not reach the page.
  bar.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
  bar.addEventListener('click', (event) => event.stopPropagation(), { signal });
  const unsubscribe = scroll.subscribe(updateThumb);
  updateThumb();
  signal.addEventListener('abort', () => {
    unsubscribe();
    clearTimeout(ariaTimer);
    bar.inert = true;
  });
}

/** Scrolls the page without delay, so that the thumb stays under the pointer. */
function dragThumb(startY: number, track: Track): (event: PointerEvent) => void {
  const scrollBefore = scrollY;
  return ({ clientY }) =>
    scrollTo({ top: scrollBefore + (clientY - startY) * scrollPerPixel(track), behavior: 'instant' });
}

/** Pages towards the pointer until the thumb is under it. Counts from the page's target, not its current position. */
function pageTowardsPointer(
  startY: number,
  track: Track,
  scroll: Scroll,
  signal: AbortSignal,
): (event: PointerEvent) => void {
  let pointerY = startY;
  let targetScroll = scrollY;
  const scrollOnePage = () => {
    const next = nextPageScroll(pointerY, targetScroll, track);
    if (next === null) return;
    targetScroll = next;
    scroll.to(next);
  };
  scrollOnePage();
  let timer = setTimeout(() => {
    scrollOnePage();
    timer = setInterval(scrollOnePage, PAGE_INTERVAL_MS);
  }, PAGE_DELAY_MS);
  // Both kinds of timer share one list of ids (WHATWG HTML §8.6).
  signal.addEventListener('abort', () => clearTimeout(timer));
  return ({ clientY }) => {
    pointerY = clientY;
  };
}
