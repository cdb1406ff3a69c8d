import { isCalm, onMotionChange, tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { isAmongRiders, joinOnSignUp } from '../sign-up-number/joined.ts';
import { MOST_LAMPS } from '../sign-up-number/steps.ts';
import { hourAt } from './hour.ts';
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
const lampsShown = () => Number(document.documentElement.dataset.signUps ?? MOST_LAMPS);

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
  let ride = start();

  function start(): Ride {
    const visitor = { lamps: lampsShown(), hasOwn: isAmongRiders() };
    const made = createRide(canvas, { gl, frame, isSmall, isPatient: force, ...visitor, onTooSlow: retire });
    if (force) Object.assign(globalThis, { ride: made });
    return made;
  }
  /** Shows the poster permanently. */
  function retire(): void {
    reveal(canvas, false);
    ride.dispose();
  }
  const appear = async () => {
    await ride.ready;
    // A late scene must not begin in the dark over a visible poster.
    if (stage.heroCanPlay() || 'letIn' in document.documentElement.dataset || isStill()) ride.skipIntro();
    ride.setProgress(isStill() ? 0 : hourOf(scroll), true);
    ride.resize();
    reveal(canvas, true);
    update();
  };
  const update = () => {
    const isMoving = revealers?.areInView() && !isStill() && stage.heroCanPlay();
    if (isMoving && 'drawn' in canvas.dataset) ride.play();
    else ride.pause();
  };
  const moves = createMoves(scroll);
  const follow = () => {
    ride.moved(moves.since());
    if (!isStill()) ride.setProgress(hourOf(scroll));
  };

  canvas.addEventListener('webglcontextlost', (event) => {
    // Without this the browser never restores the context.
    event.preventDefault();
    delete canvas.dataset.drawn;
    update();
  });
  canvas.addEventListener('webglcontextrestored', () => {
    ride = start();
    appear().catch(retire);
  });

  const ready = appear().catch((error: unknown) => {
    retire();
    report(error);
  });

  return {
    ready,
    show(container) {
      const watch = new AbortController();
      container.append(canvas);
      // Its page has already looked for moving content.
      tellOfMotion();
      // The distance until now does not count.
      moves.since();
      follow();
      revealers = watchRevealers(container, update);
      const onStill = () => {
        // Otherwise the still would show a moment of the opening or of the joining sequence.
        if (isStill()) {
          ride.skipIntro();
          ride.settle();
          ride.setProgress(0, true);
        } else follow();
        update();
        // The still must show the ride at rest.
        ride.resize();
      };
      const offs = [
        watchSize(container, () => ride.resize()),
        scroll.subscribe(follow),
        stage.whenPlaying(update),
        onMotionChange(onStill),
      ];
      followSignUp((joiningAt) => {
        ride.join(joiningAt);
        if (isStill()) ride.settle();
      }, watch.signal);
      followPointer((x, y) => ride.setPointer(x, y), watch.signal);

      return () => {
        ride.settle();
        watch.abort();
        revealers?.stop();
        revealers = null;
        for (const off of offs) off();
        update();
        canvas.remove();
      };
    },
  };
}

/** A GPU that is too slow is no error: the poster stays. */
function report(error: unknown): void {
  if (error instanceof TooSlow) return;
  console.warn(error);
  throw error;
}

/** Shows the canvas instead of the poster, or the poster. */
function reveal(canvas: HTMLCanvasElement, isDrawn: boolean): void {
  for (const name of ['data-drawn', 'data-moves']) canvas.toggleAttribute(name, isDrawn);
  tellOfMotion();
}

/** @param onSize Also called at the beginning, before the next paint. */
function watchSize(element: HTMLElement, onSize: () => void): () => void {
  const observer = new ResizeObserver(onSize);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Progress by the section made for it, or else by the page. */
function hourOf(scroll: SceneEngines['scroll']): number {
  const passage = document.querySelector('[data-passage]');
  return passage ? hourAt(passage.getBoundingClientRect(), innerHeight) : scroll.state().progress;
}

interface Moves {
  /** Window heights that the visitor has scrolled since the last call, in either direction. */
  since(): number;
}

function createMoves(scroll: SceneEngines['scroll']): Moves {
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

/** @param point Called with the mouse's position, -1..1 to the right and down. */
function followPointer(point: (x: number, y: number) => void, signal: AbortSignal): void {
  if (!matchMedia(POINTER).matches) return;
  const onMove = ({ clientX, clientY }: PointerEvent) =>
    point((clientX / innerWidth) * 2 - 1, (clientY / innerHeight) * 2 - 1);
  addEventListener('pointermove', onMove, { signal, passive: true });
}

/** @param join Called after the sign-up, with the sequence that adds the visitor's light. */
function followSignUp(join: (at: typeof joiningAt) => void, signal: AbortSignal): void {
  joinOnSignUp(() => import('./joining.ts'), signal);
  addEventListener('pillion:join', (event) => join((event as CustomEvent<typeof joiningAt>).detail), { signal });
}
