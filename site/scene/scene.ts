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
const FORCED = '(forced-colors: active)';
const POINTER = '(hover: hover) and (pointer: fine)';

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
  const forced = matchMedia(FORCED);
  /** Visitors who ask for calm while the scene is shown get a still. */
  const isStill = () => isCalm() || forced.matches;
  /** Visible elements that reveal the canvas. */
  const revealing = new Set<Element>();
  let isShown = false;
  let ride = start();

  function start(): Ride {
    const made = createRide(canvas, {
      gl,
      frame,
      isSmall,
      isPatient: force,
      lamps: lampsShown(),
      hasOwn: isAmongRiders(),
      onTooSlow: retire,
    });
    if (force) Object.assign(globalThis, { ride: made });
    return made;
  }
  /** Shows the poster permanently. */
  function retire(): void {
    delete canvas.dataset.drawn;
    delete canvas.dataset.moves;
    tellOfMotion();
    ride.dispose();
  }
  /** Progress by the section made for it, or else by the page. */
  const hour = () => {
    const passage = document.querySelector('[data-passage]');
    return passage ? hourAt(passage.getBoundingClientRect(), innerHeight) : scroll.state().progress;
  };
  const appear = async () => {
    await ride.ready;
    // A late scene must not begin in the dark over a visible poster.
    if (stage.heroCanPlay() || document.documentElement.dataset.letIn !== undefined || isStill()) ride.skipIntro();
    ride.setProgress(isStill() ? 0 : hour(), true);
    ride.resize();
    canvas.dataset.drawn = '';
    canvas.dataset.moves = '';
    tellOfMotion();
    update();
  };
  const update = () => {
    const isMoving = isShown && revealing.size > 0 && !isStill() && stage.heroCanPlay();
    if (isMoving && canvas.dataset.drawn !== undefined) ride.play();
    else ride.pause();
  };
  let last = scroll.state();
  let wasResized = false;
  const follow = () => {
    const now = scroll.state();
    // A resize of the window or page moves the scroll position without input, at once and in the next frame.
    const isResized = now.limit !== last.limit;
    if (!isResized && !wasResized) ride.moved((now.scroll - last.scroll) / innerHeight);
    wasResized = isResized;
    last = now;
    if (!isStill()) ride.setProgress(hour());
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
    if (error instanceof TooSlow) return;
    console.warn(error);
    throw error;
  });

  return {
    ready,
    show(container) {
      const watch = new AbortController();
      const { signal } = watch;
      isShown = true;
      container.append(canvas);
      last = scroll.state();
      follow();

      const sections = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) revealing.add(target);
          else revealing.delete(target);
        }
        update();
      });
      const revealers = document.querySelectorAll('[data-reveals-scene]');
      for (const element of [container.parentElement, ...revealers]) if (element) sections.observe(element);
      // It is also called at the beginning, before the next paint.
      const size = new ResizeObserver(() => ride.resize());
      size.observe(container);
      const onStill = () => {
        // Otherwise the still would show a moment of the joining sequence.
        if (isStill()) {
          ride.settle();
          ride.setProgress(0, true);
        } else follow();
        update();
        // The still must show the ride at rest.
        ride.resize();
      };
      const offs = [scroll.subscribe(follow), stage.whenPlaying(update), onMotionChange(onStill)];
      forced.addEventListener('change', onStill, { signal });
      joinOnSignUp(() => import('./joining.ts'), signal);
      addEventListener(
        'pillion:join',
        (event) => {
          ride.join((event as CustomEvent<typeof joiningAt>).detail);
          if (isStill()) ride.settle();
        },
        { signal },
      );
      if (matchMedia(POINTER).matches)
        addEventListener(
          'pointermove',
          ({ clientX, clientY }) => ride.setPointer((clientX / innerWidth) * 2 - 1, (clientY / innerHeight) * 2 - 1),
          { signal, passive: true },
        );

      return () => {
        isShown = false;
        ride.settle();
        watch.abort();
        sections.disconnect();
        size.disconnect();
        revealing.clear();
        for (const off of offs) off();
        update();
        canvas.remove();
      };
    },
  };
}
