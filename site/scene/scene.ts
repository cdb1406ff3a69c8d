import { isCalm, onMotionChange, tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { isAmongRiders, joinOnSignUp } from '../sign-up-number/joined.ts';
import { MOST_LAMPS } from '../sign-up-number/steps.ts';
import { hourAt } from './hour.ts';
import type { joiningAt } from './joining.ts';
import { openContext } from './probe.ts';
import { createRide, type Ride, TooSlow } from './ride.ts';

type SceneEngines = Pick<Engines, 'frame' | 'stage' | 'scroll'>;

/** The hero's moving picture, one for the whole visit. */
export interface Scene {
  /** Resolves when its first frame is there, or the poster is to stay. Rejects when it broke. */
  ready: Promise<void>;
  /** Stands in `container` until what is returned is called; meanwhile it rests and keeps all it has computed. */
  show(container: HTMLElement): () => void;
}

/** The shorter side of a phone's screen stays below this, in CSS pixels. */
const PHONE_PX = 600;

/** With forced colours no picture is shown at all. */
const FORCED = '(forced-colors: active)';
const POINTER = '(hover: hover) and (pointer: fine)';

/** How many the server says; all where it says nothing. */
const lampsShown = () => Number(document.documentElement.dataset.signUps ?? MOST_LAMPS);

/**
 * Opens the scene on a machine whose GPU draws it (probe.ts).
 * @param force Draws on any GPU.
 * @returns null where the page itself is given no context: the poster stays.
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
  /** Who asks for calm while the scene is there gets a still. */
  const isStill = () => isCalm() || forced.matches;
  /** What reveals the canvas and is in view. */
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
  /** The poster is seen again, for good. */
  function retire(): void {
    delete canvas.dataset.drawn;
    delete canvas.dataset.moves;
    tellOfMotion();
    ride.dispose();
  }
  /** Time passes with the page, or in the section that is made for it. */
  const hour = () => {
    const passage = document.querySelector('[data-passage]');
    return passage ? hourAt(passage.getBoundingClientRect(), innerHeight) : scroll.state().progress;
  };
  const appear = async () => {
    await ride.ready;
    // Come late, it must not begin in the dark over a poster that is seen already.
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
    // A window or a page of another size moves what is read without anybody scrolling, at once and in the frame after it.
    const isResized = now.limit !== last.limit;
    if (!isResized && !wasResized) ride.moved((now.scroll - last.scroll) / innerHeight);
    wasResized = isResized;
    last = now;
    if (!isStill()) ride.setProgress(hour());
  };

  canvas.addEventListener('webglcontextlost', (event) => {
    // Else it is never given back.
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
      // Called at the beginning too, before the next paint.
      const size = new ResizeObserver(() => ride.resize());
      size.observe(container);
      const onStill = () => {
        // Else the still would be of the middle of a flight.
        if (isStill()) {
          ride.settle();
          ride.setProgress(0, true);
        } else follow();
        update();
        // The still has no speed in it.
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
