import { isCalm, onMotionChange, tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { hasSignedUp, joinOnSignUp } from '../sign-up-number/joined.ts';
import { MAX_LAMPS } from '../sign-up-number/steps.ts';
import { hourProgress } from './hour.ts';
import type { joiningAt } from './joining.ts';
import { openContext } from './probe.ts';
import { createRide, type Ride, TooSlow } from './ride.ts';

type SceneEngines = Pick<Engines, 'frame' | 'stage' | 'scroll'>;

/** The hero's animated scene, one per visit. */
export interface Scene {
  /** Resolves when its first frame is drawn or the poster is to stay. Rejects on an error. */
  ready: Promise<void>;
  /**
   * Shows the scene in `container` until the returned function is called. Afterwards it pauses and keeps its computed
   * data.
   */
  show(container: HTMLElement): () => void;
}

/** The shorter side of a phone's screen stays below this, in CSS pixels. */
const PHONE_PX = 600;

/** With forced colours no picture is shown. */
const forced = matchMedia('(forced-colors: active)');
const POINTER = '(hover: hover) and (pointer: fine)';

/** Visitors who ask for calm while the scene is shown get a still. */
const isStill = () => isCalm() || forced.matches;

/** Number of sign-ups from the server, or the maximum without one. */
const visibleLamps = () => Number(document.documentElement.dataset.signUps ?? MAX_LAMPS);

/**
 * Opens the scene on a machine whose GPU draws it (probe.ts).
 * @param force Draws on any GPU.
 * @returns null if the page gets no context. Then the poster stays.
 */
export function openScene(engines: SceneEngines, force: boolean): Scene | null {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  const isSmall = Math.min(innerWidth, innerHeight) < PHONE_PX;
  const gl = openContext(canvas, force, isSmall);
  return gl ? createScene(engines, canvas, { gl, isSmall, force }) : null;
}

function createScene(
  { frame, stage, scroll }: SceneEngines,
  canvas: HTMLCanvasElement,
  { gl, isSmall, force }: { gl: WebGL2RenderingContext; isSmall: boolean; force: boolean },
): Scene {
  /** `null` while the scene is not shown. */
  let revealers: Revealers | null = null;
  let ride = createCurrentRide();

  function createCurrentRide(): Ride {
    const visitor = { lamps: visibleLamps(), hasOwn: hasSignedUp() };
    const created = createRide(canvas, { gl, frame, isSmall, isPatient: force, ...visitor, onTooSlow: keepPoster });
    if (force) Object.assign(globalThis, { ride: created });
    return created;
  }
  /** Shows the poster permanently. */
  function keepPoster(): void {
    setCanvasShown(canvas, false);
    ride.dispose();
  }
  const showRide = async () => {
    await ride.ready;
    // A late scene must not begin in the dark over a visible poster.
    if (stage.heroCanPlay() || 'letIn' in document.documentElement.dataset || isStill()) ride.skipIntro();
    ride.setProgress(isStill() ? 0 : hourOfPage(scroll), true);
    ride.resize();
    setCanvasShown(canvas, true);
    updatePlayback();
  };
  const updatePlayback = () => {
    const isMoving = revealers?.areInView() && !isStill() && stage.heroCanPlay();
    if (isMoving && 'drawn' in canvas.dataset) ride.play();
    else ride.pause();
  };
  const scrollMeter = createScrollMeter(scroll);
  const followScroll = () => {
    ride.moved(scrollMeter.since());
    if (!isStill()) ride.setProgress(hourOfPage(scroll));
  };

  canvas.addEventListener('webglcontextlost', (event) => {
    // Without this the browser never restores the context.
    event.preventDefault();
    delete canvas.dataset.drawn;
    updatePlayback();
  });
  canvas.addEventListener('webglcontextrestored', () => {
    ride = createCurrentRide();
    showRide().catch(keepPoster);
  });

  const ready = showRide().catch((error: unknown) => {
    keepPoster();
    reportFailure(error);
  });

  return {
    ready,
    show(container) {
      const controller = new AbortController();
      container.append(canvas);
      // Its page has already looked for moving content.
      tellOfMotion();
      // The distance until now does not count.
      scrollMeter.since();
      followScroll();
      revealers = watchRevealers(container, updatePlayback);
      const updateStill = () => {
        // Otherwise the still would show a moment of the opening or of the joining sequence.
        if (isStill()) {
          ride.skipIntro();
          ride.settle();
          ride.setProgress(0, true);
        } else followScroll();
        updatePlayback();
        // The still must show the ride at rest.
        ride.resize();
      };
      const unsubscribers = [
        observeSize(container, () => ride.resize()),
        scroll.subscribe(followScroll),
        stage.whenPlaying(updatePlayback),
        onMotionChange(updateStill),
      ];
      followSignUp((joiningAt) => {
        ride.join(joiningAt);
        if (isStill()) ride.settle();
      }, controller.signal);
      followPointer((x, y) => ride.setPointer(x, y), controller.signal);

      return () => {
        ride.settle();
        controller.abort();
        revealers?.stop();
        revealers = null;
        for (const off of unsubscribers) off();
        updatePlayback();
        canvas.remove();
      };
    },
  };
}

/** A GPU that is too slow is no error: the poster stays. */
function reportFailure(error: unknown): void {
  if (error instanceof TooSlow) return;
  console.warn(error);
  throw error;
}

/** Shows the canvas instead of the poster, or the poster. */
function setCanvasShown(canvas: HTMLCanvasElement, isDrawn: boolean): void {
  for (const name of ['data-drawn', 'data-moves']) canvas.toggleAttribute(name, isDrawn);
  tellOfMotion();
}

/** @param onSize Also called at the beginning, before the next paint. */
function observeSize(element: HTMLElement, onSize: () => void): () => void {
  const observer = new ResizeObserver(onSize);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Progress by the section made for it, or else by the page. */
function hourOfPage(scroll: SceneEngines['scroll']): number {
  const passage = document.querySelector('[data-passage]');
  return passage ? hourProgress(passage.getBoundingClientRect(), innerHeight) : scroll.state().progress;
}

interface ScrollMeter {
  /** Window heights that the visitor has scrolled since the last call, in either direction. */
  since(): number;
}

function createScrollMeter(scroll: SceneEngines['scroll']): ScrollMeter {
  let last = scroll.state();
  let wasResized = false;
  return {
    since() {
      const now = scroll.state();
      // A resize of the window or page moves the scroll position without input, at once and in the next frame.
      const isResized = now.limit !== last.limit;
      const windows = isResized || wasResized ? 0 : (now.scroll - last.scroll) / innerHeight;
      wasResized = isResized;
      last = now;
      return windows;
    },
  };
}

interface Revealers {
  areInView(): boolean;
  stop(): void;
}

/** Watches the elements that reveal the canvas. @param onChange One of them came into view or left it. */
function watchRevealers(container: HTMLElement, onChange: () => void): Revealers {
  const inView = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    }
    onChange();
  });
  for (const element of [container.parentElement, ...document.querySelectorAll('[data-reveals-scene]')])
    if (element) observer.observe(element);
  return { areInView: () => inView.size > 0, stop: () => observer.disconnect() };
}

/** @param onPointer Called with the mouse's position, -1..1 to the right and down. */
function followPointer(onPointer: (x: number, y: number) => void, signal: AbortSignal): void {
  if (!matchMedia(POINTER).matches) return;
  const onMove = ({ clientX, clientY }: PointerEvent) =>
    onPointer((clientX / innerWidth) * 2 - 1, (clientY / innerHeight) * 2 - 1);
  addEventListener('pointermove', onMove, { signal, passive: true });
}

/** @param join Called after the sign-up, with the sequence that adds the visitor's light. */
function followSignUp(join: (at: typeof joiningAt) => void, signal: AbortSignal): void {
  joinOnSignUp(() => import('./joining.ts'), signal);
  addEventListener('pillion:join', (event) => join((event as CustomEvent<typeof joiningAt>).detail), { signal });
}
