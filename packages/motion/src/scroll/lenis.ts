import Lenis from 'lenis';
import type { FrameLoop, FrameWork } from '../frame/frame.ts';

/** What the scroll engine asks of the code that makes scrolling smooth. */
export interface SmoothScroll {
  to(top: number): void;
  toElement(target: Element): void;
  settle(): void;
  stop(): void;
}

/** The library's option (R15): its damping covers 1 - e^-0.08 = 0.077 of the way left per 60 Hz frame, at any frame rate. */
const LERP = 0.08;

/** A jump takes this long whatever its length, in seconds. */
const JUMP_S = 1.2;

/** A target that has moved meanwhile is followed this often. */
const FOLLOW_UPS = 2;

const easeInOut = (share: number) => (share < 0.5 ? 4 * share ** 3 : 1 - 4 * (1 - share) ** 3);

/** With these the browser does something of its own: zoom, history, sideways. */
const isModified = ({ ctrlKey, altKey, shiftKey }: WheelEvent | TouchEvent) => ctrlKey || altKey || shiftKey;

/** Whether scrolling is locked (loader, dialog). The wheel is then the browser's. */
const isHeld = () => /hidden|clip/.test(getComputedStyle(document.documentElement).overflowY);

const MOVES_PAGE = /^(?: |Tab|Home|End|Page|Arrow)/;

/**
 * Lenis hears the wheel only: its touch listeners are not passive, so every swipe would have to wait for our script. No
 * public option does this: `eventsTarget` gets the wheel and touch listeners together, `virtualScroll`, `prevent` and
 * `syncTouch` act after the browser has waited, and wheel events forwarded to another element lose the path in which
 * Lenis looks for nested scrollers.
 */
const WHEEL_ONLY = {
  addEventListener: (type: string, listener: EventListener, options: AddEventListenerOptions) => {
    if (type === 'wheel') window.addEventListener(type, listener, options);
  },
  removeEventListener: window.removeEventListener.bind(window),
} as unknown as Window;

/**
 * @param onMoved Called in the frame in which it has moved the page.
 */
export type StartLenis = (frame: FrameLoop, onMoved: () => void) => SmoothScroll;

/**
 * Makes the wheel smooth. Asks for frames only while it moves the page, and gives way to whatever else does: a key, a
 * finger, focus, find-in-page, Back.
 */
export const startLenis: StartLenis = (frame, onMoved) => {
  const watch = new AbortController();
  /** Where it has last put the page: anywhere else, and something else has moved it. */
  let place = 0;
  let from = 0;
  let isGliding = false;

  const lenis = new Lenis({
    lerp: LERP,
    eventsTarget: WHEEL_ONLY,
    allowNestedScroll: true,
    // Reads the page's height when it is needed: its own observers are a quarter of a second late.
    autoResize: false,
    naiveDimensions: true,
    virtualScroll({ event }) {
      if (event.defaultPrevented || isModified(event) || isHeld()) return false;
      begin();
      return true;
    },
  });
  const settle = () => {
    lenis.stop();
    lenis.start();
    place = scrollY;
  };
  const hasBeenMoved = () => Math.abs(scrollY - place) > 1;
  const advance: FrameWork = (time, delta) => {
    if (hasBeenMoved()) settle();
    // Its own clock has stood still while the page was at rest.
    lenis.time = time - delta;
    lenis.raf(time);
    place = scrollY;
    onMoved();
    // Read after the step: before it, a timer that Lenis kept from native scrolling may still say that it rests.
    isGliding = lenis.isSmooth;
    // Each step of Lenis causes a `scrollend` of the browser's, which Lenis stops. It reports the real end to listeners
    // of the window only. This event tells those of the document; Lenis lets events pass that a script has made.
    if (!isGliding && place !== from) document.dispatchEvent(new CustomEvent('scrollend'));
    return isGliding;
  };
  /** From here on the page is moved from where it is, not from where lenis has left it. */
  const begin = () => {
    if (!isGliding) from = scrollY;
    if (!isGliding || hasBeenMoved()) settle();
    isGliding = true;
    frame.play('scroll', advance);
  };

  const { signal } = watch;
  addEventListener('touchstart', settle, { signal, passive: true });
  addEventListener('keydown', ({ key }) => MOVES_PAGE.test(key) && settle(), { signal, capture: true });

  return {
    to(top) {
      begin();
      lenis.scrollTo(top, { programmatic: false, lerp: LERP });
    },
    toElement(target) {
      const place = () => target.getBoundingClientRect().top + scrollY;
      const go = (followUps: number, duration: number) => {
        const before = place();
        begin();
        lenis.scrollTo(target as HTMLElement, {
          duration,
          easing: easeInOut,
          onComplete() {
            if (followUps && Math.abs(place() - before) > 1) go(followUps - 1, JUMP_S / 3);
          },
        });
      };
      go(FOLLOW_UPS, JUMP_S);
    },
    settle,
    stop() {
      watch.abort();
      frame.stop(advance);
      lenis.destroy();
    },
  };
};
