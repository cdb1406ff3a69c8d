import type { Scroll } from './scroll.ts';
import { pageTowards, scrollPerPixel, type Track, thumbAt, thumbLength } from './thumb.ts';

/** Delay and interval of repeated paging while the track is pressed, in milliseconds, as in browsers. */
const HOLD_AFTER_MS = 400;
const HOLD_EVERY_MS = 150;

/** Interval of updates to assistive technology, in milliseconds. With one per frame it would never stop talking. */
const TELL_EVERY_MS = 300;

/** Minimum length of the thumb, in rem. */
const SHORTEST_REM = 4;

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
  let telling: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    telling = undefined;
    bar.ariaValueNow = String(Math.round(scroll.state().progress * 100));
  };
  const draw = () => {
    const state = scroll.state();
    if (track.limit !== state.limit || track.length !== innerHeight) {
      track.limit = state.limit;
      track.length = innerHeight;
      track.shortest = SHORTEST_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      thumb.style.height = `${thumbLength(track)}px`;
      bar.inert = state.limit === 0;
    }
    thumb.style.translate = `0 ${thumbAt(state.scroll, track)}px`;
    telling ??= setTimeout(tell, TELL_EVERY_MS);
  };

  const onPress = (event: PointerEvent) => {
    if (event.button !== 0) return;
    scroll.settle();
    bar.setPointerCapture(event.pointerId);
    const press = new AbortController();
    const follow =
      event.target === thumb ? drag(event.clientY, track) : hold(event.clientY, track, scroll, press.signal);
    bar.toggleAttribute('data-dragged', event.target === thumb);
    bar.addEventListener('pointermove', follow, { signal: press.signal });
    press.signal.addEventListener('abort', () => bar.removeAttribute('data-dragged'));
    bar.addEventListener('lostpointercapture', () => press.abort(), { signal: press.signal });
  };
  bar.addEventListener('pointerdown', onPress, { signal });
  // Like the native scrollbar, it takes no focus, starts no selection, and its clicks do not reach the page.
  bar.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
  bar.addEventListener('click', (event) => event.stopPropagation(), { signal });
  const unsubscribe = scroll.subscribe(draw);
  draw();
  signal.addEventListener('abort', () => {
    unsubscribe();
    clearTimeout(telling);
    bar.inert = true;
  });
}

/** Scrolls the page without delay, so that the thumb stays under the pointer. */
function drag(from: number, track: Track): (event: PointerEvent) => void {
  const scrollBefore = scrollY;
  return ({ clientY }) =>
    scrollTo({ top: scrollBefore + (clientY - from) * scrollPerPixel(track), behavior: 'instant' });
}

/** Pages towards the pointer until the thumb is under it. Counts from the page's target, not its current position. */
function hold(pointer: number, track: Track, scroll: Scroll, signal: AbortSignal): (event: PointerEvent) => void {
  let at = pointer;
  let aim = scrollY;
  const step = () => {
    const next = pageTowards(at, aim, track);
    if (next === null) return;
    aim = next;
    scroll.to(next);
  };
  step();
  let timer = setTimeout(() => {
    step();
    timer = setInterval(step, HOLD_EVERY_MS);
  }, HOLD_AFTER_MS);
  // Both kinds of timer share one list of ids (WHATWG HTML §8.6).
  signal.addEventListener('abort', () => clearTimeout(timer));
  return ({ clientY }) => {
    at = clientY;
  };
}
