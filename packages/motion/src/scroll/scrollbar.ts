import type { Scroll } from './scroll.ts';
import { pageTowards, scrollPerPixel, type Track, thumbAt, thumbLength } from './thumb.ts';

/** A press on the track pages again after this time, then this often, in milliseconds: as browsers do. */
const HOLD_AFTER_MS = 400;
const HOLD_EVERY_MS = 150;

/** Assistive technology is told of a new place this often, in milliseconds: in every frame it would never stop talking. */
const TELL_EVERY_MS = 300;

/** The shortest thumb, in root font sizes: 4rem. */
const SHORTEST_REM = 4;

/**
 * Brings the scrollbar to life (R11): its thumb shows where the page is and drags it, its track pages. Keys need nothing:
 * a browser scrolls the page for whatever has focus and does not scroll itself. Inert where the page is not longer than
 * the window.
 * @param bar The track; its only child is the thumb.
 * @param signal Ends it.
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
  // A scrollbar takes neither focus nor selection, and no click on it is one on the page: as the browser's own.
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

/** The page follows the pointer at once, wherever it goes, by as much as the thumb has to. */
function drag(from: number, track: Track): (event: PointerEvent) => void {
  const scrollBefore = scrollY;
  return ({ clientY }) =>
    scrollTo({ top: scrollBefore + (clientY - from) * scrollPerPixel(track), behavior: 'instant' });
}

/** Pages towards the pointer until the thumb is under it, from where the page is going to be rather than where it is. */
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
