import Lenis from 'lenis';
import type { FrameLoop, FrameWork } from '../frame/frame.ts';

/** Smooth scrolling, as the scroll engine uses it. */
export interface SmoothScroll {
  to(top: number): void;
  toElement(target: Element): void;
  settle(): void;
  stop(): void;
}

/**
 * Option of Lenis (R15): it covers 1 - e^-0.08 = 0.077 of the remaining distance per 60 Hz frame, at any frame rate.
 */
const LERP = 0.08;

/** Duration of a jump of any length, in seconds. */
const JUMP_DURATION_S = 1.2;

/** Number of corrections if the target moves during the jump. */
const MAX_CORRECTIONS = 2;

const easeInOut = (t: number) => (t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3);

/** With these keys the browser zooms, goes through history or scrolls sideways. */
const isModified = ({ ctrlKey, altKey, shiftKey }: WheelEvent | TouchEvent) => ctrlKey || altKey || shiftKey;

/** Whether the visitor has zoomed with two fingers. Lenis moves only the page, not the visible part of it. */
const isPinched = () => (visualViewport?.scale ?? 1) > 1.01;

/** Whether scrolling is locked (loader, dialog). Lenis then ignores the wheel. */
const isScrollLocked = () => /hidden|clip/.test(getComputedStyle(document.documentElement).overflowY);

const SCROLL_KEYS = /^(?: |Tab|Home|End|Page|Arrow)/;

/**
 * Gives Lenis wheel events only: its touch listeners are not passive, so every swipe would have to wait for our script.
 * No public option does this: `eventsTarget` gets wheel and touch listeners together, `virtualScroll`, `prevent` and
 * `syncTouch` act after the browser has waited, and a forwarded wheel event has no path in which Lenis could find
 * nested scrollers.
 */
const WHEEL_ONLY = {
  addEventListener: (type: string, listener: EventListener, options: AddEventListenerOptions) => {
    if (type === 'wheel') window.addEventListener(type, listener, options);
  },
  removeEventListener: window.removeEventListener.bind(window),
} as unknown as Window;

/** @param onMoved Called in each frame in which Lenis moves the page. */
export type StartLenis = (frame: FrameLoop, onMoved: () => void) => SmoothScroll;

/**
 * Makes wheel scrolling smooth. It requests frames only while it moves the page, and stops if something else moves it:
 * a key, a finger, focus, find-in-page, Back.
 */
export const startLenis: StartLenis = (frame, onMoved) => {
  const controller = new AbortController();
  /** The last position that Lenis set. If the page is elsewhere, something else has moved it. */
  let lastSet = 0;
  /** Position at the beginning of the current glide. */
  let glideFrom = 0;
  let isGliding = false;

  const lenis = new Lenis({
    lerp: LERP,
    eventsTarget: WHEEL_ONLY,
    allowNestedScroll: true,
    // Read the page's height when needed: the observers of Lenis react 250 ms late.
    autoResize: false,
    naiveDimensions: true,
    virtualScroll({ event }) {
      // The browser scrolls already if it ignores `preventDefault`: the page would move twice.
      if (!event.cancelable || event.defaultPrevented || isModified(event) || isPinched() || isScrollLocked())
        return false;
      startGlide();
      return true;
    },
  });
  const settle = () => {
    lenis.stop();
    lenis.start();
    lastSet = scrollY;
  };
  const wasMovedElsewhere = () => Math.abs(scrollY - lastSet) > 1;
  const advance: FrameWork = (time, delta) => {
    if (wasMovedElsewhere()) settle();
    // Lenis gets no frames while the page is at rest. Its first step must not cover that time.
    lenis.time = time - delta;
    lenis.raf(time);
    lastSet = scrollY;
    onMoved();
    // Read after the step: Lenis' timer for the end of native scrolling may have reset it between two frames.
    isGliding = lenis.isSmooth;
    // Lenis stops the native `scrollend` events of its steps, and dispatches its own on the window only. This one is for
    // listeners of the document. Lenis ignores it, because it is a `CustomEvent`.
    if (!isGliding && lastSet !== glideFrom) document.dispatchEvent(new CustomEvent('scrollend'));
    return isGliding;
  };
  /** Starts from the page's current position, not from the last one that Lenis set. */
  const startGlide = () => {
    if (!isGliding) glideFrom = scrollY;
    if (!isGliding || wasMovedElsewhere()) settle();
    isGliding = true;
    frame.play('scroll', advance);
  };

  const { signal } = controller;
  addEventListener('touchstart', settle, { signal, passive: true });
  addEventListener('keydown', ({ key }) => SCROLL_KEYS.test(key) && settle(), { signal, capture: true });

  return {
    to(top) {
      startGlide();
      lenis.scrollTo(top, { programmatic: false, lerp: LERP });
    },
    toElement(target) {
      const targetTop = () => target.getBoundingClientRect().top + scrollY;
      const glideToTarget = (corrections: number, duration: number) => {
        const topBefore = targetTop();
        startGlide();
        lenis.scrollTo(target as HTMLElement, {
          duration,
          easing: easeInOut,
          onComplete() {
            if (corrections && Math.abs(targetTop() - topBefore) > 1)
              glideToTarget(corrections - 1, JUMP_DURATION_S / 3);
          },
        });
      };
      glideToTarget(MAX_CORRECTIONS, JUMP_DURATION_S);
    },
    settle,
    stop() {
      controller.abort();
      frame.stop(advance);
      lenis.destroy();
    },
  };
};
