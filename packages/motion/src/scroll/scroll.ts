import { createEmitter } from '@pillion/lib/browser/emitter.ts';
import type { FrameLoop, FrameWork } from '../frame/frame.ts';
import type { Stage } from '../stage/stage.ts';
import { setInitialScroll } from './first-place.ts';
import { scrollToHashes } from './hash-jumps.ts';
import type { SmoothScroll, StartLenis } from './lenis.ts';
import { replaceJump, scrollBehavior } from './scroll-to.ts';
import { WHEEL, whileMatching } from './while-matching.ts';

/** The scroll position (R16). Immutable: each change creates a new object. */
interface ScrollState {
  /** CSS pixels from the top. */
  scroll: number;
  /** Maximum of `scroll`, in CSS pixels. */
  limit: number;
  /** `scroll` as a share of `limit`, 0..1; 0 on a page that does not scroll. */
  progress: number;
  /** Direction of the last movement: 1 down, -1 up, 0 before the first. */
  direction: number;
  /** CSS pixels per 60 Hz frame; 0 after 400 ms without movement (R15). */
  velocity: number;
}

export interface Scroll {
  state(): ScrollState;
  /** The listener runs at most once a frame, after a movement or resize. @returns A function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Scrolls to `top` in CSS pixels, as smoothly as the wheel does; at once if motion is reduced. */
  to(top: number): void;
  /** Stops smooth scrolling at the current position. */
  settle(): void;
  /** Called once, when the page is live. @returns A function that stops the engine. */
  start(): () => void;
}

/** Time without movement after which the velocity is 0, in milliseconds (R15). */
const REST_DELAY_MS = 400;

interface ScrollOptions {
  frame: FrameLoop;
  stage: Stage;
  /** Fetches the code for smooth scrolling. Rejects if the fetch fails. */
  loadLenis: () => Promise<{ startLenis: StartLenis }>;
}

const FRAME_60HZ_MS = 1000 / 60;

/**
 * Keeps the scroll state of the page. It is read from the browser, so it is right for every input: wheel, finger, key,
 * find-in-page, a screen reader. For visitors with a wheel and without reduced motion, a separate chunk makes the wheel
 * smooth once the hero can play (R14); without it the page scrolls natively. The chunk is fetched once a pointer is
 * over the page or a key is pressed: before that no visitor can use it.
 */
export function createScroll({ frame, stage, loadLenis }: ScrollOptions): Scroll {
  const { subscribe, emit } = createEmitter();
  let state: ScrollState = { scroll: 0, limit: 0, progress: 0, direction: 0, velocity: 0 };
  let limit = 0;
  let mustUpdate = false;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let smooth: SmoothScroll | null = null;

  const updateState: FrameWork = (_, delta) => {
    const scroll = scrollY;
    const distance = scroll - state.scroll;
    if (!distance && !mustUpdate) return false;
    mustUpdate = false;
    state = {
      scroll,
      limit,
      progress: limit && Math.min(Math.max(scroll / limit, 0), 1),
      direction: Math.sign(distance) || state.direction,
      velocity: distance ? (distance * FRAME_60HZ_MS) / delta : state.velocity,
    };
    if (distance) {
      clearTimeout(restTimer);
      restTimer = setTimeout(onRest, REST_DELAY_MS);
    }
    emit();
    return false;
  };
  const scheduleUpdate = () => frame.play('follow', updateState);
  const forceUpdate = () => {
    mustUpdate = true;
    scheduleUpdate();
  };
  const onRest = () => {
    state = { ...state, velocity: 0 };
    forceUpdate();
  };
  const measurePage = () => {
    limit = Math.max(document.documentElement.scrollHeight - innerHeight, 0);
    forceUpdate();
  };

  const settle = () => smooth?.settle();

  /** Makes scrolling smooth from when the hero can play until `signal` aborts. */
  const enableSmoothScroll = async (signal: AbortSignal) => {
    if (signal.aborted) return;
    const { startLenis } = await loadLenis();
    stage.whenPlaying(() => {
      if (signal.aborted) return;
      const lenis = startLenis(frame, scheduleUpdate);
      const restoreJump = replaceJump(lenis.toElement);
      smooth = lenis;
      signal.addEventListener('abort', () => {
        restoreJump();
        lenis.stop();
        smooth = null;
      });
    });
  };

  return {
    state: () => state,
    subscribe,
    to(top) {
      if (smooth) smooth.to(top);
      else scrollTo({ top, behavior: scrollBehavior() });
    },
    settle,
    start() {
      const controller = new AbortController();
      const { signal } = controller;
      setInitialScroll(stage);
      addEventListener('scroll', scheduleUpdate, { passive: true, signal });
      addEventListener('resize', measurePage, { signal });
      const observer = new ResizeObserver(measurePage);
      observer.observe(document.body);
      scrollToHashes(settle, signal);
      const firstInput = firstPointerOrKey(signal);
      whileMatching(
        WHEEL,
        signal,
        (matching) => void firstInput.then(() => enableSmoothScroll(matching)).catch(() => {}),
        /* isMotion */ true,
      );
      return () => {
        controller.abort();
        observer.disconnect();
        clearTimeout(restTimer);
      };
    },
  };
}

/** Resolves once a pointer is over the page, or a key is pressed. */
function firstPointerOrKey(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // The pointer may already be over the page, and not move.
    if (document.documentElement.matches(':hover')) resolve();
    for (const type of ['pointerover', 'wheel', 'keydown'])
      addEventListener(type, () => resolve(), { once: true, passive: true, signal });
  });
}
